import { describe, expect, test } from '@jest/globals';
import { codeOf } from './code-of.js';

describe('what runs code while it is installed', () => {
  const cases: readonly (readonly [string, ReturnType<typeof codeOf>])[] = [
    ['exec:./make.js', 'exec'],
    ['github:acme/lib', 'git'],
    ['acme/lib', 'git'],
    ['acme/lib#main', 'git'],
    ['git+ssh://git@example.com/lib.git', 'git'],
    ['git@github.com:acme/lib.git', 'git'],
    ['ssh://git@example.com/lib', 'git'],
    ['https://example.com/lib.git#commit=abc', 'git'],
    ['https://github.com/acme/lib', 'git'],
    ['https://github.com/acme/lib/tarball/main', 'git'],
    ['patch:lib@github%3Aacme/lib#./a.patch', 'git'],
    ['patch:@acme/lib@exec%3A./make.js#./a.patch', 'exec'],
    ['patch:lib@lib@acme/lib#./a.patch', 'git'],
    ['^1.0.0', undefined],
    ['latest', undefined],
    ['npm:other@^1.0.0', undefined],
    ['npm:@acme/other@^1.0.0', undefined],
    ['https://example.com/lib-1.0.0.tgz', undefined],
    ['workspace:^', undefined],
    ['workspace:packages/lib', undefined],
    ['catalog:', undefined],
    ['file:../lib', undefined],
    ['../lib', undefined],
    ['./lib', undefined],
    ['link:../lib', undefined],
    ['portal:../lib', undefined],
    ['patch:lib@npm%3A1.0.0#./a.patch', undefined],
    ['', undefined],
    ['%', undefined],
    ['patch:lib@%E0%A4#x', undefined],
  ];
  test.each(cases)('%s: %s', (range, expected) => expect(codeOf(range)).toBe(expected));
});

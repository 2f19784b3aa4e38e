import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseSpecifier } from './specifier.js';

describe('what stands behind a name is told apart', () => {
  const cases: readonly (readonly [text: string, specifier: object])[] = [
    ['^1.0.0', { kind: 'range', text: '^1.0.0' }],
    ['', { kind: 'range', text: '' }],
    ['>=1 <3 || 4.x', { kind: 'range', text: '>=1 <3 || 4.x' }],
    ['npm:~1.2', { kind: 'range', text: '~1.2' }],
    ['latest', { kind: 'tag' }],
    ['npm:next', { kind: 'tag' }],
    ['npm:other@^1.0.0', { kind: 'alias' }],
    ['npm:@scope/other@latest', { kind: 'alias' }],
    ['npm:@scope/other', { kind: 'tag' }],
    ['workspace:^', { kind: 'workspace', selector: '^' }],
    ['catalog:', { kind: 'catalog', catalog: '' }],
    ['catalog:dev', { kind: 'catalog', catalog: 'dev' }],
    ['file:../lib', { kind: 'path', path: '../lib' }],
    ['link:../lib::locator=app%40workspace%3A.', { kind: 'path', path: '../lib' }],
    ['../lib', { kind: 'path', path: '../lib' }],
    ['./lib.tgz', { kind: 'path', path: './lib.tgz' }],
    ['..', { kind: 'path', path: '..' }],
    ['owner/name', { kind: 'address' }],
    ['owner/name#v1', { kind: 'address', range: undefined }],
    ['github:owner/name', { kind: 'address' }],
    ['git+ssh://git@example.org/owner/name.git#main', { kind: 'address' }],
    ['git@example.org:owner/name.git', { kind: 'address' }],
    ['https://example.org/name-1.0.0.tgz', { kind: 'address' }],
    ['portal:../lib', { kind: 'protocol' }],
    ['exec:./make.js', { kind: 'protocol' }],
    ['patch:lib@npm%3A^1.0.0#./x.patch', { kind: 'protocol' }],
    ['jsr:^1.0.0', { kind: 'protocol' }],
  ];
  test.each(cases)('%s', (text, specifier) => {
    expect(parseSpecifier(text)).toMatchObject(specifier);
  });

  test('the versions of a git repository are read', () => {
    const specifier = parseSpecifier('owner/name#semver:^1.2.0');
    expect(specifier.kind === 'address' && specifier.range?.test('1.3.0')).toBe(true);
  });

  test('nothing is too odd to be read', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseSpecifier(text).kind === 'string'));
  });
});

import { describe, expect, test } from '@jest/globals';
import { keyedNames, namesIn } from './names.fixture.js';

describe('the range of a dependency', () => {
  const cases: readonly (readonly [range: string, paths: readonly string[]])[] = [
    ['portal:../../vendor/lib', ['../../vendor/lib']],
    ['portal:.', ['.']],
    ['portal:../x::locator=a%40workspace%3A.', ['../x']],
    ['link:./../x', ['./../x']],
    ['link:/absolute', ['/absolute']],
    ['file:../x.tgz', ['../x.tgz']],
    ['file:../x#../x::hash=1', ['../x']],
    ['file:~/x', ['/x']],
    ['exec:./make.js', ['./make.js']],
    ['../x', ['../x']],
    ['./x', ['./x']],
    ['~/vendor/x', ['/vendor/x']],
    ['..', ['..']],
    ['workspace:packages/a', ['/packages/a']],
    ['workspace:docs', ['/docs']],
    ['workspace:../a', ['../a']],
    ['workspace:./a', ['/./a', './a']],
    ['patch:foo@1.0.0#./foo.patch', ['./foo.patch']],
    ['patch:foo@npm%3A1.0.0#~/.yarn/patches/foo-npm-1.0.0-abc.patch', ['/.yarn/patches/foo-npm-1.0.0-abc.patch']],
    ['patch:@x/foo@npm:^1#../a.patch&~/b.patch::version=1.0.0&hash=1', ['../a.patch', '/b.patch']],
    ['patch:foo@1#optional!./a.patch', ['./a.patch']],
    ['patch:foo@1#optional!builtin<compat/foo>', []],
    ['patch:foo@1#~builtin<compat/foo>', []],
    ['patch:foo@portal%3A../foo#./a.patch', ['../foo', './a.patch']],
    ['patch:foo@patch%3Afoo@npm%253A1.0.0%23./a.patch#./b.patch', ['./a.patch', './b.patch']],
    ['patch:foo@%E0%A4%A#./a.patch', ['./a.patch']],
    ['patch:', []],
    ['^1.0.0', []],
    ['>=1 <2 || 3', []],
    ['latest', []],
    ['*', []],
    ['workspace:*', []],
    ['workspace:^', []],
    ['workspace:~', []],
    ['workspace:', []],
    ['workspace:^1.2.3', []],
    ['workspace:1.x', []],
    ['workspace:>=1', []],
    ['workspace:foo@*', []],
    ['workspace:@x/foo@^1', []],
    ['npm:x@1', []],
    ['npm:@x/y@^1.0.0', []],
    ['catalog:', []],
    ['git@example.com:a/b.git', []],
    ['https://example.com/a.tgz', []],
    ['a/b#main', []],
  ];
  test.each(cases)('%s: %j', (range, paths) => {
    expect(namesIn('p/a/package.json', { dependencies: { raw: range } })).toEqual(paths);
  });
});

test('is read in every block, with its key', () => {
  const blocks = { dependencies: { raw: 'link:../a' }, devDependencies: { raw: 'link:../b' }, peerDependencies: { 'a.b': 'link:../c' } };
  const others = { optionalDependencies: { raw: 'link:../d' }, resolutions: { 'x/@y/z@npm:1': 'portal:./e' } };
  const npm = { overrides: { a: { '.': 'file:../f', b: 'file:../g' } }, pnpm: { overrides: { a: 'link:../h' } } };
  const patched = { pnpm: { ...npm.pnpm, patchedDependencies: { 'a@1': 'patches/a.patch' } } };
  expect(keyedNames('p/a/package.json', { ...blocks, ...others, ...npm, ...patched })).toEqual([
    ['dependencies.raw', '../a'],
    ['devDependencies.raw', '../b'],
    ['peerDependencies.a.b', '../c'],
    ['optionalDependencies.raw', '../d'],
    ['resolutions.x/@y/z@npm:1', './e'],
    ['overrides.a..', '../f'],
    ['overrides.a.b', '../g'],
    ['pnpm.overrides.a', '../h'],
    ['pnpm.patchedDependencies.a@1', 'patches/a.patch'],
  ]);
});

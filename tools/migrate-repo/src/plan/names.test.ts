import { describe, expect, test } from '@jest/globals';
import { parseWorkspaceName } from '@tributary/model/ids';
import { conflictingRef, defaultBranch, newTagName, refuseTagCollisions, targetPath } from './names.js';

const named = parseWorkspaceName;

test.each([
  ['packages/{shortName}', 'd3-array', 'packages/d3-array'],
  ['packages/{shortName}', '@acme/ui', 'packages/ui'],
  ['packages/{name}', '@acme/ui', 'packages/@acme/ui'],
  ['{shortName}', 'x', 'x'],
  ['libs/{shortName}/{shortName}/', 'x', 'libs/x/x'],
  ['fixed', 'x', 'fixed'],
  ['{unknown}/{constructor}/{toString}', 'x', '{unknown}/{constructor}/{toString}'],
])('the pattern %s leads %s to %s', (pattern, name, expected) => {
  expect(targetPath(pattern, named(name))).toBe(expected);
});

test.each(['', '/abs/{shortName}', '../{shortName}', '.git/{shortName}', 'a\\b'])('the pattern "%s" leads nowhere', (pattern) => {
  expect(() => targetPath(pattern, named('x'))).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each([
  ['{name}@{version}', 'd3-array', 'v1.2.3', 'd3-array@1.2.3'],
  ['{name}@{version}', 'd3-array', '1.2.3', 'd3-array@1.2.3'],
  ['{name}@{version}', 'd3-array', 'version-1', 'd3-array@version-1'],
  ['{name}@{version}', 'd3-array', 'v', 'd3-array@v'],
  ['{name}@{version}', 'd3-array', 'vv1', 'd3-array@vv1'],
  ['{name}@{version}', '@acme/ui', 'v1.0.0-rc.1', '@acme/ui@1.0.0-rc.1'],
  ['{name}@{version}', 'x', 'release/v2', 'x@release/v2'],
  ['{shortName}/{tag}', '@acme/ui', 'v1', 'ui/v1'],
  ['{name}@{tag}', 'x', 'größe', 'x@größe'],
])('the pattern %s calls the tag of %s: %s → %s', (pattern, name, tag, expected) => {
  expect(newTagName(pattern, named(name), tag)).toBe(expected);
});

test.each([
  ['{name} {tag}', 'a space'],
  ['{name}..{tag}', 'two dots'],
  ['{tag}.lock', 'the end .lock'],
  ['{name}@{{tag}', 'an @{'],
])('the pattern %s is refused for %s', (pattern) => {
  expect(() => newTagName(pattern, named('x'), 'v1')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each([
  [['d3-array'], 'migrate/d3-array'],
  [['@acme/ui'], 'migrate/@acme/ui'],
  [['b', 'c', 'a'], 'migrate/a-and-2-more'],
  [['c', 'a', 'b'], 'migrate/a-and-2-more'],
])('the branch for %j is %s, whatever the order', (names, expected) => {
  expect(defaultBranch(names.map(named))).toBe(expected);
});

describe('a tag collision is named', () => {
  const refuse =
    (tags: Record<string, string>, refs: string[] = []) =>
    () =>
      refuseTagCollisions(
        Object.entries(tags).map(([name, newName]) => ({ name, newName })),
        new Set(refs),
      );

  test.each<[string, Record<string, string>, string[], RegExp]>([
    [
      'with a tag of the monorepo',
      { 'v1.0.0': 'x@1.0.0' },
      ['refs/tags/x@1.0.0'],
      /A tag cannot be imported: v1\.0\.0 would become x@1\.0\.0, but refs\/tags\/x@1\.0\.0 is taken\./,
    ],
    ['of v1.2.3 and 1.2.3', { '1.2.3': 'x@1.2.3', 'v1.2.3': 'x@1.2.3' }, [], /1\.2\.3 and v1\.2\.3 would both become x@1\.2\.3/],
    [
      'of three that would be one',
      { a: 'x', b: 'x', c: 'x' },
      [],
      /2 tags cannot be imported: a and b would both become x; a and c would both become x\./,
    ],
    ['with a folder of tags', { v1: 'x' }, ['refs/tags/x/1'], /v1 would become x, but refs\/tags\/x\/1 is taken/],
    [
      'with a tag where a folder is needed',
      { v1: '@acme/ui@1' },
      ['refs/tags/@acme'],
      /v1 would become @acme\/ui@1, but refs\/tags\/@acme is taken/,
    ],
    [
      'of a file and a folder among its own',
      { v1: '1', '1/x': '1/x' },
      [],
      /1\/x would become 1\/x, which conflicts with refs\/tags\/1 from v1/,
    ],
    [
      'of a folder and a file among its own',
      { '1/x': '1/x', v1: '1' },
      [],
      /v1 would become 1, which conflicts with refs\/tags\/1\/x from 1\/x/,
    ],
    ['and only three are told', { a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' }, [], /4 tags cannot .*a and d would both become x; …\./],
  ])('%s', (_title, tags, refs, message) => {
    expect(refuse(tags, refs)).toThrow(expect.objectContaining({ code: 'TAG_COLLISION', message: expect.stringMatching(message) }));
  });

  test('and nothing else is one', () => {
    expect(refuse({ v1: 'x@1', 'v1.0': 'x@1.0', v2: 'x/2' }, ['refs/heads/x@1', 'refs/tags/x@10', 'refs/tags/y/2'])).not.toThrow();
  });

  test('all of them stand in the data of the error', () => {
    const clashes = ['b', 'c', 'd', 'e'].map((tag) => `a and ${tag} would both become x`);
    expect(refuse({ a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' })).toThrow(expect.objectContaining({ data: { clashes } }));
  });
});

test.each([
  ['refs/heads/migrate/x', ['refs/heads/migrate/x'], 'refs/heads/migrate/x'],
  ['refs/heads/migrate/x', ['refs/heads/migrate'], 'refs/heads/migrate'],
  ['refs/heads/migrate/x', ['refs/heads/migrate/x/y'], 'refs/heads/migrate/x/y'],
  ['refs/heads/migrate/x', ['refs/heads/migrate/x-1', 'refs/heads/migrat', 'refs/tags/migrate/x'], undefined],
])('%s cannot be created beside %j because of %s', (ref, refs, expected) => {
  expect(conflictingRef(ref, new Set(refs))).toBe(expected);
});

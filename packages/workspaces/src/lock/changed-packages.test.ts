import { describe, expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { parseLock } from '@tributary/lockfile/testing/lock-text';
import { changedPackages } from './changed-packages.js';
import { type PackageExtensions, parsePackageExtensions } from './package-extensions.js';

/** Adds fields below the entry of a resolution: `a@1.0.0 peerDependencies: b`. */
function lockOf(text: string, fields: readonly string[]): string {
  return fields.reduce((lock, field) => {
    const [at = '', title = '', ...names] = field.split(/[ ,]+/);
    const resolution = `  resolution: "${at.replace('@', '@npm:')}"\n`;
    const lines = names.map((name) => `    ${name.startsWith('@') ? `"${name}"` : name}: "*"\n`).join('');
    const [before = '', after = ''] = lock.split(resolution);
    return `${before}${resolution}${after.replace('  languageName:', `  ${title}\n${lines}  languageName:`)}`;
  }, parseLock(text));
}

function compare(
  base: string,
  head: string,
  { fields = [], extensions = [] }: { readonly fields?: readonly string[]; readonly extensions?: PackageExtensions } = {},
): string {
  const side = (text: string) => ({ index: indexLock(lockOf(text, fields)), resolutions: new Map(), extensions, catalogs: new Map() });
  const changed = changedPackages(side(base), side(head));
  if ('unknown' in changed) return changed.unknown;
  const sorted = (names: Iterable<string>): string => [...names].sort().join(' ');
  return `${sorted(changed.names)} | ${sorted(changed.nested)}`;
}

const SAMPLE = `
  root: a ^1, b ^1
  app: c ^2
  a@^1 = 1.0.0: c ^1
  b@^1 = 1.0.0: d ^1
  c@^1 = 1.0.0: e ^1
  c@^2 = 2.0.0: e ^1
  d@^1 = 1.0.0
  e@^1 = 1.0.0`;

describe('of a change in a lockfile, before the stroke the packages that differ or may move, behind it those that may be nested', () => {
  test.each<[string, string, string, string]>([
    ['none, where nothing changed', 'e@^1', 'e@^1', ' | '],
    ['the package, if there is one version of each', 'd@^1 = 1.0.0', 'd@^1 = 1.0.1', 'd | '],
    ['what has several versions below it, because another one may be preferred', 'a@^1 = 1.0.0', 'a@^1 = 1.0.1', 'a c | c'],
    ['a new one', 'root: a ^1', 'root: n ^1, a ^1', 'n | '],
    ['what an unchanged package leads to now', 'b@^1 = 1.0.0: d ^1', 'b@^1 = 1.0.0: d ^1, c ^2', 'b c | c'],
    ['a version that a workspace now asks for', 'app: c ^2', 'app: c ^1', 'c | c'],
  ])('%s', (_, from, to, expected) => {
    const head = SAMPLE.replace(from, to).concat(to.includes('n ^1') ? '\n  n@^1 = 1.0.0' : '');
    expect(compare(SAMPLE, head)).toBe(expected);
  });

  test('a package that has to stay with a peer that may move, and what is below it', () => {
    const base = `${SAMPLE}\n  p@^1 = 1.0.0: q ^1\n  q@^1 = 1.0.0\n  q@^2 = 2.0.0`;
    const head = base.replace('a@^1 = 1.0.0', 'a@^1 = 1.0.1');
    expect(compare(base, head)).toBe('a c | c');
    expect(compare(base, head, { fields: ['p@1.0.0 peerDependencies: c'] })).toBe('a c p q | c p q');
  });

  test('with a peer that an extension adds, or Yarn itself', () => {
    const base = `${SAMPLE}\n  p@^1 = 1.0.0`;
    const extensions = parsePackageExtensions({ 'p@*': { peerDependencies: { c: '*' } } });
    expect(compare(base, base.replace('a@^1 = 1.0.0', 'a@^1 = 1.0.1'), { extensions })).toBe('a c p | c p');
    const types = `${base}\n  @types/d@^1 = 1.0.0\n  @types/d@^2 = 2.0.0`;
    const fields = ['p@1.0.0 peerDependencies: d'];
    expect(compare(types, types.replace('@types/d@^1 = 1.0.0', '@types/d@^1 = 1.0.1'), { fields })).toBe('@types/d p | @types/d p');
  });

  test('copies below a cycle that Yarn does not follow twice', () => {
    const base = 'root: a ^1, x ^1\n a@^1 = 1.0.0: x ^1\n x@^1 = 1.0.0: x ^2, y ^1\n x@^2 = 2.0.0: x ^1\n y@^1 = 1.0.0';
    expect(compare(base, base.replace('a@^1 = 1.0.0', 'a@^1 = 1.0.1'))).toBe('a x y | x y');
  });

  test('both names of an alias', () => {
    const base = `${SAMPLE.replace('root: ', 'root: alias npm:real@^1, ')}\n  alias@npm:real@^1 = 1.0.0`.replace(
      'alias@npm:real@^1 = 1.0.0',
      'alias@npm:real@^1 = npm:real@1.0.0',
    );
    const text = (version: string): string =>
      parseLock(base).replace(/resolution: "alias@npm:real@1\.0\.0"/, `resolution: "real@npm:${version}"`);
    const side = (version: string) => ({ index: indexLock(text(version)), resolutions: new Map(), extensions: [], catalogs: new Map() });
    expect(changedPackages(side('1.0.0'), side('1.0.1'))).toMatchObject({ names: new Set(['real', 'alias']) });
  });

  test('a package with a binary of the same name', () => {
    const fields = ['d@1.0.0 bin: tool', 'e@1.0.0 bin: tool'];
    expect(compare(SAMPLE, SAMPLE.replace('b ^1\n', '\n').replace('b@^1 = 1.0.0: d ^1', ''), { fields })).toContain('d e');
  });
});

test('a package may take the place of the link to a workspace', () => {
  expect(compare(SAMPLE, `${SAMPLE.replace('b ^1\n', 'b ^1, app ^9\n')}\n  app@^9 = 9.0.0`)).toBe('app | app');
});

test('peers of the root, and Yarn 1, are not known', () => {
  const root = parseLock(SAMPLE).replace('  languageName: unknown', '  peerDependencies:\n    a: "*"\n  languageName: unknown');
  const side = (text: string) => ({ index: indexLock(text), resolutions: new Map(), extensions: [], catalogs: new Map() });
  expect(changedPackages(side(root), side(root))).toEqual({ unknown: 'the root has peer dependencies' });
  expect(changedPackages(side('# yarn lockfile v1\n'), side(root))).toEqual({ unknown: 'yarn.lock is not of Yarn 2 or later' });
});

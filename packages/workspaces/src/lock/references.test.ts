import { describe, expect, test } from '@jest/globals';
import { indexLock } from '@tributary/lockfile/lock-index';
import { type LockEntryParts, lockText } from '@tributary/lockfile/testing/lock-text';
import { buildLockGraph, type LockGraph } from './graph.js';
import { parsePackageExtensions } from './package-extensions.js';
import type { LockRules } from './references.js';

const root = { descriptors: ['root@workspace:.'], resolution: 'root@workspace:.' };

function npm(name: string, version: string, ...ranges: readonly string[]): LockEntryParts {
  return { descriptors: ranges.map((range) => `${name}@${range}`), resolution: `${name}@npm:${version}` };
}

function graphOf(entries: readonly LockEntryParts[], rules: Partial<LockRules> = {}): LockGraph {
  const index = indexLock(lockText(entries));
  if (index.kind !== 'berry') throw new Error('unreadable');
  return buildLockGraph(index, { resolutions: new Map(), extensions: [], catalogs: new Map(), ...rules });
}

/** Returns the resolutions to which the first entry leads. */
function reached(entries: readonly LockEntryParts[], rules: Partial<LockRules> = {}): readonly string[] {
  const { index, ...graph } = { index: graphOf(entries, rules).index, graph: graphOf(entries, rules) };
  return [...graph.graph.targetsOf(0)].map((number) => index.records[index.owners[number] ?? -1]?.resolution ?? '').sort();
}

const app = (dependencies: Readonly<Record<string, string>>): LockEntryParts => ({
  descriptors: ['app@workspace:packages/app'],
  resolution: 'app@workspace:packages/app',
  dependencies,
});

const twoLibs = [npm('lib', '1.0.0', 'npm:^1'), npm('lib', '2.0.0', 'npm:2.0.0')];

describe('resolutions', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['name', { lib: '2.0.0' }, 'lib@npm:2.0.0'],
    ['name with a protocol', { lib: 'npm:2.0.0' }, 'lib@npm:2.0.0'],
    ['name and range', { 'lib@^1': '2.0.0' }, 'lib@npm:2.0.0'],
    ['name and range with its protocol', { 'lib@npm:^1': '2.0.0' }, 'lib@npm:2.0.0'],
    ['another range', { 'lib@^3': '2.0.0' }, 'lib@npm:1.0.0'],
    ['another name', { li: '2.0.0' }, 'lib@npm:1.0.0'],
    ['who asks', { 'app/lib': '2.0.0' }, 'lib@npm:2.0.0'],
    ['somebody else who asks', { 'other/lib': '2.0.0' }, 'lib@npm:1.0.0'],
    ['who asks, by its reference', { 'app@workspace:packages/lib': '2.0.0' }, 'lib@npm:1.0.0'],
    ['a glob of Yarn 1', { '**/lib': '2.0.0' }, 'lib@npm:2.0.0'],
    ['the first of two that fit', { 'lib@^1': '^1', lib: '2.0.0' }, 'lib@npm:1.0.0'],
  ])('for %s', (_, resolutions, expected) => {
    expect(reached([app({ lib: 'npm:^1' }), ...twoLibs], { resolutions: new Map(Object.entries(resolutions)) })).toEqual([expected]);
  });

  test('for a version of who asks', () => {
    const entries = [{ ...npm('mid', '1.0.0', 'npm:^1'), dependencies: { lib: 'npm:^1' } }, root, ...twoLibs];
    expect(reached(entries, { resolutions: new Map([['mid@1.0.0/lib', '2.0.0']]) })).toEqual(['lib@npm:2.0.0']);
    expect(reached(entries, { resolutions: new Map([['mid@1.0.1/lib', '2.0.0']]) })).toEqual(['lib@npm:1.0.0']);
  });

  test('to a path are bound to the root', () => {
    const bound = {
      descriptors: ['lib@link:./lib::locator=root%40workspace%3A.'],
      resolution: 'lib@link:./lib::locator=root%40workspace%3A.',
    };
    expect(reached([app({ lib: 'npm:^1' }), root, ...twoLibs, bound], { resolutions: new Map([['lib', 'link:./lib']]) })).toEqual([
      bound.resolution,
    ]);
  });
});

describe('a reference', () => {
  test('without a protocol, as before Yarn 4, is one to npm', () => {
    expect(reached([app({ lib: '^1' }), ...twoLibs])).toEqual(['lib@npm:1.0.0']);
  });

  test('by an alias is found by its own name', () => {
    const alias = { descriptors: ['old@npm:lib@^1'], resolution: 'lib@npm:1.0.0' };
    expect(reached([app({ old: 'npm:lib@^1' }), alias, ...twoLibs])).toEqual(['lib@npm:1.0.0']);
  });

  test.each(['link', 'portal', 'file', 'exec'])('by %s: is bound to who asks', (protocol) => {
    const entries = ['app%40workspace%3Apackages%2Fapp', 'root%40workspace%3A.'].map((locator) => ({
      descriptors: [`lib@${protocol}:./lib::locator=${locator}`],
      resolution: `lib@${protocol}:./lib::locator=${locator}`,
    }));
    expect(reached([app({ lib: `${protocol}:./lib` }), root, ...entries])).toEqual([entries[0]?.resolution]);
  });

  test('to a package that Yarn patches reaches the patched entry too, however its source is encoded', () => {
    const source = npm('typescript', '5.0.0', 'npm:^5');
    for (const encoded of ['npm%3A^5', 'npm%3A%5E5', '%5E5', '^5']) {
      const patched = {
        descriptors: [`typescript@patch:typescript@${encoded}#optional!builtin<compat/typescript>`],
        resolution: 'typescript@patch:x',
      };
      expect(reached([app({ typescript: 'npm:^5' }), source, patched])).toEqual(['typescript@npm:5.0.0', 'typescript@patch:x']);
    }
  });

  test('to a patch reaches what is patched', () => {
    const patch = 'patch:lib@npm%3A^1#~/.yarn/patches/lib.patch';
    const patched = { descriptors: [`lib@${patch}`], resolution: `lib@${patch}::version=1.0.0&hash=aa` };
    const entries = [app({ lib: patch }), patched, ...twoLibs];
    const graph = graphOf(entries);
    expect(reached(entries)).toEqual([patched.resolution]);
    expect([...graph.targetsOf(1)].map((number) => graph.index.descriptors[number])).toEqual(['lib@npm:^1']);
  });

  test('to a catalog takes the range from there', () => {
    const catalogs = new Map([
      ['', new Map([['lib', '^1']])],
      ['next', new Map([['lib', '2.0.0']])],
    ]);
    expect(reached([app({ lib: 'catalog:' }), ...twoLibs], { catalogs })).toEqual(['lib@npm:1.0.0']);
    expect(reached([app({ lib: 'catalog:next' }), ...twoLibs], { catalogs })).toEqual(['lib@npm:2.0.0']);
  });

  test('that no key answers reaches all of that name', () => {
    expect(reached([app({ lib: 'catalog:none' }), ...twoLibs])).toEqual(['lib@npm:1.0.0', 'lib@npm:2.0.0']);
    expect(reached([app({ lib: 'condition:X ? 1 : 2' }), ...twoLibs])).toEqual(['lib@npm:1.0.0', 'lib@npm:2.0.0']);
    expect(reached([app({ gone: 'npm:^1' }), ...twoLibs])).toEqual([]);
  });
});

describe('extensions', () => {
  const mid = npm('mid', '1.2.0', 'npm:^1');

  test('of .yarnrc.yml add to the versions they are for', () => {
    const of = (range: string) =>
      reached([mid, ...twoLibs], { extensions: parsePackageExtensions({ [`mid@${range}`]: { dependencies: { lib: '^1' } } }) });
    expect(of('^1.1.0')).toEqual(['lib@npm:1.0.0']);
    expect(of('^1.3.0')).toEqual([]);
  });

  test('do not change what the package asks for itself', () => {
    const extensions = parsePackageExtensions({ 'mid@*': { dependencies: { lib: '^1' } } });
    expect(reached([{ ...mid, dependencies: { lib: 'npm:2.0.0' } }, ...twoLibs], { extensions })).toEqual(['lib@npm:2.0.0']);
  });

  test('that Yarn brings along count where the lockfile has their key', () => {
    const got = npm('got', '10.0.0', 'npm:^10');
    expect(reached([got, npm('@types/keyv', '3.1.4', 'npm:^3.1.1')])).toEqual(['@types/keyv@npm:3.1.4']);
    expect(reached([got, npm('@types/keyv', '4.0.0', 'npm:^4')])).toEqual([]);
  });
});

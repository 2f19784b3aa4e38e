import { describe, expect, test } from '@jest/globals';
import type { RawChange } from '@tributary/git/parse';
import type { ChangedPackages } from '@tributary/workspaces/lock/changed-packages';
import { currentPlatform } from '../io/platform.js';
import { VERSION } from '../version.js';
import { changedSince } from './changed-since.js';
import { judgeFiles } from './judge-files.js';
import { keptInMemory } from './kept-observation.js';
import { inputTable, type Observation } from './observation.js';
import { joinParts } from './observation-store.js';
import { observedAt } from './observed.fixture.js';

const ID = 'a'.repeat(40);
const TRACKED = ['test/a.test.js', 'test/b.test.js', 'lib.js', 'data.json', 'setup.js', 'package.json'].map(
  (path) => `packages/app/${path}`,
);

/** By test file, what it used; `shared` and `search` are of all. A folder in brackets was listed. */
type Used = Readonly<Record<string, string>>;

const USED: Used = { shared: 'setup.js package.json [test]', search: '[test]', 'test/a.test.js': 'lib.js', 'test/b.test.js': 'data.json' };

function observed(used: Used = USED, more: Partial<Observation> = {}): Observation {
  const all = [...new Set(Object.values(used).flatMap((text) => text.split(' ').filter((one) => one !== '')))];
  const names = [...all, ...Object.keys(used).filter((name) => name.includes('.'))];
  const paths = names.filter((name) => !name.startsWith('[')).map((name) => `packages/app/${name}`);
  const lists = all.filter((name) => name.startsWith('[')).map((name) => `packages/app/${name.slice(1, -1)}`);
  const isThere = (path: string): boolean => TRACKED.includes(path);
  const one = observedAt(ID, 'app', { files: paths.filter(isThere), absent: paths.filter((path) => !isThere(path)), list: lists, ...more });
  const table = inputTable(one);
  const order = [...table.paths, ...table.lists.map((path) => `[${path}]`)];
  const placeOf = (name: string): number => order.indexOf(name.startsWith('[') ? `[packages/app/${name.slice(1)}` : `packages/app/${name}`);
  const placesIn = (text = ''): readonly number[] => text.split(' ').flatMap((name) => (name === '' ? [] : [placeOf(name)]));
  const { shared, search, ...files } = used;
  const each = Object.entries(files).map(([file, text]) => [file, [...placesIn(text), placeOf(file)]]);
  return { ...one, testFiles: { shared: placesIn(shared), search: placesIn(search), each: Object.fromEntries(each) } };
}

/** Returns the change of one package. */
function packagesOf(name: string | undefined): { readonly packages?: ChangedPackages } {
  if (name === undefined) return {};
  const names = new Set([name]);
  return { packages: { names, nested: new Set(), binaries: new Map(), leading: new Map(), direct: new Map() } };
}

/** Judges changes such as `M lib.js`, `A new.js`, `D lib.js`. */
function judged(changes: readonly string[], kept: readonly Observation[] = [observed()], raised?: string): readonly string[] | string {
  const raw = changes.map((text): RawChange => {
    const [kind = '', path = ''] = text.split(' ');
    const [oldMode, newMode] = kind === 'A' ? ['000000', '100644'] : kind === 'D' ? ['100644', '000000'] : ['100644', '100644'];
    return { path: `packages/app/${path}`, oldMode, newMode } as unknown as RawChange;
  });
  const gone = new Set(raw.filter(({ newMode }) => newMode === '000000').map(({ path }) => path));
  const come = raw.filter(({ oldMode }) => oldMode === '000000').map(({ path }) => path);
  const changed = changedSince(raw, [...TRACKED.filter((path) => !gone.has(path as never)), ...come], '');
  const scene = { machine: { version: VERSION, platform: currentPlatform() }, since: () => ({ changed, ...packagesOf(raised) }) };
  const verdict = judgeFiles(
    { workspace: 'app', task: 'test', folder: 'packages/other', isOthersManifest: () => false },
    kept.map(keptInMemory),
    scene,
  );
  return 'whole' in verdict ? verdict.whole : verdict.spared;
}

describe('a change spares the test files that did not use it', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a source', ['M lib.js'], ['test/b.test.js']],
    ['data', ['M data.json'], ['test/a.test.js']],
    ['a test file', ['M test/a.test.js'], ['test/b.test.js']],
    ['a file that nobody used', ['M README.md'], ['test/a.test.js', 'test/b.test.js']],
    ['a new test file', ['A test/new.test.js'], ['test/a.test.js', 'test/b.test.js']],
    ['a renamed test file', ['D test/a.test.js', 'A test/c.test.js'], ['test/b.test.js']],
  ])('%s', (_, changes, spared) => expect(judged(changes)).toEqual(spared));

  test('in any run that counts', () => {
    const more = observed({ ...USED, 'test/b.test.js': 'lib.js' });
    expect(judged(['M lib.js'], [more, observed()])).toEqual([]);
  });

  test('and one that an older run lacks was newer', () => {
    const { 'test/b.test.js': _, ...older } = USED;
    expect(judged(['M lib.js'], [observed(older, { commit: 'b'.repeat(40) }), observed()])).toEqual(['test/b.test.js']);
    expect(judged(['M lib.js'], [observed(older), observed()])).toEqual([]);
  });

  test('not one that listed the folder in which the runner searches', () => {
    const used = { ...USED, 'test/a.test.js': 'lib.js [test]' };
    expect(judged(['A test/new.test.js'], [observed(used)])).toEqual(['test/b.test.js']);
  });

  test('not one that looked for the new file', () => {
    const used = { ...USED, 'test/a.test.js': 'maybe.js' };
    expect(judged(['A maybe.js'], [observed(used)])).toEqual(['test/b.test.js']);
  });
});

describe('a change selects the whole suite', () => {
  test('of a package that the piece used, and no other', () => {
    const kept = [observed(USED, { packages: [{ name: 'left', version: '1.0.0' }] })];
    expect(judged(['M lib.js'], kept, 'left')).toContain('it used the package left');
    expect(judged(['M lib.js'], kept, 'right')).toEqual(['test/b.test.js']);
  });

  const list = 'all its test files use the list of packages/app/test, which differs from the observed run at aaaaaaaaaa';
  test.each<[string, readonly string[], string]>([
    [
      'of a file that all share',
      ['M setup.js'],
      'all its test files use packages/app/setup.js, which differs from the observed run at aaaaaaaaaa',
    ],
    ['that adds something other than a test file', ['A test/data.txt'], list],
    ['that adds a mock', ['A test/__mocks__/lib.js'], list],
    ['that adds a test file and a fixture', ['A test/new.test.js', 'A test/x.snap'], list],
    ['that adds a folder', ['A test/more/new.test.js'], list],
  ])('%s', (_, changes, whole) => expect(judged(changes)).toBe(whole));

  const unclear = 'its test files cannot be judged one by one';
  test.each<[string, Partial<Observation>, string]>([
    ['whose files depend on each other', { testFiles: { unclear: 'b uses what a wrote' } }, `${unclear}: b uses what a wrote`],
    [
      'of a run that did not tell them apart',
      { testFiles: undefined as never },
      `${unclear}: the observed run at aaaaaaaaaa did not tell them apart`,
    ],
    ['that used another machine', { connections: ['192.0.2.1:5432'] }, 'it used 192.0.2.1:5432, which a job may have prepared'],
    ['that failed', { exit: 1 }, 'its observed run at aaaaaaaaaa failed'],
  ])('%s', (_, more, whole) => expect(judged(['M lib.js'], [{ ...observed(), ...more }])).toBe(whole));
});

describe('parts of a suite', () => {
  const [one, two] = ['test/a.test.js', 'test/b.test.js'].map((file, at) =>
    observed({ shared: USED['shared'] ?? '', search: '[test]', [file]: USED[file] ?? '' }, { part: [at + 1, 2], plan: 'p' }),
  ) as [Observation, Observation];

  test('are joined', () => {
    expect(judged(['M lib.js'], joinParts([one, two]).whole)).toEqual(['test/b.test.js']);
    expect(judged(['M data.json'], joinParts([one, two]).whole)).toEqual(['test/a.test.js']);
  });

  test('and what all files of one part share counts for every file', () => {
    const other = observed({ shared: 'lib.js', search: '', 'test/b.test.js': 'data.json' }, { part: [2, 2], plan: 'p' });
    expect(judged(['M lib.js'], joinParts([one, other]).whole)).toMatch(/^all its test files use/);
  });

  test('are unclear if one is', () => {
    const { whole } = joinParts([one, { ...two, testFiles: { unclear: 'x' } }]);
    expect(judged(['M lib.js'], whole)).toBe('its test files cannot be judged one by one: x');
  });
});

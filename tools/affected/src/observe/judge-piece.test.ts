import { describe, expect, test } from '@jest/globals';
import type { RawChange } from '@tributary/git/parse';
import { VERSION } from '../version.js';
import { changedSince } from './changed-since.js';
import { lockedDifference } from './locked-names.js';
import { judgePiece, type Since } from './narrow.js';
import type { Observation } from './observation.js';
import { lockOf, type ObservedMore, observedAt } from './observed.fixture.js';

const COMMIT = '1a2b3c4d5e'.repeat(4);
const FILES: Files = {
  'data/alpha.json': '1',
  'data/deep/beta.json': '1',
  'shared.cfg': '1',
  'yarn.lock': '1',
  'packages/other/package.json': '1',
  'packages/lib/package.json': '1',
  link: '-> a',
};
const VERSIONS = { left: '1.0.0', right: '1.0.0', deep: '1.0.0' };

/** A text that begins with `->` is a symbolic link; `undefined` deletes. */
type Files = Readonly<Record<string, string | undefined>>;

function changesTo(change: Files): readonly RawChange[] {
  const modeOf = (text: string | undefined): string => (text === undefined ? '000000' : text.startsWith('->') ? '120000' : '100644');
  return Object.entries(change).map(([path, text]) => ({
    oldMode: modeOf(FILES[path]),
    newMode: modeOf(text),
    oldId: '',
    newId: '',
    path,
  }));
}

function sinceOf(change: Files, lock: Exclude<Since, { unknown: string }>['lock'] = { names: new Set(), programs: new Set() }): Since {
  const tracked = Object.entries({ ...FILES, ...change }).flatMap(([path, text]) => (text === undefined ? [] : [path]));
  return { changed: changedSince(changesTo(change), tracked, ''), lock };
}

/** What is said of `other`, after such runs. */
function judge(since: Since, ...runs: readonly ObservedMore[]): string {
  const kept = runs.map((more) => observedAt(COMMIT, 'other', more));
  const piece = { workspace: 'other', task: 'test', isOthersManifest: (path: string) => path === 'packages/lib/package.json' };
  const machine = { version: VERSION, os: process.platform, arch: process.arch };
  const { isSpared, because } = judgePiece(piece, kept, { machine, since: () => since });
  return isSpared ? 'spared' : because;
}

const SHARED = { 'shared.cfg': '2' };

describe('a piece is spared, or selected because it read', () => {
  test.each<[string, Files, ObservedMore, string]>([
    ['nothing of it', { 'data/alpha.json': '2' }, {}, 'spared'],
    [
      'its content',
      { 'data/alpha.json': '2' },
      { files: ['data/alpha.json'] },
      'it read data/alpha.json, which is not as in its observed run at 1a2b3c4d5e',
    ],
    ['that it is there', { 'data/alpha.json': '2' }, { found: ['data/alpha.json'] }, 'data/alpha.json'],
    ['it by git or a package manager', SHARED, { apart: apart({ tools: ['shared.cfg'] }) }, 'shared.cfg'],
    ['that it is not there', { 'data/gamma.json': '1' }, { absent: ['data/gamma.json'] }, 'no data/gamma.json'],
    ['that a folder above it is not there', { 'fresh/deep/gamma.json': '1' }, { absent: ['fresh'] }, 'no fresh'],
    ['that something beside it is not there', { 'data/gamma.json': '1' }, { absent: ['data/other.json'] }, 'spared'],
    ['the list of its folder', { 'data/gamma.json': '1' }, { list: ['data'] }, 'list of data'],
    ['the list of its folder, which only a change leaves alone', { 'data/alpha.json': '2' }, { list: ['data'] }, 'spared'],
    ['the list of a folder above a new one', { 'fresh/deep/gamma.json': '1' }, { list: ['.'] }, 'list of .'],
    ['the list of a folder above a known one', { 'data/gamma.json': '1' }, { list: ['.'] }, 'spared'],
    ['the list of a folder above the last file of one', { 'data/deep/beta.json': undefined }, { list: ['data'] }, 'list of data'],
    ['a folder that is gone', { 'data/deep/beta.json': undefined }, { found: ['data/deep'] }, 'data/deep'],
    ['a file that is gone', { 'data/alpha.json': undefined }, { found: ['data/alpha.json'] }, 'data/alpha.json'],
    ['a list by a package manager', { 'data/gamma.json': '1' }, { apart: apart({ toolLists: ['data'] }) }, 'list of data'],
    ['a link that leads elsewhere', { link: '-> b' }, { files: ['link'] }, 'link'],
    ['the list of a folder where a file became a link', { 'data/alpha.json': '-> b' }, { list: ['data'] }, 'list of data'],
    [
      'another file where upper and lower case differ',
      { 'Data/alpha.json': '2' },
      { files: ['data/alpha.json'], list: ['data'] },
      'spared',
    ],
    ['the list where only the case of a folder is new', { 'Data/alpha.json': '2' }, { list: ['.'] }, 'list of .'],
    [
      'the manifest of another workspace by Yarn',
      { 'packages/lib/package.json': '2' },
      { apart: apart({ tools: ['packages/lib/package.json'] }) },
      'spared',
    ],
    [
      'that manifest by a Yarn of its own',
      { 'packages/lib/package.json': '2' },
      { nested: ['/usr/bin/yarn'], apart: apart({ tools: ['packages/lib/package.json'] }) },
      'packages/lib/package.json',
    ],
    [
      'its own manifest by Yarn',
      { 'packages/other/package.json': '2' },
      { apart: apart({ tools: ['packages/other/package.json'] }) },
      'packages/other/package.json',
    ],
  ])('%s', (_, change, more, expected) => expect(judge(sinceOf(change), more)).toContain(expected));

  test('it in a run before the last', () => {
    const read = { files: ['shared.cfg'] };
    expect([judge(sinceOf(SHARED), read, {}), judge(sinceOf(SHARED), {}, {})]).toEqual([expect.stringContaining('shared.cfg'), 'spared']);
  });
});

describe('a run is no proof that', () => {
  test.each<[string, Partial<Observation>, string]>([
    ['is not complete', { complete: false, gaps: [{ gap: 'tracer-denied', detail: 'ptrace' }] }, 'not complete (tracer-denied: ptrace)'],
    ['failed', { exit: 1 }, 'failed'],
    ['is of another platform', { platform: { os: 'plan9', arch: 'x64' } }, 'another platform'],
    ['is of another version', { version: '99.0.0' }, 'affected 99.0.0'],
    ['is of another task', { task: 'lint' }, 'not observed'],
    ['is of one part', { part: [1, 2] }, 'one part'],
  ])('%s', (_, more, because) => expect(judge(sinceOf(SHARED), more)).toContain(because));

  test('is of a commit that cannot be compared, or is not the last', () => {
    expect(judge({ unknown: 'its commit is not in this clone' }, {})).toBe('its commit is not in this clone');
    expect(judge(sinceOf(SHARED), {}, { complete: false, gaps: [{ gap: 'daemon', detail: 'x' }] })).toContain('daemon');
    expect(judge(sinceOf(SHARED))).toBe('it was not observed');
  });
});

describe('of packages that resolve differently it read', () => {
  const to = (versions: Readonly<Record<string, string>>, leadsTo?: Readonly<Record<string, string>>): string => lockOf(versions, leadsTo);
  const uses = (...names: readonly string[]): ObservedMore => ({ packages: names.map((name) => ({ name, version: '1.0.0' })) });

  test.each<[string, string, ObservedMore, string]>([
    ['another package', to({ ...VERSIONS, left: '2.0.0' }), uses('right'), 'spared'],
    ['the package', to({ ...VERSIONS, left: '2.0.0' }), uses('left'), 'package left'],
    ['what the package leads to now', to({ ...VERSIONS, left: '2.0.0' }, { left: 'deep' }), uses('deep'), 'package deep'],
    ['a list of packages', to({ ...VERSIONS, left: '2.0.0' }), { list: ['node_modules/@types'] }, 'list of node_modules/@types'],
    ['a program that was missing', to({ ...VERSIONS, left: '2.0.0' }), { absent: ['node_modules/.bin/left-program'] }, 'left-program'],
    ['another program that was missing', to({ ...VERSIONS, left: '2.0.0' }), { absent: ['node_modules/.bin/x'] }, 'spared'],
    ['the lockfile itself', to({ ...VERSIONS, left: '2.0.0' }), { files: ['yarn.lock'] }, 'yarn.lock'],
    ['that one is not there', to({ ...VERSIONS, fresh: '1.0.0' }), { packages: [{ name: 'fresh', version: null }] }, 'package fresh'],
  ])('%s', (_, after, more, expected) => {
    const lock = lockedDifference(lockOf(VERSIONS), after);
    if (lock === undefined) throw new Error('not compared');
    expect(judge(sinceOf({ 'yarn.lock': '2' }, lock), more)).toContain(expected);
  });

  test('what cannot be compared', () => {
    expect(lockedDifference(lockOf(VERSIONS), lockOf(VERSIONS).replace('cacheKey: 10c0', 'cacheKey: 11'))).toBeUndefined();
    expect(lockedDifference(lockOf(VERSIONS), '# yarn lockfile v1\n\nleft@*:\n  version "1.0.0"\n')).toBeUndefined();
    expect(lockedDifference(undefined, lockOf(VERSIONS))).toBeUndefined();
    expect([...(lockedDifference(lockOf(VERSIONS), lockOf(VERSIONS).replaceAll('\n', '\r\n'))?.names ?? ['?'])]).toEqual([]);
  });
});

function apart(more: Partial<Observation['apart']>): Observation['apart'] {
  return { written: [], ignored: [], caches: [], tools: [], toolLists: [], outside: [], ...more };
}

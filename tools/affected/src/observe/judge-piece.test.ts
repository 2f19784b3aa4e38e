import { describe, expect, test } from '@jest/globals';
import type { RawChange } from '@tributary/git/parse';
import { currentPlatform } from '../io/platform.js';
import { VERSION } from '../version.js';
import { changedSince } from './changed-since.js';
import { judgePiece, type Since } from './judge-piece.js';
import { keptInMemory } from './kept-observation.js';
import type { Observation } from './observation.js';
import { type ObservedMore, observedAt } from './observed.fixture.js';

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

/** A text that starts with `->` is a symbolic link; `undefined` deletes. */
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

function sinceOf(change: Files): Since {
  const tracked = Object.entries({ ...FILES, ...change }).flatMap(([path, text]) => (text === undefined ? [] : [path]));
  return { changed: changedSince(changesTo(change), tracked, '') };
}

/** Returns the judgement of `other` after these runs: `spared`, or the reason why not. */
function judge(since: Since, ...runs: readonly ObservedMore[]): string {
  const kept = runs.map((more) => observedAt(COMMIT, 'other', more));
  const piece = {
    workspace: 'other',
    task: 'test',
    folder: 'packages/other',
    isOthersManifest: (path: string) => path === 'packages/lib/package.json',
  };
  const machine = { version: VERSION, platform: currentPlatform() };
  const { isSpared, because } = judgePiece(piece, kept.map(keptInMemory), { machine, since: () => since });
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
      'it read data/alpha.json, which differs from its observed run at 1a2b3c4d5e',
    ],
    ['that it is there', { 'data/alpha.json': '2' }, { found: ['data/alpha.json'] }, 'data/alpha.json'],
    ['the lockfile, if only by Yarn', { 'yarn.lock': '2' }, { apart: apart({ tools: ['yarn.lock'] }) }, 'yarn.lock'],
    ['it by git or a package manager', SHARED, { apart: apart({ tools: ['shared.cfg'] }) }, 'shared.cfg'],
    ['that it is not there', { 'data/gamma.json': '1' }, { absent: ['data/gamma.json'] }, 'no data/gamma.json'],
    ['that a folder above it is not there', { 'fresh/deep/gamma.json': '1' }, { absent: ['fresh'] }, 'no fresh'],
    ['what is not there below a new link', { 'fresh/deep': '-> data' }, { absent: ['fresh/deep/gamma.json'] }, 'no fresh/deep/gamma.json'],
    ['what is not there below a new folder', { 'fresh/deep/alpha.json': '1' }, { absent: ['fresh/deep/gamma.json'] }, 'spared'],
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

describe('a piece is not spared that used', () => {
  test.each<[string, ObservedMore, string]>([
    ['another machine', { connections: ['10.0.0.5:5432'] }, 'it used 10.0.0.5:5432, which a job may have prepared'],
    ['a program that a job built', { programs: ['/usr/local/bin/server'] }, 'it used /usr/local/bin/server'],
    ['a file that a job made', { apart: apart({ outside: ['/srv/u/.app/limits.cfg'] }) }, 'it used /srv/u/.app/limits.cfg'],
    ['Node and git alone', { programs: ['/usr/local/bin/node', '/opt/git/libexec/git-core/git-log', 'node_modules/.bin/x'] }, 'spared'],
    [
      "Node's own files",
      { programs: ['/srv/u/.nvm/v22/bin/node'], apart: apart({ outside: ['/srv/u/.nvm/v22/bin/node', '/srv/u/.nvm/v22/lib/x.js'] }) },
      'spared',
    ],
  ])('%s', (_, more, expected) => expect(judge(sinceOf(SHARED), more)).toContain(expected));
});

describe('a run is no proof that', () => {
  test.each<[string, Partial<Observation>, string]>([
    ['is not complete', { complete: false, gaps: [{ gap: 'tracer-denied', detail: 'ptrace' }] }, 'incomplete (tracer-denied: ptrace)'],
    ['was watched by hooks', { tracer: 'hooks of Node 20.20.2' }, 'hooks in Node, which do not see every read'],
    ['failed', { exit: 1 }, 'failed'],
    ['is of another platform', { platform: { ...currentPlatform(), os: 'plan9' } }, 'different platform'],
    ['is of another version of Node', { platform: { ...currentPlatform(), node: '4' } }, 'different platform'],
    ['is of another version', { version: '99.0.0' }, 'affected 99.0.0'],
    ['is of another task', { task: 'lint' }, 'not observed'],
    ['is of one part', { part: [1, 2] }, 'one part'],
  ])('%s', (_, more, because) => expect(judge(sinceOf(SHARED), more)).toContain(because));

  test('has another run of its commit beside it that failed or read the file', () => {
    expect(judge(sinceOf(SHARED), { exit: 1 }, {})).toContain('failed');
    const platform = { ...currentPlatform(), node: '4' };
    expect(judge(sinceOf(SHARED), {}, { exit: 1, platform })).toContain('failed');
    expect(judge(sinceOf(SHARED), {}, { files: ['shared.cfg'], platform })).toContain('shared.cfg');
    expect(judge(sinceOf(SHARED), { exit: 1, commit: '0'.repeat(40) }, {})).toBe('spared');
  });

  test('is of a commit that cannot be compared, or is not the last', () => {
    expect(judge({ unknown: 'its commit is not in this clone' }, {})).toBe('its commit is not in this clone');
    expect(judge(sinceOf(SHARED), {}, { complete: false, gaps: [{ gap: 'daemon', detail: 'x' }] })).toContain('daemon');
    expect(judge(sinceOf(SHARED))).toBe('it was not observed');
  });
});

function apart(more: Partial<Observation['apart']>): Observation['apart'] {
  return { written: [], ignored: [], caches: [], tools: [], toolLists: [], outside: [], ...more };
}

test('a system that ignores case finds a new file under another name, and Linux does not', () => {
  const machine = { version: VERSION, platform: { ...currentPlatform(), os: 'darwin' } };
  const piece = { workspace: 'other', task: 'test', folder: 'packages/other', isOthersManifest: () => false };
  const judged = (os: string): boolean =>
    judgePiece(piece, [keptInMemory(observedAt(COMMIT, 'other', { absent: ['Config.json'], platform: { ...machine.platform, os } }))], {
      machine: { ...machine, platform: { ...machine.platform, os } },
      since: () => sinceOf({ 'config.json': '1' }),
    }).isSpared;
  expect([judged('linux'), judged('darwin'), judged('win32')]).toEqual([true, false, false]);
});

import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { DiscardResult } from '../result.js';
import { expectToSucceed } from './breaking.fixture.js';
import { GitWrapper } from './git-wrapper.fixture.js';
import { besideRefs, createScene, createSource, gitFolderOf, type MigrationScene, type State } from './scene.fixture.js';

// What was fetched over a network for nothing is kept for the next run, in the tool's own folder. The network is the user's own setting here:
// an address that git leads to a folder.

const cleanUp = cleanUpIn(afterEach);
const URL = 'https://example.test/pad';

let scene: MigrationScene;
let source: TempRepo;

beforeEach(() => {
  scene = createScene(cleanUp);
  source = createSource(cleanUp);
  scene.home.write('.gitconfig', `[user]\n\tname = A\n\temail = a@b\n[url "${source.path}"]\n\tinsteadOf = ${URL}\n`);
});

const home = (): string => join(gitFolderOf(scene.monorepo), 'tributary');
const kept = (): readonly string[] => (existsSync(home()) ? readdirSync(home()) : []);
const packsIn = (folder: string): readonly string[] => readdirSync(join(folder, 'objects/pack')).filter((file) => file.endsWith('.pack'));

/** A run that fails after it has fetched, for a tag is in the way: beside our own folder nothing changes. */
async function failAfterFetching(args: readonly string[] = []): Promise<string> {
  const before = besideOurs();
  scene.monorepo.tag('left-pad@1.0.0');
  const { code, stderr } = await scene.run(['left-pad', '--from', URL, ...args]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('[TAG_COLLISION]')]);
  scene.monorepo.git('tag', '-d', 'left-pad@1.0.0');
  expect(besideOurs()).toEqual(before);
  return stderr;
}

function besideOurs(): State {
  const state = scene.state();
  const gitFolder = Object.fromEntries(Object.entries(state.snapshot.gitFolder).filter(([name]) => !name.startsWith('tributary')));
  return { ...state, snapshot: { ...state.snapshot, gitFolder } };
}

/** Runs what must succeed, and leave nothing of what was kept. */
async function succeeds(args: readonly string[]): Promise<void> {
  await expectToSucceed(scene, args);
  expect([kept(), scene.state().broken]).toEqual([[], '']);
}

function keptFolder(): string {
  const [name = '', ...others] = kept();
  expect([name, others]).toEqual([expect.stringMatching(/^fetched-[0-9a-f]{16}\.git$/), []]);
  return join(home(), name);
}

test('it is said, used by the next run without being fetched again, and gone after it', async () => {
  expect(await failAfterFetching()).toContain(
    'What was fetched of left-pad is kept for the next run; "migrate-repo discard left-pad" removes it.',
  );
  const [pack = ''] = packsIn(keptFolder());
  const { ino } = statSync(join(keptFolder(), 'objects/pack', pack));
  await succeeds(['left-pad', '--from', URL]);
  // The very same file.
  expect(statSync(join(gitFolderOf(scene.monorepo), 'objects/pack', pack)).ino).toBe(ino);
  await scene.accepted(['verify', 'left-pad']);
});

test('what has come to the source since is fetched, and what is gone there is gone', async () => {
  await failAfterFetching();
  const tip = source.commit('Go on', { files: { 'new.js': '' } });
  source.git('tag', '-d', 'v1.0.0');
  source.tag('v1.0.0/rc');
  await succeeds(['left-pad', '--from', URL]);
  expect(scene.monorepo.git('log', '-1', '--format=%B', '--merges', 'migrate/left-pad')).toContain(`Tributary-Source-Commit: ${tip}`);
  expect(scene.monorepo.git('tag').split('\n')).toEqual(['left-pad@1.0.0/rc', 'left-pad@1.1.0']);
});

test('one a source, however often it fails', async () => {
  await failAfterFetching();
  source.commit('Go on', { files: { 'new.js': '' } });
  await failAfterFetching();
  await failAfterFetching(['--to', 'elsewhere/pad']);
  expect(packsIn(keptFolder())).toHaveLength(2);
});

describe('what is not sound is fetched again', () => {
  const breaks: Readonly<Record<string, (folder: string) => void>> = {
    'a pack that was cut off': (folder) => truncateSync(join(folder, 'objects/pack', packsIn(folder)[0] ?? ''), 100),
    'a pack that is missing': (folder) => {
      for (const file of readdirSync(join(folder, 'objects/pack'))) rmSync(join(folder, 'objects/pack', file), { force: true });
    },
    'a byte that was changed': (folder) => {
      const file = join(folder, 'objects/pack', packsIn(folder)[0] ?? '');
      const content = readFileSync(file);
      content[40] = (content[40] ?? 0) ^ 1;
      rmSync(file, { force: true });
      writeFileSync(file, content);
    },
    'a note that is damaged': (folder) => writeFileSync(join(folder, 'fetched.json'), '{"key":"../../x"'),
  };

  test.each(Object.keys(breaks))('%s', async (name) => {
    await failAfterFetching();
    breaks[name]?.(keptFolder());
    await succeeds(['left-pad', '--from', URL]);
  });
});

describe('a dry run', () => {
  test('keeps nothing', async () => {
    await scene.accepted(['left-pad', '--from', URL, '--dry-run']);
    expect(kept()).toEqual([]);
  });

  test('uses what was kept, and leaves it for the run that follows', async () => {
    await failAfterFetching();
    source.commit('Go on', { files: { 'new.js': '' } });
    await scene.run(['left-pad', '--from', URL, '--dry-run']);
    expect(packsIn(keptFolder())).toHaveLength(2);
    await succeeds(['left-pad', '--from', URL]);
  });
});

test('of a run that is killed after fetching it is kept by the next, which then needs not fetch', async () => {
  const wrapper = new GitWrapper(cleanUp, 'case "$args" in *ls-tree*-l*) kill -9 $PPID; exit 137;; esac');
  await scene.run(['left-pad', '--from', URL], { env: wrapper.env });
  await scene.run(['status']);
  keptFolder();
  await succeeds(['left-pad', '--from', URL]);
});

test('a folder on this machine, and a disk that is full, leave nothing', async () => {
  scene.monorepo.tag('left-pad@1.0.0');
  await scene.refused('TAG_COLLISION', ['left-pad', '--from', source.path]);
  const full = new GitWrapper(cleanUp, 'case "$args" in *ls-tree*-l*) echo "fatal: No space left on device" >&2; exit 128;; esac');
  await scene.refused('DISK_FULL', ['left-pad', '--from', URL], { env: full.env });
});

describe('discard', () => {
  test('removes what is kept of a package of which nothing else has come', async () => {
    const before = scene.state();
    await failAfterFetching();
    const shown = await scene.run(['discard', 'left-pad', '--dry-run']);
    expect(shown.stdout).toBe('Would remove what was fetched of left-pad and kept.\n');
    keptFolder();
    const { stdout } = await scene.run(['discard', 'left-pad', '--json']);
    expect(JSON.parse(stdout) as DiscardResult).toMatchObject({ branch: null, packages: ['left-pad'], tags: [], fetched: ['left-pad'] });
    expect(scene.state()).toEqual(before);
    await scene.refused('IMPORT_NOT_FOUND', ['discard', 'left-pad']);
  });

  test('removes it with the branch', async () => {
    await scene.accepted(['left-pad', '--from', source.path, '--no-tags', '--branch', 'first']);
    const before = besideRefs(scene.state());
    await failAfterFetching(['--branch', 'second']);
    await succeeds(['discard', 'left-pad']);
    expect(besideRefs({ ...scene.state(), leftovers: [] })).toEqual({ ...(before as object), leftovers: [] });
  });
});

test('what nobody has come back for in a month goes with any command', async () => {
  await failAfterFetching();
  const old = Date.now() / 1000 - 31 * 86_400;
  utimesSync(join(keptFolder(), 'fetched.json'), old, old);
  await scene.run(['status']);
  expect(kept()).toEqual([]);
});

import { readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { DiscardResult } from '../result/import-result.js';
import { GitWrapper } from './git-wrapper.fixture.js';
import { KeptFetch, packsIn, URL } from './kept-fetch.fixture.js';
import { besideRefs, type MigrationFixture } from './migration.fixture.js';

// More of the subject of kept-fetch.test.ts.

const cleanUp = cleanUpIn(afterEach);

let fetching: KeptFetch;
let fixture: MigrationFixture;
let source: TempRepo;

beforeEach(() => {
  fetching = new KeptFetch(cleanUp);
  ({ fixture, source } = fetching);
});

test('what has come to the source since is fetched, and what is gone there is gone', async () => {
  await fetching.failAfterFetching();
  const tip = source.commit('Go on', { files: { 'new.js': '' } });
  source.git('tag', '-d', 'v1.0.0');
  source.tag('v1.0.0/rc');
  await fetching.succeeds(['left-pad', '--from', URL]);
  expect(fixture.monorepo.git('log', '-1', '--format=%B', '--merges', 'migrate/left-pad')).toContain(`Tributary-Source-Commit: ${tip}`);
  expect(fixture.monorepo.git('tag').split('\n')).toEqual(['left-pad@1.0.0/rc', 'left-pad@1.1.0']);
});

test('one a source, however often it fails', async () => {
  await fetching.failAfterFetching();
  source.commit('Go on', { files: { 'new.js': '' } });
  await fetching.failAfterFetching();
  await fetching.failAfterFetching(['--to', 'elsewhere/pad']);
  expect(packsIn(fetching.keptFolder())).toHaveLength(2);
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
    await fetching.failAfterFetching();
    breaks[name]?.(fetching.keptFolder());
    await fetching.succeeds(['left-pad', '--from', URL]);
  });
});

describe('a dry run', () => {
  test('keeps nothing', async () => {
    await fixture.accepted(['left-pad', '--from', URL, '--dry-run']);
    expect(fetching.kept()).toEqual([]);
  });

  test('uses what was kept, and leaves it for the run that follows', async () => {
    await fetching.failAfterFetching();
    source.commit('Go on', { files: { 'new.js': '' } });
    await fixture.run(['left-pad', '--from', URL, '--dry-run']);
    expect(packsIn(fetching.keptFolder())).toHaveLength(2);
    await fetching.succeeds(['left-pad', '--from', URL]);
  });
});

test('of several packages is said with a command that removes that of one of them', async () => {
  const packages = { 'left-pad': { source: URL }, 'wrong-name': { source: `${URL}/.git` } };
  fixture.monorepo.commit('List', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
  fixture.monorepo.tag('left-pad@1.0.0');
  const { stderr } = await fixture.run(['--all']);
  expect(stderr).toContain(
    'The data fetched for left-pad, wrong-name is kept for the next run; "migrate-repo discard <package>" removes that of one package.',
  );
  expect((await fixture.run(['discard', 'wrong-name'])).stdout).toBe('Removed what was kept from fetching wrong-name.\n');
  fetching.keptFolder();
});

test('of a run that is killed after fetching it is kept by the next, which then needs not fetch', async () => {
  const wrapper = new GitWrapper(cleanUp, 'case "$args" in *ls-tree*-l*) kill -9 $PPID; exit 137;; esac');
  await fixture.run(['left-pad', '--from', URL], { env: wrapper.env });
  await fixture.run(['status']);
  fetching.keptFolder();
  await fetching.succeeds(['left-pad', '--from', URL]);
});

test('a folder on this machine, and a disk that is full, leave nothing', async () => {
  fixture.monorepo.tag('left-pad@1.0.0');
  await fixture.refused('TAG_COLLISION', ['left-pad', '--from', source.path]);
  const full = new GitWrapper(cleanUp, 'case "$args" in *ls-tree*-l*) echo "fatal: No space left on device" >&2; exit 128;; esac');
  await fixture.refused('DISK_FULL', ['left-pad', '--from', URL], { env: full.env });
});

describe('discard', () => {
  test('removes what is kept of a package of which nothing else has come', async () => {
    const before = fixture.state();
    await fetching.failAfterFetching();
    const shown = await fixture.run(['discard', 'left-pad', '--dry-run']);
    expect(shown.stdout).toBe('Would remove what was kept from fetching left-pad.\n');
    fetching.keptFolder();
    const { stdout } = await fixture.run(['discard', 'left-pad', '--json']);
    expect(JSON.parse(stdout) as DiscardResult).toMatchObject({ branch: null, packages: ['left-pad'], tags: [], fetched: ['left-pad'] });
    expect(fixture.state()).toEqual(before);
    await fixture.refused('IMPORT_NOT_FOUND', ['discard', 'left-pad']);
  });

  test('removes it with the branch', async () => {
    await fixture.accepted(['left-pad', '--from', source.path, '--no-tags', '--branch', 'first']);
    const before = besideRefs(fixture.state());
    await fetching.failAfterFetching(['--branch', 'second']);
    await fetching.succeeds(['discard', 'left-pad']);
    expect(besideRefs({ ...fixture.state(), leftovers: [] })).toEqual({ ...(before as object), leftovers: [] });
  });
});

test('what nobody has come back for in a month goes with any command', async () => {
  await fetching.failAfterFetching();
  const old = Date.now() / 1000 - 31 * 86_400;
  utimesSync(join(fetching.keptFolder(), 'fetched.json'), old, old);
  await fixture.run(['status']);
  expect(fetching.kept()).toEqual([]);
});

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createScene, createSource, failureOf, MigrationScene, type State } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const BRANCH = 'migrate/left-pad';

let scene: MigrationScene;
let source: TempRepo;
let before: State;
let command: string[];

beforeEach(async () => {
  scene = createScene(cleanUp);
  source = createSource(cleanUp);
  before = scene.state();
  command = ['left-pad', '--from', source.path];
  const { code, stderr } = await scene.run(command);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
});

async function statusOf(name = 'left-pad'): Promise<Record<string, unknown>> {
  const result = await scene.run(['status', '--json']);
  const { imports } = JSON.parse(result.stdout) as { imports: Record<string, unknown>[] };
  return imports.find((one) => one['name'] === name) ?? {};
}

/** Rewrites the branch's last merge commit with another message or tree, and moves the branch there. */
function tamper(change: (commit: string) => string): void {
  const tip = scene.monorepo.git('log', '-1', '--merges', '--format=%H', BRANCH);
  const content = change(`${scene.monorepo.git('cat-file', 'commit', tip)}\n`);
  scene.monorepo.git('update-ref', `refs/heads/${BRANCH}`, scene.monorepo.writeObject('commit', content));
}

describe('discard', () => {
  test('takes all of it, and migrating again gives the same history', async () => {
    const [tip, tag] = [scene.monorepo.id(`${BRANCH}~1^2`), scene.monorepo.id('left-pad@1.1.0')];
    const shown = await scene.accepted(['discard', 'left-pad', '--dry-run']);
    expect(shown.stdout).toContain('Would discard left-pad: the branch migrate/left-pad and 2 tags.');
    await scene.discarded('left-pad');
    expect(scene.state().snapshot).toEqual(before.snapshot);
    await scene.accepted(command);
    expect([scene.monorepo.id(`${BRANCH}~1^2`), scene.monorepo.id('left-pad@1.1.0')]).toEqual([tip, tag]);
  });

  test('works where the refs are packed', async () => {
    scene.monorepo.git('pack-refs', '--all');
    await scene.discarded(BRANCH);
    expect(scene.state().snapshot.refs).toEqual(before.snapshot.refs);
  });

  test('is refused for what is merged, checked out, contained elsewhere or unknown', async () => {
    await scene.refused('IMPORT_NOT_FOUND', ['discard', 'right-pad']);
    scene.monorepo.checkout(BRANCH);
    await scene.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    scene.monorepo.checkout('main');
    scene.monorepo.git('worktree', 'add', '-q', scene.home.join('tree'), BRANCH);
    await scene.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    scene.monorepo.git('worktree', 'remove', scene.home.join('tree'));
    scene.monorepo.branch('mine', BRANCH);
    await scene.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    scene.monorepo.git('branch', '-q', '-D', 'mine');
    scene.monorepo.merge(BRANCH);
    await scene.refused('IMPORT_MERGED', ['discard', 'left-pad']);
  });

  test('leaves a tag that was moved, and says so', async () => {
    scene.monorepo.git('tag', '-f', 'left-pad@1.0.0', 'main');
    const { stderr } = await scene.discarded('left-pad');
    expect(stderr).toContain('left-pad@1.0.0');
    expect(scene.monorepo.git('tag')).toBe('left-pad@1.0.0');
  });
});

describe('status', () => {
  test('counts what the source has gained', async () => {
    expect(await statusOf()).toMatchObject({ news: { state: 'none' }, branch: BRANCH });
    source.commit('One');
    source.commit('Two');
    expect(await statusOf()).toMatchObject({ news: { state: 'commits', count: 2 } });
    source.git('reset', '-q', '--hard', 'HEAD~3');
    source.commit('Another way');
    expect(await statusOf()).toMatchObject({ news: { state: 'rewritten' } });
    source.git('branch', '-m', 'main', 'trunk');
    expect(await statusOf()).toMatchObject({ news: { state: 'unknown', why: expect.stringContaining('refs/heads/main') }, askedRef: null });
    rmSync(source.path, { recursive: true });
    expect(await statusOf()).toMatchObject({ news: { state: 'unknown' } });
    expect(scene.state().leftovers).toEqual([]);
  });

  test('names the merge that brought an import, and none where the branch was moved forward', async () => {
    const merge = scene.monorepo.id(`${BRANCH}~1`);
    expect(await statusOf()).toMatchObject({ merge, mergedBy: null, branch: BRANCH });
    const start = scene.monorepo.id('main');
    scene.monorepo.merge(BRANCH);
    const mergedBy = scene.monorepo.id('main');
    scene.monorepo.commit('Afterwards');
    scene.monorepo.branch('side', 'main~1');
    scene.monorepo.merge('side', 'One that did not bring it');
    expect(await statusOf()).toMatchObject({ merge, mergedBy, branch: null });
    expect((await scene.accepted(['status'])).stdout).toContain(`packages/left-pad, merged by ${mergedBy.slice(0, 10)}`);
    scene.monorepo.git('reset', '-q', '--hard', start);
    scene.monorepo.git('merge', '-q', '--ff-only', BRANCH);
    scene.monorepo.git('branch', '-q', '-D', BRANCH);
    scene.monorepo.commit('Afterwards');
    expect(await statusOf()).toMatchObject({ merge, mergedBy: null, branch: null });
  });

  test('names a record that it cannot read', async () => {
    tamper((commit) => commit.replace('Tributary-Import: 1', 'Tributary-Import: 3'));
    const result = await scene.run(['status']);
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/import record in [0-9a-f]{40} is not readable: it has version 3/),
    });
  });
});

describe('verify', () => {
  test('proves it in every clone, and after housekeeping', async () => {
    scene.monorepo.git('gc', '-q', '--prune=now');
    expect(JSON.parse((await scene.accepted(['verify', 'left-pad', '--json', '--ref', BRANCH])).stdout)).toMatchObject({
      method: 'inverse',
      tags: { state: 'proven' },
    });
    const again = await scene.accepted(['verify', 'left-pad', '--json', '--refetch', '--ref', BRANCH]);
    expect(JSON.parse(again.stdout)).toMatchObject({ method: 'moved again' });
    scene.monorepo.merge(BRANCH);
    for (const [option, state] of [
      ['--tags', 'proven'],
      ['--no-tags', 'not in this clone'],
    ] as const) {
      const clone = new MigrationScene(cleanUp.add(TempRepo.cloneOf(scene.monorepo, option)), scene.home);
      expect(JSON.parse((await clone.accepted(['verify', 'left-pad', '--json'])).stdout)).toMatchObject({
        method: 'inverse',
        tags: { state },
      });
    }
  });

  test('finds what was tampered with', async () => {
    const original = scene.monorepo.id(BRANCH);
    const reset = (): unknown => scene.monorepo.git('update-ref', `refs/heads/${BRANCH}`, original);
    await scene.refused('IMPORT_NOT_FOUND', ['verify', 'right-pad']);

    tamper((commit) => commit.replace(/^tree .*/, `tree ${scene.monorepo.id('main^{tree}')}`));
    await scene.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
    reset();

    tamper((commit) => commit.replace(/(Tributary-Source-Commit: ).*/, `$1${'0'.repeat(40)}`));
    await scene.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
    reset();

    // The imported history with another author, and a record that claims this history.
    const tip = scene.monorepo.id(`${BRANCH}~1^2`);
    const forged = scene.monorepo.writeObject('commit', `${scene.monorepo.git('cat-file', 'commit', tip).replace('Ada Author', 'Eve')}\n`);
    tamper((commit) => commit.replaceAll(tip, forged));
    await scene.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
    await scene.refused('PROOF_FAILED', ['verify', 'left-pad', '--refetch', '--ref', BRANCH]);
    reset();

    scene.monorepo.git('tag', '-f', 'left-pad@1.0.0', tip);
    await scene.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
  });

  test('holds after the merge commit was amended and signed with other words', async () => {
    tamper((commit) => commit.replace('with its history', 'with everything'));
    await scene.accepted(['verify', 'left-pad', '--ref', BRANCH]);
  });

  test('says where the source has gone, with --refetch', async () => {
    rmSync(source.path, { recursive: true });
    await scene.refused('SOURCE_UNREACHABLE', ['verify', 'left-pad', '--refetch', '--ref', BRANCH]);
    await scene.accepted(['verify', 'left-pad', '--ref', BRANCH]);
  });
});

test('a branch name with a dash at its start is no option', async () => {
  expect(failureOf(await scene.run(['discard', '--', '-D']))).toEqual({ exit: 1, code: 'IMPORT_NOT_FOUND' });
});

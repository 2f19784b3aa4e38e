import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createMigrated, failureOf, MigrationFixture, type State } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const BRANCH = 'migrate/left-pad';

let fixture: MigrationFixture;
let source: TempRepo;
let before: State;

beforeEach(async () => {
  ({ fixture, source, before } = await createMigrated());
});

async function statusOf(name = 'left-pad'): Promise<Record<string, unknown>> {
  const result = await fixture.run(['status', '--json']);
  const { imports } = JSON.parse(result.stdout) as { imports: Record<string, unknown>[] };
  return imports.find((one) => one['name'] === name) ?? {};
}

/** Rewrites the branch's last merge commit with another message or tree, and moves the branch there. */
function tamper(change: (commit: string) => string): void {
  const tip = fixture.monorepo.git('log', '-1', '--merges', '--format=%H', BRANCH);
  const content = change(`${fixture.monorepo.git('cat-file', 'commit', tip)}\n`);
  fixture.monorepo.git('update-ref', `refs/heads/${BRANCH}`, fixture.monorepo.writeObject('commit', content));
}

describe('discard', () => {
  test('takes all of it, and migrating again gives the same history', async () => {
    const [tip, tag] = [fixture.monorepo.id(`${BRANCH}~1^2`), fixture.monorepo.id('left-pad@1.1.0')];
    const shown = await fixture.accepted(['discard', 'left-pad', '--dry-run']);
    expect(shown.stdout).toContain('Would discard left-pad: the branch migrate/left-pad and 2 tags.');
    await fixture.discarded('left-pad');
    expect(fixture.state().snapshot).toEqual(before.snapshot);
    await fixture.accepted(['left-pad', '--from', source.path]);
    expect([fixture.monorepo.id(`${BRANCH}~1^2`), fixture.monorepo.id('left-pad@1.1.0')]).toEqual([tip, tag]);
  });

  test('works where the refs are packed', async () => {
    fixture.monorepo.git('pack-refs', '--all');
    await fixture.discarded(BRANCH);
    expect(fixture.state().snapshot.refs).toEqual(before.snapshot.refs);
  });

  test('is refused for what is merged, checked out, contained elsewhere or unknown', async () => {
    await fixture.refused('IMPORT_NOT_FOUND', ['discard', 'right-pad']);
    fixture.monorepo.checkout(BRANCH);
    await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    fixture.monorepo.checkout('main');
    fixture.monorepo.git('worktree', 'add', '-q', fixture.home.join('tree'), BRANCH);
    await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    fixture.monorepo.git('worktree', 'remove', fixture.home.join('tree'));
    fixture.monorepo.branch('mine', BRANCH);
    await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad']);
    fixture.monorepo.git('branch', '-q', '-D', 'mine');
    fixture.monorepo.merge(BRANCH);
    await fixture.refused('IMPORT_MERGED', ['discard', 'left-pad']);
  });

  test('leaves a tag that was moved, and says so', async () => {
    fixture.monorepo.git('tag', '-f', 'left-pad@1.0.0', 'main');
    const { stderr } = await fixture.discarded('left-pad');
    expect(stderr).toContain('left-pad@1.0.0');
    expect(fixture.monorepo.git('tag')).toBe('left-pad@1.0.0');
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
    expect(fixture.state().leftovers).toEqual([]);
  });

  test('names the merge that brought an import, and none where the branch was moved forward', async () => {
    const merge = fixture.monorepo.id(`${BRANCH}~1`);
    expect(await statusOf()).toMatchObject({ merge, mergedBy: null, branch: BRANCH });
    const start = fixture.monorepo.id('main');
    fixture.monorepo.merge(BRANCH);
    const mergedBy = fixture.monorepo.id('main');
    fixture.monorepo.commit('Afterwards');
    fixture.monorepo.branch('side', 'main~1');
    fixture.monorepo.merge('side', 'One that did not bring it');
    expect(await statusOf()).toMatchObject({ merge, mergedBy, branch: null });
    expect((await fixture.accepted(['status'])).stdout).toContain(`packages/left-pad, merged by ${mergedBy.slice(0, 10)}`);
    fixture.monorepo.git('reset', '-q', '--hard', start);
    fixture.monorepo.git('merge', '-q', '--ff-only', BRANCH);
    fixture.monorepo.git('branch', '-q', '-D', BRANCH);
    fixture.monorepo.commit('Afterwards');
    expect(await statusOf()).toMatchObject({ merge, mergedBy: null, branch: null });
  });

  test('names a record that it cannot read', async () => {
    tamper((commit) => commit.replace('Tributary-Import: 1', 'Tributary-Import: 3'));
    const result = await fixture.run(['status']);
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/import record in [0-9a-f]{40} is not readable: it has version 3/),
    });
  });
});

describe('verify', () => {
  test('proves it in every clone, and after housekeeping', async () => {
    fixture.monorepo.git('gc', '-q', '--prune=now');
    expect(JSON.parse((await fixture.accepted(['verify', 'left-pad', '--json', '--ref', BRANCH])).stdout)).toMatchObject({
      method: 'inverse',
      tags: { state: 'proven' },
    });
    const again = await fixture.accepted(['verify', 'left-pad', '--json', '--refetch', '--ref', BRANCH]);
    expect(JSON.parse(again.stdout)).toMatchObject({ method: 'moved again' });
    fixture.monorepo.merge(BRANCH);
    for (const [option, state] of [
      ['--tags', 'proven'],
      ['--no-tags', 'not in this clone'],
    ] as const) {
      const clone = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(fixture.monorepo, option)), fixture.home);
      expect(JSON.parse((await clone.accepted(['verify', 'left-pad', '--json'])).stdout)).toMatchObject({
        method: 'inverse',
        tags: { state },
      });
    }
  });

  test('finds what was tampered with', async () => {
    const original = fixture.monorepo.id(BRANCH);
    const reset = (): unknown => fixture.monorepo.git('update-ref', `refs/heads/${BRANCH}`, original);
    await fixture.refused('IMPORT_NOT_FOUND', ['verify', 'right-pad']);

    tamper((commit) => commit.replace(/^tree .*/, `tree ${fixture.monorepo.id('main^{tree}')}`));
    await fixture.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
    reset();

    tamper((commit) => commit.replace(/(Tributary-Source-Commit: ).*/, `$1${'0'.repeat(40)}`));
    await fixture.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
    reset();

    // The imported history with another author, and a record that claims this history.
    const tip = fixture.monorepo.id(`${BRANCH}~1^2`);
    const forged = fixture.monorepo.writeObject(
      'commit',
      `${fixture.monorepo.git('cat-file', 'commit', tip).replace('Ada Author', 'Eve')}\n`,
    );
    tamper((commit) => commit.replaceAll(tip, forged));
    await fixture.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
    await fixture.refused('PROOF_FAILED', ['verify', 'left-pad', '--refetch', '--ref', BRANCH]);
    reset();

    fixture.monorepo.git('tag', '-f', 'left-pad@1.0.0', tip);
    await fixture.refused('PROOF_FAILED', ['verify', 'left-pad', '--ref', BRANCH]);
  });

  test('holds after the merge commit was amended and signed with other words', async () => {
    tamper((commit) => commit.replace('with its history', 'with everything'));
    await fixture.accepted(['verify', 'left-pad', '--ref', BRANCH]);
  });

  test('says where the source has gone, with --refetch', async () => {
    rmSync(source.path, { recursive: true });
    await fixture.refused('SOURCE_UNREACHABLE', ['verify', 'left-pad', '--refetch', '--ref', BRANCH]);
    await fixture.accepted(['verify', 'left-pad', '--ref', BRANCH]);
  });
});

test('a branch name with a dash at its start is no option', async () => {
  expect(failureOf(await fixture.run(['discard', '--', '-D']))).toEqual({ exit: 1, code: 'IMPORT_NOT_FOUND' });
});

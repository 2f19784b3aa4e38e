import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { FATES, type GitFate, GitWrapper } from './git-wrapper.fixture.js';
import {
  besideRefs,
  copyScene,
  createScene,
  createSource,
  gitFolderOf,
  type MigrationScene,
  readState,
  type State,
} from './scene.fixture.js';

/** A migration that is about to be broken. */
export interface Attempt {
  readonly scene: MigrationScene;
  readonly source: TempRepo;
  readonly before: State;
}

export function attemptMigration(cleanUp: CleanUp): Attempt {
  const scene = createScene(cleanUp);
  return { scene, source: createSource(cleanUp), before: scene.state() };
}

/** The same, on a repository of its own. */
export function copyAttempt(cleanUp: CleanUp, attempt: Attempt): Attempt {
  return { ...attempt, scene: copyScene(cleanUp, attempt.scene) };
}

/**
 * Runs a migration under a wrapper. Whatever happens, the repository is exactly as before or holds all of it; if the run was killed, that
 * holds after the next one, and the same command succeeds. Returns how the broken run ended.
 */
export async function breakMigration(attempt: Attempt, wrapper: GitWrapper): Promise<CliResult> {
  const { scene, source } = attempt;
  const command = ['left-pad', '--from', source.path];
  const result = await scene.run(command, { env: wrapper.env });
  await wrapper.orphanHasEnded();
  if (result.code === 0) {
    expectMigrated(attempt);
    return result;
  }
  expect(result.code).not.toBe(70);
  // Where git does not work any more, nothing can be taken back either: the journal stays, as after `kill -9`.
  if (result.signal === null && !existsSync(join(gitFolderOf(scene.monorepo), 'tributary'))) {
    expect(readState(scene.monorepo)).toEqual(attempt.before);
    // From the very same state the same command has succeeded in other tests.
    return result;
  }
  expectOnlyOurs(attempt);
  await expectToComplete(scene, command);
  expectMigrated(attempt);
  return result;
}

/** After `kill -9`, beside our folder nothing but refs and objects may be there. */
function expectOnlyOurs(attempt: Attempt): void {
  const strip = ({ snapshot }: State): unknown => {
    const gitFolder = Object.entries(snapshot.gitFolder).filter(([name]) => !/^(tributary|logs\/refs)\b|^refs\/.*\.lock$/.test(name));
    return { ...snapshot, refs: [], gitFolder: Object.fromEntries(gitFolder) };
  };
  expect(strip({ ...attempt.before, snapshot: attempt.scene.monorepo.snapshot() })).toEqual(strip(attempt.before));
}

/** The branch and both tags are there, and beside refs and what they reach nothing has come. */
export function expectMigrated({ scene, before }: Attempt): void {
  const now = scene.state();
  const refs = now.snapshot.refs.map((line) => line.split(' ')[2]);
  expect(refs).toEqual(['refs/heads/main', 'refs/heads/migrate/left-pad', 'refs/tags/left-pad@1.0.0', 'refs/tags/left-pad@1.1.0']);
  expect(besideRefs(now)).toEqual(besideRefs(before));
  expect(existsSync(join(gitFolderOf(scene.monorepo), 'tributary'))).toBe(false);
}

/** The next run does it all, or finds that the one before had moved its refs and brings that to its end. */
async function expectToComplete(scene: MigrationScene, command: readonly string[]): Promise<void> {
  const again = await scene.run(command);
  const isThere = again.stderr.includes('had already completed its migration') && again.stderr.includes('[TARGET_BRANCH_TAKEN]');
  expect({ code: isThere ? 0 : again.code, stderr: again.code === 0 || isThere ? '' : again.stderr }).toEqual({ code: 0, stderr: '' });
}

export async function expectToSucceed(scene: MigrationScene, command: readonly string[]): Promise<void> {
  const again = await scene.run(command);
  expect({ code: again.code, stderr: again.code === 0 ? '' : again.stderr }).toEqual({ code: 0, stderr: '' });
}

/** As `breakMigration`, for taking it back: afterwards all of the migration is there, or nothing of it. */
export async function breakDiscard(attempt: Attempt, wrapper: GitWrapper): Promise<CliResult> {
  const { scene } = attempt;
  const migrated = scene.state();
  const result = await scene.run(['discard', 'left-pad'], { env: wrapper.env });
  await wrapper.orphanHasEnded();
  expect(result.code).not.toBe(70);
  if (result.code !== 0 && result.signal === null && !existsSync(join(gitFolderOf(scene.monorepo), 'tributary'))) {
    expect(scene.state()).toEqual(migrated);
    return result;
  }
  // What an orphaned git has deleted is done.
  await scene.run(['status']);
  const isDone = scene.monorepo.git('for-each-ref', 'refs/heads/migrate').length === 0;
  if (result.code !== 0 && !isDone) await expectToSucceed(scene, ['discard', 'left-pad']);
  expect(scene.state().snapshot.refs).toEqual(attempt.before.snapshot.refs);
  return result;
}

/** Breaks a migration at a command of git, and expects the end that this fate has. */
export async function expectFate(cleanUp: CleanUp, fate: GitFate, command: string): Promise<void> {
  const result = await breakMigration(attemptMigration(cleanUp), wrapperFor(cleanUp, fate, command));
  expect({ code: result.code, signal: result.signal }).toEqual(
    {
      fail: { code: 1, signal: null },
      break: { code: 1, signal: null },
      die: { code: 1, signal: null },
      hang: { code: 130, signal: null },
    }[fate as 'fail'] ?? (fate === 'interrupt' ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' }),
  );
}

/** `break`: from the first call of the command on, nothing works. */
function wrapperFor(cleanUp: CleanUp, fate: GitFate, command: string): GitWrapper {
  if (fate !== 'break') return GitWrapper.on(cleanUp, `*"${command}"*`, FATES[fate]);
  return new GitWrapper(
    cleanUp,
    `case "$args" in *"${command}"*) touch "$log-broken";; esac; if [ -e "$log-broken" ]; then ${FATES.break}; fi`,
  );
}

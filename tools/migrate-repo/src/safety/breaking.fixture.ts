import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { FAULTS, type GitFault, GitWrapper } from './git-wrapper.fixture.js';
import {
  besideRefs,
  copyFixture,
  createFixture,
  createSource,
  gitFolderOf,
  type MigrationFixture,
  readState,
  type State,
} from './migration.fixture.js';

/** A migration that is about to be broken. */
export interface Attempt {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;
  readonly before: State;
}

export function attemptMigration(cleanUp: CleanUp): Attempt {
  const fixture = createFixture(cleanUp);
  return { fixture, source: createSource(cleanUp), before: fixture.state() };
}

/** Copies the attempt, with a repository of its own. */
export function copyAttempt(cleanUp: CleanUp, attempt: Attempt): Attempt {
  return { ...attempt, fixture: copyFixture(cleanUp, attempt.fixture) };
}

/**
 * Runs a migration under a wrapper and returns how it ended. Afterwards the repository is exactly as before or holds
 * the whole migration. If a killed run leaves it in between, the same command then completes the migration.
 */
export async function breakMigration(attempt: Attempt, wrapper: GitWrapper): Promise<CliResult> {
  const { fixture, source } = attempt;
  const command = ['left-pad', '--from', source.path];
  const result = await fixture.run(command, { env: wrapper.env });
  await wrapper.orphanHasEnded();
  // What an interruption could not stop any more is complete, and the exit code tells of the interruption.
  if (result.code === 0 || (result.code === 130 && hasBranch(fixture))) {
    expectMigrated(attempt);
    return result;
  }
  expect(result.code).not.toBe(70);
  if (result.signal === null) {
    const now = readState(fixture.monorepo);
    // If git no longer works, nothing can be rolled back either: packs without a ref stay, as after `kill -9`.
    const packs = result.stderr.includes('Undoing the earlier changes also failed') ? { packs: now.packs, leftovers: now.leftovers } : {};
    expect(now).toEqual({ ...attempt.before, ...packs });
    // Other tests show that the same command succeeds from this state.
    return result;
  }
  expectOnlyOurs(attempt);
  await expectToComplete(fixture, command);
  expectMigrated(attempt);
  return result;
}

/** Expects that after `kill -9` only refs and objects are new outside the tool's own folder. */
function expectOnlyOurs(attempt: Attempt): void {
  const strip = ({ snapshot }: State): unknown => {
    const gitFolder = Object.entries(snapshot.gitFolder).filter(([name]) => !/^(tributary|logs\/refs)\b|^refs\/.*\.lock$/.test(name));
    return { ...snapshot, refs: [], gitFolder: Object.fromEntries(gitFolder) };
  };
  expect(strip({ ...attempt.before, snapshot: attempt.fixture.monorepo.snapshot() })).toEqual(strip(attempt.before));
}

/** Expects the branch and both tags, and nothing new beside refs and what they reach. */
export function expectMigrated({ fixture, before }: Attempt): void {
  const now = fixture.state();
  const refs = now.snapshot.refs.map((line) => line.split(' ')[2]);
  expect(refs).toEqual(['refs/heads/main', 'refs/heads/migrate/left-pad', 'refs/tags/left-pad@1.0.0', 'refs/tags/left-pad@1.1.0']);
  expect(besideRefs(now)).toEqual(besideRefs(before));
  expect(existsSync(join(gitFolderOf(fixture.monorepo), 'tributary'))).toBe(false);
}

/** Expects that the next run migrates everything, or finds that the previous run had moved its refs. */
async function expectToComplete(fixture: MigrationFixture, command: readonly string[]): Promise<void> {
  const again = await fixture.run(command);
  const isThere = again.stderr.includes('[TARGET_BRANCH_TAKEN]');
  expect({ code: isThere ? 0 : again.code, stderr: again.code === 0 || isThere ? '' : again.stderr }).toEqual({ code: 0, stderr: '' });
}

export async function expectToSucceed(fixture: MigrationFixture, command: readonly string[]): Promise<void> {
  const again = await fixture.run(command);
  expect({ code: again.code, stderr: again.code === 0 ? '' : again.stderr }).toEqual({ code: 0, stderr: '' });
}

/** Breaks a discard. Afterwards either all of the migration is there or nothing of it. Returns how the broken run ended. */
export async function breakDiscard(attempt: Attempt, wrapper: GitWrapper): Promise<CliResult> {
  const { fixture } = attempt;
  const migrated = fixture.state();
  const result = await fixture.run(['discard', 'left-pad'], { env: wrapper.env });
  await wrapper.orphanHasEnded();
  expect(result.code).not.toBe(70);
  const isComplete = result.code === 0 || (result.code === 130 && !hasBranch(fixture));
  if (!isComplete && result.signal === null && !existsSync(join(gitFolderOf(fixture.monorepo), 'tributary'))) {
    expect(fixture.state()).toEqual(migrated);
    return result;
  }
  // An orphaned git may have completed the deletion.
  await fixture.run(['status']);
  if (result.code !== 0 && hasBranch(fixture)) await expectToSucceed(fixture, ['discard', 'left-pad']);
  expect(fixture.state().snapshot.refs).toEqual(attempt.before.snapshot.refs);
  return result;
}

function hasBranch({ monorepo }: MigrationFixture): boolean {
  return monorepo.git('for-each-ref', 'refs/heads/migrate').length > 0;
}

/** Breaks a migration at a git command, and expects the end that belongs to this fault. */
export async function expectFault(cleanUp: CleanUp, fault: GitFault, command: string): Promise<void> {
  const result = await breakMigration(attemptMigration(cleanUp), wrapperFor(cleanUp, fault, command));
  expect({ code: result.code, signal: result.signal }).toEqual(
    {
      fail: { code: 1, signal: null },
      break: { code: 1, signal: null },
      die: { code: 1, signal: null },
      hang: { code: 130, signal: null },
    }[fault as 'fail'] ?? (fault === 'interrupt' ? { code: 130, signal: null } : { code: null, signal: 'SIGKILL' }),
  );
}

/** Returns a wrapper that hits this command. With `break`, git fails from the first call of the command on. */
function wrapperFor(cleanUp: CleanUp, fault: GitFault, command: string): GitWrapper {
  if (fault !== 'break') return GitWrapper.on(cleanUp, `*"${command}"*`, FAULTS[fault]);
  return new GitWrapper(
    cleanUp,
    `case "$args" in *"${command}"*) touch "$log-broken";; esac; if [ -e "$log-broken" ]; then ${FAULTS.break}; fi`,
  );
}

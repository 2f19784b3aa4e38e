import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Attempt, expectMigrated, expectToSucceed } from './breaking.fixture.js';
import { createMigrated, failureOf, gitFolderOf, type MigrationFixture } from './migration.fixture.js';

const REFS = ['refs/tags/left-pad@1.0.0', 'refs/tags/left-pad@1.1.0', 'refs/heads/migrate/left-pad'];

let attempt: Attempt;
let fixture: MigrationFixture;
let command: string[];

beforeEach(async () => {
  attempt = await createMigrated();
  fixture = attempt.fixture;
  command = ['left-pad', '--from', attempt.source.path];
});

/** Turns a finished migration into what a run killed during its hand-over leaves: its folder, packs, and some of the refs. */
function killedWith(refs: readonly string[]): void {
  for (const ref of REFS.filter((one) => !refs.includes(one))) fixture.monorepo.git('update-ref', '-d', ref);
  writeRun();
}

function writeRun(): void {
  mkdirSync(join(gitFolderOf(fixture.monorepo), 'tributary', 'run-0123456789ab', '0.git', 'objects', 'pack'), { recursive: true });
}

function lock(ref: string): string {
  const file = join(gitFolderOf(fixture.monorepo), `${ref}.lock`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  return file;
}

describe('after a killed migration the same command succeeds', () => {
  test.each([
    ['packs, and no refs', []],
    ['packs, and a tag', REFS.slice(0, 1)],
    ['packs, and the tags', REFS.slice(0, 2)],
  ])('%s', async (_title, made) => {
    killedWith(made);
    await expectToSucceed(fixture, command);
    expectMigrated(attempt);
  });

  test('or says that the branch is there', async () => {
    killedWith(REFS);
    expect(failureOf(await fixture.run(command))).toEqual({ exit: 1, code: 'TARGET_BRANCH_TAKEN' });
    expectMigrated(attempt);
  });
});

test('any command removes the folder of a killed run, and no ref', async () => {
  killedWith(REFS);
  fixture.monorepo.checkout('migrate/left-pad');
  const before = fixture.monorepo.snapshot();
  await fixture.run(['status']);
  expect(fixture.monorepo.snapshot()).toMatchObject({ head: before.head, refs: before.refs, worktree: before.worktree });
  expect(existsSync(join(gitFolderOf(fixture.monorepo), 'tributary'))).toBe(false);
});

test('a discard that was killed is completed by the next', async () => {
  for (const ref of REFS.slice(0, 2)) fixture.monorepo.git('update-ref', '-d', ref);
  writeRun();
  await expectToSucceed(fixture, ['discard', 'left-pad']);
  expect(fixture.state().snapshot).toEqual(attempt.before.snapshot);
});

describe('locks of others', () => {
  test.each(['refs/heads/migrate/left-pad', 'refs/tags/left-pad@1.1.0'])('of %s: refused, and the lock stays', async (ref) => {
    await fixture.discarded('left-pad');
    const file = lock(ref);
    const { stderr } = await fixture.refused('REFS_NOT_MOVED', command);
    expect(stderr).toContain(file);
    expect(existsSync(file)).toBe(true);
  });

  test('a discard is refused too', async () => {
    lock('refs/tags/left-pad@1.1.0');
    await fixture.refused('REFS_NOT_MOVED', ['discard', 'left-pad']);
  });
});

import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type Attempt, attemptMigration, expectMigrated, expectToSucceed } from './breaking.fixture.js';
import { FATES, GitWrapper } from './git-wrapper.fixture.js';
import { failureOf, gitFolderOf, type MigrationScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const REFS = ['refs/tags/left-pad@1.0.0', 'refs/tags/left-pad@1.1.0', 'refs/heads/migrate/left-pad'];

let attempt: Attempt;
let scene: MigrationScene;
let command: string[];

beforeEach(() => {
  attempt = attemptMigration(cleanUp);
  scene = attempt.scene;
  command = ['left-pad', '--from', attempt.source.path];
});

/** Turns a finished migration into what a run killed during its hand-over leaves: some of the refs, and the journal. */
async function killedWith(refs: readonly string[]): Promise<{ packs: string[]; runFolder: string }> {
  await scene.accepted(command);
  const values = REFS.map((ref) => ({ ref, value: scene.monorepo.id(ref) }));
  const packs = readdirSync(packFolder()).flatMap((file) => (file.endsWith('.idx') ? [file.replace(/\.idx$/, '')] : []));
  for (const ref of REFS.filter((one) => !refs.includes(one))) scene.monorepo.git('update-ref', '-d', ref);
  return { packs, runFolder: writeRun('create', values, packs) };
}

function writeRun(kind: string, refs: readonly unknown[], packs: readonly string[]): string {
  const runFolder = join(gitFolderOf(scene.monorepo), 'tributary', 'run-0123456789ab');
  mkdirSync(join(runFolder, '0.git', 'objects', 'pack'), { recursive: true });
  writeFileSync(join(runFolder, 'journal.json'), JSON.stringify({ kind, refs, packs }));
  return runFolder;
}

function packFolder(): string {
  return join(gitFolderOf(scene.monorepo), 'objects', 'pack');
}

function lock(ref: string): string {
  const file = join(gitFolderOf(scene.monorepo), `${ref}.lock`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  return file;
}

describe('what a killed migration has left before its first ref was made is taken back by the next run, which then succeeds', () => {
  test('packs, and no refs', async () => {
    await killedWith([]);
    await expectToSucceed(scene, command);
    expectMigrated(attempt);
  });

  test('half of the packs, one of them without its index, and the locks of the refs', async () => {
    const { packs, runFolder } = await killedWith([]);
    const move = (file: string): void => renameSync(join(packFolder(), file), join(runFolder, '0.git', 'objects', 'pack', file));
    for (const file of readdirSync(packFolder()).filter((name) => name.startsWith(packs[0] ?? '?') && !name.endsWith('.pack'))) move(file);
    for (const file of readdirSync(packFolder()).filter((name) => name.startsWith(packs[1] ?? '?'))) move(file);
    for (const ref of REFS) lock(ref);
    await expectToSucceed(scene, command);
    expectMigrated(attempt);
  });

  test('any command does it, and after it nothing is left', async () => {
    await killedWith([]);
    await scene.run(['status']);
    expect(scene.state()).toEqual(attempt.before);
  });

  test('a folder without a journal, or with half of one', async () => {
    const runFolder = writeRun('create', [], []);
    writeFileSync(join(runFolder, 'journal.json'), '{"kind":"create","refs":[{"ref":"refs/heads/main"');
    await scene.refused('SOURCE_UNREACHABLE', ['left-pad', '--from', './nothing'], {}).catch(() => {});
    expect(scene.state()).toEqual(attempt.before);
  });

  test('a journal cannot be made to delete other files', async () => {
    const precious = scene.monorepo.path.concat('/precious.lock');
    writeFileSync(precious, '');
    writeRun('create', [{ ref: '../precious', value: scene.monorepo.id('HEAD') }], ['../../../precious']);
    await scene.run(['status']);
    expect(existsSync(precious)).toBe(true);
  });
});

describe('what a killed migration has left after its first ref was made is brought to its end', () => {
  test.each([
    ['one tag of two, and the locks of the other refs', REFS.slice(0, 1)],
    ['the tags, and the lock of the branch', REFS.slice(0, 2)],
    ['all refs', REFS],
  ])('%s', async (_title, made) => {
    await killedWith(made);
    for (const ref of REFS.filter((one) => !made.includes(one))) lock(ref);
    await scene.run(['status']);
    expectMigrated(attempt);
    await scene.accepted(['verify', 'left-pad', '--ref', 'migrate/left-pad']);
  });

  test('the same command then says that the branch is there', async () => {
    await killedWith(REFS);
    expect(failureOf(await scene.run(command))).toEqual({ exit: 1, code: 'TARGET_BRANCH_TAKEN' });
    expectMigrated(attempt);
  });

  test('some refs without a lock of the others: somebody has deleted those, so the rest stays, and a new run completes it', async () => {
    await killedWith(REFS.slice(0, 1));
    await scene.run(['status']);
    expect(scene.monorepo.git('tag')).toBe('left-pad@1.0.0');
    await expectToSucceed(scene, command);
    expectMigrated(attempt);
  });
});

test('a branch of a killed run that somebody has checked out stays', async () => {
  await killedWith(REFS);
  scene.monorepo.checkout('migrate/left-pad');
  const checkedOut = scene.monorepo.snapshot();
  await scene.run(['status']);
  expect(scene.monorepo.snapshot()).toMatchObject({ head: checkedOut.head, refs: checkedOut.refs, worktree: checkedOut.worktree });
  expect(existsSync(join(gitFolderOf(scene.monorepo), 'tributary'))).toBe(false);
});

test('packs of a killed run stay if somebody has built upon them', async () => {
  await killedWith(REFS);
  scene.monorepo.branch('mine', 'migrate/left-pad');
  await scene.run(['status']);
  expect(scene.monorepo.git('rev-list', '--count', 'mine')).toBe('7');
  expect(scene.state().broken).toBe('');
});

describe('a discard that is broken', () => {
  test('a killed one is taken back by the next, which then takes everything', async () => {
    await scene.accepted(command);
    const values = REFS.map((ref) => ({ ref, value: scene.monorepo.id(ref) }));
    scene.monorepo.git('update-ref', '-d', REFS[0] ?? '');
    writeRun('delete', values, []);
    for (const ref of REFS) lock(ref);
    writeFileSync(join(gitFolderOf(scene.monorepo), 'packed-refs.lock'), '');
    const result = await scene.run(['discard', 'left-pad']);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(scene.state().snapshot).toEqual(attempt.before.snapshot);
  });

  test('one that had deleted everything is done', async () => {
    await scene.accepted(command);
    const values = REFS.map((ref) => ({ ref, value: scene.monorepo.id(ref) }));
    for (const ref of REFS) scene.monorepo.git('update-ref', '-d', ref);
    writeRun('delete', values, []);
    await scene.run(['status']);
    expect(scene.monorepo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  test('refs that somebody has made in the meantime are not touched', async () => {
    await scene.accepted(command);
    const values = REFS.map((ref) => ({ ref, value: scene.monorepo.id(ref) }));
    for (const ref of REFS.filter((one) => one !== 'refs/tags/left-pad@1.1.0')) scene.monorepo.git('update-ref', '-d', ref);
    scene.monorepo.tag('left-pad@1.0.0');
    scene.monorepo.branch('migrate/left-pad/mine');
    writeRun('delete', values, []);
    await scene.run(['status']);
    expect(scene.state().snapshot.refs.map((line) => line.split(' ')[2])).toEqual([
      'refs/heads/main',
      'refs/heads/migrate/left-pad/mine',
      'refs/tags/left-pad@1.0.0',
      'refs/tags/left-pad@1.1.0',
    ]);
  });

  test('git killed in the middle of it: everything is there again at once', async () => {
    await scene.accepted(command);
    const migrated = scene.state();
    const locks = REFS.map((ref) => `: > ${gitFolderOf(scene.monorepo)}/${ref}.lock`).join(';');
    const wrapper = GitWrapper.on(cleanUp, '*"update-ref -m migrate-repo --stdin"*', `${locks}; ${FATES.die}`);
    const result = await scene.run(['discard', 'left-pad'], { env: wrapper.env });
    expect(failureOf(result)).toEqual({ exit: 1, code: 'REFS_NOT_MOVED' });
    expect(scene.state()).toEqual(migrated);
    await expectToSucceed(scene, ['discard', 'left-pad']);
  });
});

describe('locks of others', () => {
  test.each(['refs/heads/migrate/left-pad', 'refs/tags/left-pad@1.1.0'])('of %s: refused, and the lock stays', async (ref) => {
    const file = lock(ref);
    const { stderr } = await scene.refused('REFS_NOT_MOVED', command);
    expect(stderr).toContain(file);
    expect(existsSync(file)).toBe(true);
  });

  test('a discard is refused too', async () => {
    await scene.accepted(command);
    lock('refs/tags/left-pad@1.1.0');
    await scene.refused('REFS_NOT_MOVED', ['discard', 'left-pad']);
  });
});

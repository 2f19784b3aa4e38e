import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess, startCli } from '@tributary/test-repo/run-cli';
import { GitWrapper } from './git-wrapper.fixture.js';
import { createFixture, createSource, failureOf, gitFolderOf, type MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;
let command: string[];

beforeEach(() => {
  fixture = createFixture(cleanUp);
  command = ['left-pad', '--from', createSource(cleanUp).path];
});

function writeLock(text: string, name = 'lock'): void {
  const folder = join(gitFolderOf(fixture.monorepo), 'tributary');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function deadProcess(): Promise<number> {
  const { stdout } = await runProcess('sh', ['-c', 'echo $$'], { cwd: '/' });
  return Number(stdout);
}

test('of two runs at once one wins, the other says that it is locked out, and what it left is nothing', async () => {
  const slow = GitWrapper.on(cleanUp, '*" fetch "*', 'sleep 2');
  const first = cleanUp.add(
    startCli('migrate-repo', command, { cwd: fixture.monorepo.path, env: { HOME: fixture.home.path, ...slow.env } }),
  );
  while (!slow.calls().some((call) => call.includes(' fetch '))) await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await fixture.run(command);
  expect(failureOf(second)).toEqual({ exit: 1, code: 'TARGET_LOCKED' });
  expect(second.stderr).toContain(`process ${first.child.pid}`);
  expect(failureOf(await fixture.run(['status']))).toEqual({ exit: 1, code: 'TARGET_LOCKED' });
  expect(await first.finished).toMatchObject({ code: 0 });
  expect(existsSync(join(gitFolderOf(fixture.monorepo), 'tributary'))).toBe(false);
});

test('the lock of a process that has ended is taken over, and so is what it was about to write', async () => {
  const lock = JSON.stringify({ pid: await deadProcess(), host: hostname(), born: '1' });
  writeLock(lock);
  writeLock(lock, 'lock-4194303');
  writeLock('', 'lock-4194302');
  await fixture.run(['status']);
  expect(existsSync(join(gitFolderOf(fixture.monorepo), 'tributary'))).toBe(false);
});

test('so is that of a process whose number another one has now', async () => {
  writeLock(JSON.stringify({ pid: process.pid, host: hostname(), born: '1' }));
  const { code } = await fixture.run(command);
  expect(code).toBe(0);
});

test.each([
  JSON.stringify({ pid: 1, host: 'another-machine', born: '1' }),
  JSON.stringify({ pid: process.pid, host: hostname(), born: '' }),
  '',
  '{"pid":',
  'null',
  '{}',
  '{"pid":"x","host":1}',
])('the lock %j is not taken over, and the hint names the file', async (text) => {
  writeLock(text);
  const { stderr } = await fixture.refused('TARGET_LOCKED', command);
  expect(stderr).toContain(join(gitFolderOf(fixture.monorepo), 'tributary', 'lock'));
});

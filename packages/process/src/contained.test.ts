import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type ContainedCall, type ContainedResult, endProcessesWith, runContained } from './contained.js';

const cleanUp = cleanUpIn(afterEach);

function runIn(folder: TempFolder, script: string, more: Partial<ContainedCall> = {}): Promise<ContainedResult> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const call = { program: process.execPath, args: ['-e', script], env, cwd: folder.path, log: folder.join('log') };
  return runContained({ ...call, timeoutMs: 60_000, signal: undefined, ...more });
}

const folderOf = (): TempFolder => cleanUp.add(new TempFolder());

/** Writes its process id, ignores SIGTERM and keeps running. */
const STAYS = `process.on('SIGTERM', () => {}); require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`;

function isAlive(pid: number): boolean {
  // A zombie, which its new parent has not waited for, counts as ended.
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

async function pidIn(folder: TempFolder): Promise<number> {
  while (!existsSync(folder.join('pid')) || readFileSync(folder.join('pid'), 'utf8') === '') await wait(20);
  return Number(readFileSync(folder.join('pid'), 'utf8'));
}

describe('a contained program', () => {
  test('ends well or badly, and both of its streams are in the log', async () => {
    const folder = folderOf();
    expect(await runIn(folder, 'console.log(1); console.error(2)')).toMatchObject({ ended: 'well', leftBehind: 0 });
    const bad = await runIn(folder, 'console.error("no"); process.exitCode = 3');
    expect(bad).toMatchObject({ ended: 'badly', output: 'no\n', leftBehind: 0, notEnded: 0 });
    expect(readFileSync(folder.join('log'), 'utf8')).toBe('no\n');
  });

  test('that hangs and ignores being told to end is ended, with its children', async () => {
    const folder = folderOf();
    const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STAYS)}]); setInterval(() => {}, 1000);`;
    // On a busy machine the child may not have started when the first limit is over.
    for (let timeoutMs = 1500; !existsSync(folder.join('pid')) && timeoutMs < 60_000; timeoutMs *= 3)
      expect(await runIn(folder, parent, { timeoutMs })).toMatchObject({ ended: 'too late' });
    expect(isAlive(await pidIn(folder))).toBe(false);
  });

  test('leaves no daemon behind, though that has left its process group and holds its output open', async () => {
    const folder = folderOf();
    const daemon = `const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STAYS)}], { detached: true, stdio: 'inherit' });
      child.unref(); const wait = setInterval(() => { if (require('fs').existsSync('pid')) clearInterval(wait); }, 20);`;
    const { ended, leftBehind } = await runIn(folder, daemon);
    const pid = await pidIn(folder);
    const linux = process.platform === 'linux';
    expect({ ended, leftBehind }).toEqual({ ended: 'well', leftBehind: linux ? 1 : 0 });
    if (linux) expect(isAlive(pid)).toBe(false);
    else process.kill(pid, 'SIGKILL');
  });

  test('leaves no daemon behind either that has forked twice, in a session of its own and without any variable', async () => {
    if (!existsSync('/usr/bin/prlimit')) return;
    const folder = folderOf();
    const daemon = `(setsid env -i "$NODE" -e "$STAYS" </dev/null >/dev/null 2>&1 &) & until [ -s pid ]; do sleep 0.05; done`;
    const env = { PATH: process.env['PATH'] ?? '', NODE: process.execPath, STAYS };
    const call = { program: 'sh', args: ['-c', daemon], env, mark: 'TRIBUTARY_TESTS=x' };
    expect(await runIn(folder, '', call)).toMatchObject({ ended: 'well', leftBehind: 1, notEnded: 0, isMarked: true });
    expect(isAlive(await pidIn(folder))).toBe(false);
  });

  test('says so where it could not be marked, because there is no prlimit', async () => {
    expect(await runIn(folderOf(), '', { env: { PATH: '/nowhere' } })).toMatchObject({ ended: 'well', isMarked: false });
  });

  test('that never stops writing is stopped, and the log keeps beginning and end', async () => {
    const folder = folderOf();
    const script = `process.stdout.write('first\\n'); const write = () => process.stdout.write('x'.repeat(65536), write); write();`;
    const { ended, output } = await runIn(folder, script, { outputLimit: 32 * 1024 * 1024 });
    expect(ended).toBe('too much output');
    expect(output.startsWith('first\n')).toBe(true);
    expect(output).toMatch(/\n\[\d+ bytes are left out here\]\n/);
    expect(statSync(folder.join('log')).size).toBeLessThan(9 * 1024 * 1024);
  });

  test('leaves no daemon behind either where the disk is full', async () => {
    if (!existsSync('/dev/full')) return;
    const folder = folderOf();
    const daemon = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STAYS)}], { detached: true, stdio: 'ignore' }).unref();
      const wait = setInterval(() => { if (require('fs').existsSync('pid')) { clearInterval(wait); console.log(1); } }, 20);`;
    await expect(runIn(folder, daemon, { log: '/dev/full' })).rejects.toMatchObject({ code: 'DISK_FULL' });
    const pid = await pidIn(folder);
    expect(isAlive(pid)).toBe(false);
  });

  test('ends when the person interrupts', async () => {
    const folder = folderOf();
    const controller = new AbortController();
    const running = runIn(folder, STAYS, { signal: controller.signal });
    const failed = expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' });
    const pid = await pidIn(folder);
    controller.abort();
    await failed;
    expect(isAlive(pid)).toBe(false);
  });

  test('of a run that was killed is found again by its mark, and ended', async () => {
    const folder = folderOf();
    const running = runIn(folder, STAYS, { mark: `TRIBUTARY_TESTS=${folder.path}` });
    const pid = await pidIn(folder);
    expect(await endProcessesWith(`TRIBUTARY_TESTS=${folder.path}x`)).toBe(0);
    const linux = process.platform === 'linux';
    expect(await endProcessesWith(`TRIBUTARY_TESTS=${folder.path}`)).toBe(linux ? 1 : 0);
    if (!linux) process.kill(pid, 'SIGKILL');
    expect(await running).toMatchObject({ ended: 'badly' });
    expect(isAlive(pid)).toBe(false);
  });

  test('that is not there is a failure', async () => {
    await expect(runIn(folderOf(), '', { program: '/no/such/program' })).rejects.toMatchObject({ code: 'PROGRAM_MISSING' });
  });
});

import { getEventListeners } from 'node:events';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Environment } from './environment.js';
import { endsSoon, env, failureOf, shell } from './spawn.fixture.js';
import { runVisibly } from './spawn.js';

const cleanUp = cleanUpIn(afterEach);

function folder(): TempFolder {
  return cleanUp.add(new TempFolder());
}

describe('a program that talks to the person itself', () => {
  test.each([0, 1, 3, 255])('ends with exit code %d', async (code) => expect(await runVisibly(shell(`exit ${code}`))).toBe(code));

  test('has no exit code if a signal ends it', async () => expect(await runVisibly(shell('kill -9 $$'))).toBeNull());

  test('has the streams of this process, its folder and its environment', async () => {
    // Only Linux shows where a stream leads.
    if (!existsSync('/proc/self/fd')) return;
    const here = folder();
    const own: Environment = { PATH: env['PATH'] ?? '', ONE: '1' };
    const script = 'one=$(readlink /proc/$$/fd/0) two=$(readlink /proc/$$/fd/1) three=$(readlink /proc/$$/fd/2)';
    await runVisibly(shell(`${script}; printf '%s\\n' "$one" "$two" "$three" "$(pwd)" >told; env >env`, { cwd: here.path, env: own }));
    const streams = [0, 1, 2].map((at) => readlinkSync(`/proc/self/fd/${at}`));
    expect(readFileSync(here.join('told'), 'utf8').trimEnd().split('\n')).toEqual([...streams, here.path]);
    expect(readFileSync(here.join('env'), 'utf8')).toContain('ONE=1\n');
    expect(readFileSync(here.join('env'), 'utf8')).not.toContain('HOME=');
  });

  test('may be missing, or its folder', async () => {
    expect(await failureOf(runVisibly({ program: 'no-such-program', args: [], env }))).toMatchObject({ code: 'PROGRAM_MISSING' });
    expect(await failureOf(runVisibly(shell('true', { cwd: folder().join('gone') })))).toMatchObject({ code: 'PROGRAM_FAILED' });
    expect(await failureOf(runVisibly(shell('true', { args: ['\0'] })))).toMatchObject({ code: 'PROGRAM_MISSING' });
  });

  test('is stopped by a signal of ours, while it runs and before it has begun, also if it does not listen', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const file = folder().join('pid');
    const running = failureOf(runVisibly(shell(`trap "" TERM; echo $$ >${file}; while :; do sleep 0.05; done`, { signal })));
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    expect(await running).toMatchObject({ code: 'INTERRUPTED' });
    expect(await endsSoon(file)).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    const trace = folder().join('ran');
    expect(await failureOf(runVisibly(shell(`touch ${trace}`, { signal })))).toMatchObject({ code: 'INTERRUPTED' });
    expect(existsSync(trace)).toBe(false);
  });
});

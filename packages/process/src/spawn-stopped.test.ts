import { getEventListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { endsSoon, failureOf, shell } from './spawn.fixture.js';
import { callProgram, startProgram } from './spawn.js';

const cleanUp = cleanUpIn(afterEach);

function folder(): TempFolder {
  return cleanUp.add(new TempFolder());
}

describe('a program that is stopped', () => {
  test('by its time-out', async () => {
    const error = await failureOf(callProgram(shell('exec sleep 30', { timeoutMs: 60 })));
    expect(error).toMatchObject({
      code: 'PROGRAM_TIMEOUT',
      message: 'sh did not end within 60 ms.',
      data: { command: 'sh -c exec sleep 30' },
    });
  });

  test('not by a time-out that it keeps', async () => {
    expect((await callProgram(shell('echo x', { timeoutMs: 20_000 }))).exit).toBe(0);
  });

  test('by a signal of ours, while it runs and before it has begun', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    setTimeout(() => controller.abort(), 60);
    expect(await failureOf(callProgram(shell('exec sleep 30', { signal })))).toMatchObject({ code: 'INTERRUPTED' });
    const trace = folder().join('ran');
    expect(await failureOf(callProgram(shell(`touch ${trace}`, { signal })))).toMatchObject({ code: 'INTERRUPTED' });
    expect(existsSync(trace)).toBe(false);
  });

  test('has ended when the failure is told', async () => {
    const file = folder().join('pid');
    const controller = new AbortController();
    const call = { signal: controller.signal, onStderr: () => controller.abort() };
    await failureOf(callProgram(shell(`echo $$ >${file}; echo started >&2; exec sleep 30`, call)));
    expect(await endsSoon(file)).toBe(true);
  });

  test('although it does not listen, and although one that it started holds its output open', async () => {
    const streamed = startProgram(shell('sleep 5 & wait', { timeoutMs: 100 }));
    const failures = await Promise.all([
      failureOf(callProgram(shell('trap "" TERM; while :; do sleep 0.05; done', { timeoutMs: 100 }))),
      failureOf(callProgram(shell('sleep 5 & wait', { timeoutMs: 100 }))),
      failureOf(streamed.stdout.toArray()),
      failureOf(streamed.done()),
    ]);
    expect(failures.map((error) => error.code)).toEqual(Array(4).fill('PROGRAM_TIMEOUT'));
  });

  test('while its streams are used: they end, and the failure comes out of done', async () => {
    const controller = new AbortController();
    const running = startProgram(shell('echo started; exec sleep 30', { signal: controller.signal }));
    const heard: string[] = [];
    for await (const chunk of running.stdout) {
      heard.push(String(chunk));
      controller.abort();
    }
    expect(heard).toEqual(['started\n']);
    expect(await failureOf(running.done())).toMatchObject({ code: 'INTERRUPTED' });
  });

  test('leaves no listener on the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const running = callProgram(shell('true', { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await running;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

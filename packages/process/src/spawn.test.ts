import { getEventListeners } from 'node:events';
import { appendFileSync, existsSync, readFileSync, readlinkSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { isToolError, type ToolError } from '@tributary/model/errors';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { closedEnvironment, type Environment } from './environment.js';
import { callProgram, diskFull, type ProgramCall, runProgram, runVisibly, startProgram, writeAll } from './spawn.js';

const cleanUp = cleanUpIn(afterEach);
const env = closedEnvironment(process.env);
const MEGABYTE = 1024 * 1024;

function shell(script: string, call: Partial<ProgramCall> = {}): ProgramCall {
  return { program: 'sh', args: ['-c', script], env, ...call };
}

async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(outcome)) throw new Error(`this was no ToolError: ${outcome}`);
  return outcome;
}

function folder(): TempFolder {
  return cleanUp.add(new TempFolder());
}

/** Waits until a program has told its process id, and whether it is gone soon. */
async function endsSoon(file: string): Promise<boolean> {
  const pid = Number(readFileSync(file, 'utf8'));
  for (let tries = 0; tries < 100; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

describe('the end of a program', () => {
  test.each([0, 1, 2, 127, 255])('with exit code %d is an answer to callProgram', async (code) => {
    const result = await callProgram(shell(`printf out; printf err >&2; exit ${code}`));
    expect(result).toEqual({ exit: code, stdout: Buffer.from('out'), stderr: 'err' });
  });

  test('by a signal has no exit code', async () => {
    expect(await callProgram(shell('kill -9 $$'))).toMatchObject({ exit: null });
    expect((await failureOf(runProgram(shell('kill -9 $$')))).message).toBe('sh ended with a signal');
  });

  test('with another exit code than 0 is a failure of runProgram that carries what was said', async () => {
    const error = await failureOf(runProgram(shell('echo "  it broke " >&2; exit 3')));
    expect(error).toMatchObject({
      code: 'PROGRAM_FAILED',
      message: 'sh ended with exit code 3: it broke',
      data: { command: 'sh -c echo "  it broke " >&2; exit 3', exit: 3, stderr: '  it broke \n' },
    });
    expect((await failureOf(runProgram(shell('exit 3')))).message).toBe('sh ended with exit code 3');
  });

  test.each(['fatal: write error: No space left on device', 'error: Disk quota exceeded'])('with "%s" is a full disk', async (said) => {
    const error = await failureOf(runProgram(shell(`echo "${said}" >&2; exit 128`)));
    expect(error).toMatchObject({ code: 'DISK_FULL', cause: `${said}\n` });
    const running = startProgram(shell(`echo "${said}" >&2; exit 128`));
    running.stdout.resume();
    expect(await failureOf(running.done())).toMatchObject({ code: 'DISK_FULL' });
    expect(diskFull(said)).toMatchObject({ code: 'DISK_FULL', cause: said });
  });

  test('that talks of a full disk and succeeds is none', async () => {
    expect((await runProgram(shell('echo "No space left on device" >&2'))).toString()).toBe('');
  });

  test('a disk that is really full is recognised', async () => {
    // Linux has a device for this.
    if (!existsSync('/dev/full')) return;
    expect(await failureOf(runProgram(shell('cat >/dev/full', { input: 'x' })))).toMatchObject({ code: 'DISK_FULL' });
  });
});

describe('what is handed over', () => {
  test('arguments arrive as they are: no shell reads them', async () => {
    const args = ['a b', '', '*', '$HOME', '"', "'", '`id`', ';', '-x', 'ü', '\n', '\\'];
    const output = await runProgram({
      program: process.execPath,
      args: ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args],
      env,
    });
    expect(JSON.parse(output.toString())).toEqual(args);
  });

  test('nothing is inherited but what the environment lists', async () => {
    process.env['TRIBUTARY_SECRET'] = 'x';
    cleanUp.defer(() => delete process.env['TRIBUTARY_SECRET']);
    const own: Environment = { PATH: env['PATH'] ?? '', ONE: '1', EMPTY: '' };
    const output = await runProgram({ program: 'env', args: [], env: own });
    expect(output.toString().trimEnd().split('\n').sort()).toEqual(['EMPTY=', 'ONE=1', `PATH=${own['PATH']}`]);
  });

  test('the program is sought in the PATH of its own environment', async () => {
    const bin = folder();
    bin.write('own-program', '#!/bin/sh\necho found\n');
    await runProgram(shell('chmod +x own-program', { cwd: bin.path }));
    expect((await runProgram({ program: 'own-program', args: [], env: { PATH: bin.path } })).toString()).toBe('found\n');
    expect(await failureOf(runProgram({ program: 'own-program', args: [], env }))).toMatchObject({ code: 'PROGRAM_MISSING' });
  });

  test('it runs in its folder', async () => {
    const here = folder();
    expect((await runProgram(shell('pwd', { cwd: here.path }))).toString()).toBe(`${here.path}\n`);
  });

  test('input arrives to the last byte, and without one it is at its end at once', async () => {
    const bytes = Buffer.from(Array.from({ length: 3 * MEGABYTE }, (_, at) => (at * 31 + (at >> 8)) & 255));
    expect((await runProgram({ program: 'cat', args: [], env, input: bytes })).equals(bytes)).toBe(true);
    expect((await runProgram({ program: 'cat', args: [], env, input: 'ü' })).toString()).toBe('ü');
    expect((await runProgram({ program: 'cat', args: [], env })).toString()).toBe('');
  });

  test('a program that does not read its input is judged by its exit code', async () => {
    const input = Buffer.alloc(4 * MEGABYTE);
    expect((await runProgram(shell('exec <&-; echo done', { input }))).toString()).toBe('done\n');
    expect(await failureOf(runProgram(shell('exit 4', { input })))).toMatchObject({ code: 'PROGRAM_FAILED', data: { exit: 4 } });
  });
});

describe('what comes back', () => {
  test('a large output comes whole, also when stderr is large too', async () => {
    const result = await callProgram(shell(`head -c ${20 * MEGABYTE} /dev/zero; head -c ${2 * MEGABYTE} /dev/zero >&2`));
    expect([result.exit, result.stdout.length]).toEqual([0, 20 * MEGABYTE]);
  });

  test('stdout is bytes, and stderr is text', async () => {
    const result = await callProgram(shell("printf '\\377\\000'; printf '\\303\\274' >&2"));
    expect([result.stdout, result.stderr]).toEqual([Buffer.from([255, 0]), 'ü']);
  });

  test('credentials are out of stderr, message and data; in arguments too', async () => {
    const address = 'https://user:S3CRET@host.example/x?token=S3CRET';
    const call = shell(`echo "unable to access '${address}'" >&2; exit 1`, {});
    expect((await callProgram(call)).stderr).toBe("unable to access 'https://host.example/x'\n");
    const error = await failureOf(runProgram(call));
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('S3CRET');
    const missing = await failureOf(runProgram({ program: 'no-such-program', args: [address], env }));
    expect(JSON.stringify([missing, missing.message])).not.toContain('S3CRET');
    expect(missing.data).toEqual({ command: 'no-such-program https://host.example/x' });
  });

  test('of a long stderr the end is kept, from the beginning of a word: half an address would show its password', async () => {
    const noise = `https://user:S3CRET@host.example/x `.repeat(4000);
    const result = await callProgram(shell('cat >&2; echo end >&2', { input: noise }));
    expect(result.stderr.length).toBeLessThanOrEqual(64 * 1024);
    expect(result.stderr.length).toBeGreaterThan(20 * 1024);
    expect(result.stderr.endsWith('end\n')).toBe(true);
    expect(result.stderr.replaceAll('https://host.example/x', '').trim()).toBe('end');
  });

  test('stderr is heard as it comes', async () => {
    const heard = folder().join('heard');
    const pieces: string[] = [];
    const listen = (text: string): void => {
      pieces.push(text);
      appendFileSync(heard, text);
    };
    // The program goes on only when its first words were heard.
    await runProgram(
      shell(`echo one >&2; while ! test -s ${heard}; do sleep 0.01; done; echo two >&2`, { onStderr: listen, timeoutMs: 20_000 }),
    );
    expect(pieces).toEqual(['one\n', 'two\n']);
  });
});

describe('a program that cannot be started', () => {
  test('because it is not there', async () => {
    const error = await failureOf(callProgram({ program: 'no-such-program', args: ['x'], env, input: 'x'.repeat(MEGABYTE) }));
    expect(error).toMatchObject({
      code: 'PROGRAM_MISSING',
      message: 'no-such-program could not be started (ENOENT).',
      hint: 'Install no-such-program, or add its folder to PATH.',
    });
  });

  test('because it may not be run', async () => {
    const file = folder().write('x', '');
    expect(await failureOf(callProgram({ program: file, args: [], env }))).toMatchObject({ code: 'PROGRAM_MISSING' });
  });

  test('because its folder is not there, which is not its own fault', async () => {
    const gone = folder().join('gone');
    const file = folder().write('file', '');
    for (const cwd of [gone, file, `${file}/below`]) {
      const error = await failureOf(callProgram(shell('true', { cwd })));
      expect(error).toMatchObject({ code: 'PROGRAM_FAILED', message: `sh could not be started: there is no folder ${cwd}.` });
    }
  });

  test('because its arguments are too long or hold NUL', async () => {
    expect(await failureOf(callProgram(shell('true', { args: ['x'.repeat(8 * MEGABYTE)] })))).toMatchObject({ code: 'PROGRAM_MISSING' });
    expect(await failureOf(callProgram(shell('true', { args: ['\0'] })))).toMatchObject({ code: 'PROGRAM_MISSING' });
  });

  test('fails at the end of its streams, too', async () => {
    const running = startProgram({ program: 'no-such-program', args: [], env });
    await writeAll(running.stdin, ['x'.repeat(MEGABYTE)]);
    expect((await running.stdout.toArray()).length).toBe(0);
    expect(await failureOf(running.done())).toMatchObject({ code: 'PROGRAM_MISSING' });
  });
});

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

describe('a program that talks to the person itself', () => {
  test.each([0, 1, 3, 255])('ends with exit code %d', async (code) => expect(await runVisibly(shell(`exit ${code}`))).toBe(code));

  test('has no exit code if a signal ends it', async () => expect(await runVisibly(shell('kill -9 $$'))).toBeNull());

  test('has the streams of this process, its folder and its environment', async () => {
    // Linux tells where a stream leads.
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

describe('streams', () => {
  test('what is written in pieces comes back in order', async () => {
    const running = startProgram({ program: 'cat', args: [], env });
    const pieces = Array.from({ length: 5000 }, (_, at) => `${at}:${'x'.repeat(at % 700)}\n`);
    const [output] = await Promise.all([running.stdout.toArray(), writeAll(running.stdin, pieces)]);
    await running.done();
    expect(Buffer.concat(output).toString()).toBe(pieces.join(''));
  });

  test('the failure of a program comes out of done, however often it is asked', async () => {
    const running = startProgram(shell('echo broken >&2; exit 5'));
    running.stdout.resume();
    expect(await failureOf(running.done())).toMatchObject({ code: 'PROGRAM_FAILED', message: 'sh ended with exit code 5: broken' });
    expect(await failureOf(running.done())).toMatchObject({ data: { exit: 5 } });
  });

  test('a failure that nobody asks for does not end the process', async () => {
    startProgram(shell('exit 5')).stdout.resume();
    startProgram({ program: 'no-such-program', args: [], env });
    await callProgram(shell('sleep 0.1'));
  });

  test('writing ends when the program no longer reads, and takes no more pieces', async () => {
    const running = startProgram(shell('head -c 10'));
    let taken = 0;
    function* endless(): Generator<string> {
      for (; ; taken++) yield 'x'.repeat(65_536);
    }
    const output = running.stdout.toArray();
    await writeAll(running.stdin, endless());
    expect(Buffer.concat(await output).length).toBe(10);
    await running.done();
    expect(taken).toBeLessThan(100);
  });

  test('writing waits for a slow reader', async () => {
    const lengths: number[] = [];
    const slow: Writable = new Writable({
      highWaterMark: 1000,
      write: (_chunk, _encoding, done) => {
        lengths.push(slow.writableLength);
        setImmediate(done);
      },
    });
    await writeAll(slow, Array(50).fill('x'.repeat(400)));
    expect(lengths.length).toBe(50);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1400);
  });

  test('writing nothing ends the stream', async () => {
    const running = startProgram({ program: 'cat', args: [], env });
    await writeAll(running.stdin, []);
    expect(await Readable.from(running.stdout).toArray()).toEqual([]);
    await running.done();
  });

  test('a failure of writing that is no broken pipe is thrown', async () => {
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('no'), { code: 'EIO' })) });
    broken.on('error', () => {});
    await expect(writeAll(broken, ['x'])).rejects.toThrow('no');
  });
});

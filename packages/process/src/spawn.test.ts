import { appendFileSync, existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Environment } from './environment.js';
import { env, failureOf, shell } from './spawn.fixture.js';
import { callProgram, diskFull, runProgram, startProgram, writeAll } from './spawn.js';

const cleanUp = cleanUpIn(afterEach);
const MEGABYTE = 1024 * 1024;

function folder(): TempFolder {
  return cleanUp.add(new TempFolder());
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

  test.each(['fatal: write error: No space left on device', 'error: Disk quota exceeded'])('with "%s" is a full disk', async (message) => {
    const error = await failureOf(runProgram(shell(`echo "${message}" >&2; exit 128`)));
    expect(error).toMatchObject({ code: 'DISK_FULL', cause: `${message}\n` });
    const running = startProgram(shell(`echo "${message}" >&2; exit 128`));
    running.stdout.resume();
    expect(await failureOf(running.done())).toMatchObject({ code: 'DISK_FULL' });
    expect(diskFull(message)).toMatchObject({ code: 'DISK_FULL', cause: message });
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
    // The program continues only after its first words were received.
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
      expect(error).toMatchObject({ code: 'PROGRAM_FAILED', message: `sh could not be started: no such folder: ${cwd}.` });
    }
  });

  test('because its arguments are too long or hold NUL', async () => {
    const long = await failureOf(callProgram(shell('true', { args: ['-c', 'x'.repeat(8 * MEGABYTE)] })));
    expect(long).toMatchObject({ code: 'PROGRAM_MISSING', data: { command: 'sh -c <8388608 characters>' } });
    expect(await failureOf(callProgram(shell('true', { args: ['\0'] })))).toMatchObject({ code: 'PROGRAM_MISSING' });
  });

  test('fails at the end of its streams, too', async () => {
    const running = startProgram({ program: 'no-such-program', args: [], env });
    await writeAll(running.stdin, ['x'.repeat(MEGABYTE)]);
    expect((await running.stdout.toArray()).length).toBe(0);
    expect(await failureOf(running.done())).toMatchObject({ code: 'PROGRAM_MISSING' });
  });
});

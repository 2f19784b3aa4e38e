import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { env, failureOf, shell } from './spawn.fixture.js';
import { callProgram, startProgram, writeAll } from './spawn.js';

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

import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { paintPlain } from './color.js';
import { createProgress, type Progress } from './progress.js';
import { type RecordingStreams, recordStreams } from './recording-streams.js';

let streams: RecordingStreams;
let progress: Progress;

beforeEach(() => {
  // The library itself checks the process environment for whether the terminal can be redrawn.
  delete process.env.CI;
  process.env.TERM = 'xterm';
  streams = recordStreams('terminal');
  progress = createProgress('line', { stream: streams.stderr, paint: paintPlain, say: () => {} });
});
afterEach(() => progress.done());

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const lines = (): readonly string[] =>
  stripVTControlCharacters(streams.stderrText())
    .split('<clear>')
    .map((line) => line.replace(/^\S /, ''));

test('the first sign of life comes within 100 ms', async () => {
  progress.phase('Reading the history', 12);
  await wait(100);
  expect(lines()[0]).toBe('Reading the history  0 of 12');
});

test('it says the phase, k of n, and what is at hand', async () => {
  progress.phase('Reading', 12);
  await wait(50);
  progress.step('a.txt');
  progress.step('b.txt', 4);
  await wait(150);
  expect(lines().at(-1)).toBe('Reading  5 of 12  b.txt');
  progress.phase('Writing');
  expect(lines().at(-1)).toBe('Writing');
  progress.step();
  await wait(150);
  expect(lines().at(-1)).toBe('Writing  1');
});

test('thousands of steps are not thousands of drawings', async () => {
  progress.phase('Reading');
  await wait(50);
  for (let i = 0; i < 5000; i++) progress.step(`file ${i}`);
  await wait(200);
  expect(lines().at(-1)).toBe('Reading  5000  file 4999');
  expect(lines().length).toBeLessThan(20);
});

test('a computation that lets no timer run shows its steps all the same', async () => {
  progress.phase('Planning', 3);
  await wait(50);
  for (const step of ['a', 'b', 'c']) {
    const end = Date.now() + 600;
    while (Date.now() < end);
    progress.step(step);
    expect(lines().at(-1)).toMatch(new RegExp(`^Planning {2}\\d of 3 {2}${step}$`));
  }
});

test('what a program says is what is at hand, and counts as no step', async () => {
  progress.phase('Installing');
  await wait(50);
  progress.message('Link step', 'plain');
  progress.message('left-pad is new', 'aside');
  await wait(150);
  expect(lines().at(-1)).toBe('Installing  left-pad is new');
});

test.each([
  ['brief', ['Installing: Link step']],
  ['log', ['Installing (2)', 'Installing: Link step', 'Installing: left-pad is new']],
  ['silent', []],
] as const)('without a terminal it is a line (%s)', (mode, expected) => {
  const lines: string[] = [];
  const log = createProgress(mode, { stream: streams.stderr, paint: paintPlain, say: (text) => lines.push(text) });
  log.phase('Installing', 2);
  log.step('x');
  log.message('Link step', 'plain');
  log.message('left-pad is new', 'aside');
  log.done();
  expect([lines, streams.stderrText()]).toEqual([expected, '']);
});

test('done leaves nothing, and a phase after it starts again', async () => {
  progress.phase('Reading');
  await wait(50);
  progress.done();
  expect(lines().at(-1)).toBe('');
  progress.phase('Writing');
  await wait(50);
  expect(lines().at(-1)).toBe('Writing');
});

test('done before anything was drawn draws nothing later', async () => {
  progress.phase('Reading');
  progress.done();
  await wait(100);
  expect(streams.stderrText()).toBe('');
});

test('fail leaves the line of the phase that failed', async () => {
  progress.phase('Proving', 3);
  progress.step('trees');
  await wait(150);
  progress.fail();
  expect(streams.stderrText()).toMatch(/✖ Proving {2}1 of 3 {2}trees\n$/);
});

test('what is written meanwhile stands above the line', async () => {
  progress.phase('Reading');
  await wait(50);
  streams.stderr.write('a warning\n');
  expect(streams.stderrText()).toMatch(/<clear>a warning\n.*Reading/);
});

import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';

const cleanUp = cleanUpIn(afterEach);
let folder: TempFolder;
beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
  folder.write('peak.cjs', "process.on('exit', () => require('fs').writeFileSync('peak', String(process.resourceUsage().maxRSS / 1024)));");
});

/** Returns the answer of `ingest`, and its peak memory in MB. */
async function ingest(): Promise<{ readonly answer: unknown; readonly peak: number }> {
  const env = { NODE_OPTIONS: `--require ${folder.join('peak.cjs')}` };
  const { stdout } = await runCli('commit-to-publish', ['ingest', 'events.ndjson', '--json'], {
    cwd: folder.path,
    env,
    timeoutMs: 300_000,
  });
  return { answer: JSON.parse(stdout), peak: Number(readFileSync(folder.join('peak'), 'utf8')) };
}

function line(at: number): string {
  return `${JSON.stringify(eventNumber(at))}\n`;
}

/** The memory beyond that of a small run: buffers, and what the garbage collector frees late. */
const ROOM_MB = 250;

test('a line of a gigabyte is left out by its number, and never held', async () => {
  folder.write('events.ndjson', line(1));
  const { peak } = await ingest();
  const file = openSync(folder.join('events.ndjson'), 'a');
  // A sparse part of the file, which takes no disk space.
  ftruncateSync(file, 1 << 30);
  writeSync(file, `\n${line(2)}`);
  closeSync(file);
  const large = await ingest();
  expect(large.answer).toMatchObject({ kept: 2, rejected: 1, flaws: [{ line: 2, flaw: 'is longer than 1 MB' }] });
  expect(large.peak).toBeLessThan(peak + ROOM_MB);
});

test('hundreds of thousands of lines take no more memory than some', async () => {
  const write = (count: number): void =>
    writeFileSync(folder.join('events.ndjson'), Array.from({ length: count }, (_, at) => line(at)).join(''));
  write(100_000);
  const { peak } = await ingest();
  write(700_000);
  const large = await ingest();
  expect(large.answer).toMatchObject({ kept: 700_000, rejected: 0, clashing: 0 });
  // Holding the lines would take about 400 MB more.
  expect(large.peak).toBeLessThan(peak + ROOM_MB);
});

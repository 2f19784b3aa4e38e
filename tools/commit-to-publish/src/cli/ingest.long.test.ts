// The messages of `ingest`, with the real program.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';

const cleanUp = cleanUpIn(afterEach);
let folder: TempFolder;
beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
});

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli('commit-to-publish', [...args, '--record', 'record'], { cwd: folder.path });
}

function ingest(lines: readonly unknown[], ...args: readonly string[]): Promise<CliResult> {
  folder.write('events.ndjson', lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return run('ingest', 'events.ndjson', ...args);
}

test('it does not say that what may be in the record already is new', async () => {
  const [one, other] = [eventNumber(1), eventNumber(2)];
  for (const _ of ['first', 'again'])
    expect(await ingest([one, other, one])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: `3 events accepted for ${folder.join('record')}, 1 of them the same as a line before. Events that the record already has are counted once.\n`,
    });
});

test('what would be done is said, and not done', async () => {
  const events = [eventNumber(1)];
  expect(await ingest(events, '--dry-run')).toMatchObject({
    code: 0,
    stderr: `1 event would be accepted for ${folder.join('record')}. Events that the record already has are counted once.\nNothing was recorded.\n`,
  });
  expect(await run('compact')).toMatchObject({ code: 1, stderr: expect.stringContaining('[RECORD_MISSING]') });
  await ingest(events);
  const message = '1 event would be compacted.\nNothing was changed.\n';
  for (const _ of ['first', 'again']) expect(await run('compact', '--dry-run')).toMatchObject({ code: 0, stderr: message });
  expect(await run('compact')).toMatchObject({ code: 0, stderr: '1 event compacted.\n' });
});

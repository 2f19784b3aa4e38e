// What ingest says, with the real program.
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

function ingest(...lines: readonly unknown[]): Promise<CliResult> {
  folder.write('events.ndjson', lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return runCli('commit-to-publish', ['ingest', 'events.ndjson', '--record', 'record'], { cwd: folder.path });
}

test('it does not say that what may be in the record already is new', async () => {
  const [one, other] = [eventNumber(1), eventNumber(2)];
  for (const _ of ['first', 'again'])
    expect(await ingest(one, other, one)).toEqual({
      ...{ code: 0, signal: null, stdout: '' },
      stderr: `3 events accepted for ${folder.join('record')}, 1 of them the same as a line before. What the record has already counts once.\n`,
    });
});

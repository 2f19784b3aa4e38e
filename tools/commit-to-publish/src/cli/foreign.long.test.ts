// What somebody has put into the record by hand, with the real program.
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const LATEST = ['--channels', 'latest'];

test('a file of events in the journal is in no figure, and every command that reads the record says so', async () => {
  const folder = cleanUp.add(new TempFolder());
  const line = `${JSON.stringify(eventNumber(1))}\n`;
  folder.write('events.ndjson', line);
  const run = async (...args: readonly string[]): Promise<readonly [code: number | null, stderr: string]> => {
    const { code, stderr } = await runCli('commit-to-publish', args, { cwd: folder.path });
    return [code, stderr];
  };
  folder.write('.tributary/record/journal/events.ndjson', line);
  const message = expect.stringContaining('warning: In the record, journal/events.ndjson is no part of it and is not read.\nhint: ');
  expect(await run('report', ...LATEST)).toEqual([1, message]);
  expect((await run('ingest', 'events.ndjson'))[0]).toBe(0);
  for (const args of [
    ['report'],
    ['explain', '#1'],
    ['predict'],
    ['compare', '--before', '2026-01-05..2026-01-12', '--after', '2026-01-12..2026-01-19'],
  ])
    expect(await run(...args, ...LATEST, '--quiet')).toEqual([
      0,
      'warning: In the record, journal/events.ndjson is no part of it and is not read.\n',
    ]);
  for (const name of ['a', 'b', 'c', 'd', 'e']) folder.write(`.tributary/record/${name}.json`, '');
  expect(await run('compact')).toEqual([
    0,
    expect.stringContaining('In the record, a.json, b.json, c.json, d.json and 2 more are no part of it and are not read.'),
  ]);
});

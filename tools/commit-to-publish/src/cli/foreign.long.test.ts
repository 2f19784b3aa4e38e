// Files that somebody put into the record by hand, with the real program.
import { afterEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { makeWeekly } from '../io/weekly-record.fixture.js';
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
  const message = expect.stringContaining('warning: In the record, journal/events.ndjson is not part of it and is not read.\nhint: ');
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
      'warning: In the record, journal/events.ndjson is not part of it and is not read.\n',
    ]);
  for (const name of ['a', 'b', 'c', 'd', 'e']) folder.write(`.tributary/record/${name}.json`, '');
  expect(await run('compact')).toEqual([
    0,
    expect.stringContaining('In the record, a.json, b.json, c.json, d.json and 2 more are not part of it and are not read.'),
  ]);
});

test('SQL over the file is not printed for a record of an older program, which has a file for each week', async () => {
  const folder = cleanUp.add(new TempFolder());
  const run = (...args: readonly string[]): Promise<CliResult> => runCli('commit-to-publish', args, { cwd: folder.path });
  folder.write('events.ndjson', `${JSON.stringify(eventNumber(1))}\n`);
  for (const args of [['ingest', 'events.ndjson'], ['compact']]) expect((await run(...args)).code).toBe(0);
  const sql = (dialect: string): Promise<CliResult> => run('sql', '--dialect', dialect, ...LATEST);
  expect((await sql('duckdb')).code).toBe(0);
  for (const more of [LATEST, ['--dialect', 'postgres', '--load']]) {
    const { code, stdout } = await run('sql', ...more, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'USAGE', hint: 'Leave out --json.' } }]);
  }
  makeWeekly(folder.join('.tributary/record') as AbsolutePath);
  for (const dialect of ['duckdb', 'spark'])
    expect(await sql(dialect)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('has a Parquet file for each week'),
    });
  expect((await run('compact')).code).toBe(0);
  expect((await sql('duckdb')).code).toBe(0);
});

// Files that somebody put into the record by hand, with the real program.
import { cpSync, readdirSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
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

test('SQL over the files is not printed where a compaction that was killed has left some', async () => {
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
  const [week = ''] = readdirSync(folder.join('.tributary/record/events'));
  const left = `.tributary/record/events/${week}/000000_0.parquet`;
  cpSync(folder.join(`.tributary/record/events/${week}/000001_0.parquet`), folder.join(left));
  for (const dialect of ['duckdb', 'spark'])
    expect(await sql(dialect)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${left} is left over from an unfinished compaction`),
    });
  expect((await run('compact')).code).toBe(0);
  expect((await sql('duckdb')).code).toBe(0);
});

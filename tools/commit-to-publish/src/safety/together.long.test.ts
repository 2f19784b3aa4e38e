import { afterEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { Database } from '../io/database.js';
import { withEvents } from '../io/record.js';
import { eventNumber } from '../model/event.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const EVENTS = 100_000;

test('two write, two compact again and again and one reads: nothing is lost, nothing counts twice, and what was there once stays', async () => {
  const folder = cleanUp.add(new TempFolder());
  const database = cleanUp.add(await Database.open());
  const run = (...args: readonly string[]): Promise<CliResult> => runCli('commit-to-publish', args, { cwd: folder.path });
  for (const [at, name] of ['a.ndjson', 'b.ndjson'].entries())
    folder.write(name, Array.from({ length: EVENTS }, (_, place) => `${JSON.stringify(eventNumber(at * EVENTS + place))}\n`).join(''));
  const count = async (): Promise<number> => {
    const [row] = await withEvents(database, folder.join('.tributary/record') as AbsolutePath, () =>
      database.rows('select count(*) as rows, count(distinct id) as ids from event'),
    );
    expect(row?.['ids']).toBe(row?.['rows']);
    return Number(row?.['rows']);
  };
  let writing = true;
  const writers = Promise.all([run('ingest', 'a.ndjson'), run('ingest', 'b.ndjson')]).finally(() => {
    writing = false;
  });
  const compactUntilWritten = async (): Promise<readonly CliResult[]> => {
    const results: CliResult[] = [];
    while (writing) results.push(await run('compact', '--json'));
    return results;
  };
  const compacting = Promise.all([compactUntilWritten(), compactUntilWritten()]);
  const seen: number[] = [];
  while (writing) seen.push(await count().catch(ifNothingYet));
  for (const { code, stderr } of await writers) expect([code, stderr]).toEqual([0, expect.stringContaining(`${EVENTS} events`)]);
  for (const { code, stdout } of (await compacting).flat())
    expect(code === 0 ? 'compacted' : JSON.parse(stdout).error.code).toMatch(/^(compacted|RECORD_LOCKED|RECORD_MISSING)$/);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect((await run('compact')).code).toBe(0);
  expect(await count()).toBe(2 * EVENTS);
});

function ifNothingYet(error: { readonly code?: string }): number {
  if (error.code !== 'RECORD_MISSING') throw error;
  return 0;
}

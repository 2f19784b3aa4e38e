import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, expect, test } from '@jest/globals';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { compactRecord } from './compact.js';
import { Database } from './database.js';

const PASSES = 4;
const OF_EACH = 300_000;

// A first pass needs most of this memory: DuckDB's buffers for lines, for each processor. Joins of all history with all of its columns, and
// lists of days, failed here in the fourth pass.
const MEMORY = `${80 * availableParallelism()}MB`;

const folder = new TempFolder();
afterAll(() => folder.dispose());

test('a pass needs no more memory because the record has grown', async () => {
  const record = folder.join('record');
  mkdirSync(folder.join('record/journal'), { recursive: true });
  const writer = await Database.open();
  for (let pass = 0; pass < PASSES; pass++)
    await writer.run(`copy (${eventsOf(pass)}) to '${folder.join(`record/journal/1-0000000${pass}.ndjson`)}' (format json)`);
  writer.close();
  const database = await Database.open({ memory: MEMORY });
  try {
    expect((await compactRecord(database, record, 'record', 1)).events).toBe(PASSES * OF_EACH);
  } finally {
    database.close();
  }
}, 300_000);

/** Five events of each change, one second apart. */
function eventsOf(pass: number): string {
  const moment = (more: number): string => `(1700000000000000 + (x + ${more}) * 1000000)`;
  return `
    select 1 as schemaVersion, x || stage as id, 'acme/mono' as repo, md5((x // 5)::varchar) as change, '@acme/pad' as package, stage, 1 as attempt,
      ${moment(0)} as startedAt, ${moment(5)} as endedAt, 'success' as outcome, 'person' as actor, 'ci' as source, 'exact' as confidence,
      ${moment(6)} as recordedAt
    from (select x, ['pr-tests', 'merge-wait', 'post-merge-tests', 'publish-wait', 'publish'][1 + x % 5] as stage
      from range(${pass * OF_EACH}, ${(pass + 1) * OF_EACH}) numbers(x))`;
}

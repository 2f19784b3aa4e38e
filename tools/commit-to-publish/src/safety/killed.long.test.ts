import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { type CliResult, runCli, startCli } from '@tributary/test-repo/run-cli';
import { Database } from '../io/database.js';
import { withEvents } from '../io/record.js';
import { eventNumber } from '../model/event.fixture.js';

const EVENTS = 150_000;

let folder: AbsolutePath;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'killed-')) as AbsolutePath;
  database = await Database.open();
  const lines = Array.from({ length: EVENTS }, (_, at) => JSON.stringify(eventNumber(at)));
  writeFileSync(join(folder, 'events.ndjson'), `${lines.join('\n')}\n`);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli('commit-to-publish', args, { cwd: folder });
}

/** Kills a command after some time. Returns whether it was still running. */
async function kill(args: readonly string[], afterMs: number): Promise<boolean> {
  const running = startCli('commit-to-publish', args, { cwd: folder });
  await setTimeout(afterMs);
  running.child.kill('SIGKILL');
  return (await running.finished).signal === 'SIGKILL';
}

async function countEvents(): Promise<{ readonly rows: number; readonly ids: number }> {
  const record = join(folder, '.tributary/record') as AbsolutePath;
  const [row] = await withEvents(database, record, () => database.rows('select count(*) as rows, count(distinct id) as ids from event'));
  return { rows: Number(row?.['rows']), ids: Number(row?.['ids']) };
}

test('however often recording and compacting are killed, every event is there once in the end, and no reader ever sees one twice', async () => {
  let killed = 0;
  for (const afterMs of [250, 400, 550, 700, 850]) {
    if (await kill(['ingest', 'events.ndjson'], afterMs)) killed++;
    const { rows, ids } = await countEvents().catch(() => ({ rows: 0, ids: 0 }));
    expect(rows).toBe(ids);
  }
  expect((await run('ingest', 'events.ndjson')).code).toBe(0);
  expect(await countEvents()).toEqual({ rows: EVENTS, ids: EVENTS });
  for (const afterMs of [300, 500, 700, 900, 1100]) {
    if (await kill(['compact'], afterMs)) killed++;
    expect(await countEvents()).toEqual({ rows: EVENTS, ids: EVENTS });
  }
  expect((await run('compact')).code).toBe(0);
  expect(await countEvents()).toEqual({ rows: EVENTS, ids: EVENTS });
  expect(killed).toBeGreaterThan(2);
});

test('a reader never misses or doubles what is compacted under it', async () => {
  expect((await run('ingest', 'events.ndjson')).code).toBe(0);
  const compacting = startCli('commit-to-publish', ['compact'], { cwd: folder });
  const seen = [];
  while (compacting.child.exitCode === null) seen.push(await countEvents());
  expect((await compacting.finished).code).toBe(0);
  expect([...seen, await countEvents()].filter(({ rows }) => rows !== EVENTS)).toEqual([]);
  expect(seen.length).toBeGreaterThan(1);
});

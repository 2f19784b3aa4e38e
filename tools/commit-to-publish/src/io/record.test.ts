import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { listSegments, nameIn, writeEvents } from './journal.js';
import { type FutureEvents, withEvents, withRecord } from './record.js';
import { parquetOf, readManifest, writeManifest } from './record-files.js';
import { type FileSum, sumOf } from './sums.js';
import { makeWeekly } from './weekly-record.fixture.js';

let record: AbsolutePath;
let database: Database;
beforeEach(async () => {
  record = mkdtempSync(join(tmpdir(), 'record-')) as AbsolutePath;
  database = await Database.open();
});
afterEach(async () => {
  await database.close();
  rmSync(record, { recursive: true });
});

function write(...events: readonly Event[]): void {
  writeEvents(record, events);
}

/** The ids of all events, sorted. */
async function ids(): Promise<readonly unknown[]> {
  const rows = await withEvents(database, record, () => database.rows('select id from event order by id'));
  return rows.map(({ id }) => id);
}

test('what was written is read from the journal, from Parquet, and from both', async () => {
  write(eventNumber(1), eventNumber(2));
  expect(await ids()).toEqual(['e1', 'e2']);
  expect(await compactRecord(database, record)).toEqual({ events: 2 });
  expect(listSegments(record)).toEqual([]);
  expect(await ids()).toEqual(['e1', 'e2']);
  write(eventNumber(3), eventNumber(1));
  expect(await ids()).toEqual(['e1', 'e2', 'e3']);
  await compactRecord(database, record);
  expect(await ids()).toEqual(['e1', 'e2', 'e3']);
});

test('events from the future are counted and are in no figure, from the journal and from Parquet', async () => {
  const [sound, future] = [eventNumber(1), eventNumber(2)];
  const [now, ahead] = [(sound.endedAt + 60e6) as Micros, 3600e6];
  write(sound, { ...future, startedAt: (now + ahead) as Micros, endedAt: (now + 2 * ahead) as Micros });
  const read = async (at: Micros): Promise<readonly unknown[]> => {
    const found: FutureEvents[] = [];
    const scope = { now: at, onFuture: (some: FutureEvents) => void found.push(some) };
    return [
      await withRecord(record, async (own) => (await own.rows('select id from event order by id')).map(({ id }) => id), scope),
      found,
    ];
  };
  const left = [['e1'], [{ n: 1, last: now + 2 * ahead }]];
  expect(await read(now)).toEqual(left);
  await compactRecord(database, record);
  expect(await read(now)).toEqual(left);
  expect(await read((now + 2 * ahead) as Micros)).toEqual([['e1', 'e2'], []]);
});

test('events from the future are told of where the question fails, and where the record does, its error counts', async () => {
  const future = eventNumber(1);
  write(future);
  const found: FutureEvents[] = [];
  const scope = {
    now: (future.endedAt - DAY) as Micros,
    onFuture: (some: FutureEvents) => void found.push(some),
  };
  const fails = (): Promise<never> => Promise.reject(new Error('unknown change'));
  await expect(withRecord(record, fails, scope)).rejects.toThrow('unknown change');
  expect(found).toEqual([{ n: 1, last: future.endedAt }]);
  const nowhere = join(record, 'nowhere') as AbsolutePath;
  await expect(withRecord(nowhere, fails, scope)).rejects.toMatchObject({ code: 'RECORD_MISSING' });
});

test('every field is the same after it was compacted', async () => {
  const event: Event = {
    ...eventNumber(1),
    consumer: 'app',
    release: 'v1 "x"',
    channel: 'latest',
    team: 'ü',
    url: 'https://host.example/1',
    revision: 2,
    files: 'unpublished',
  };
  write(event);
  const read = (): Promise<unknown> => withEvents(database, record, () => database.rows('select * from event'));
  const before = await read();
  await compactRecord(database, record);
  expect(await read()).toEqual(before);
  const { schemaVersion, ...fields } = event;
  const numbers = ([key, value]: [string, unknown]): [string, unknown] => [
    key,
    typeof value === 'number' && key !== 'attempt' && key !== 'revision' ? BigInt(value) : value,
  ];
  expect(before).toEqual([Object.fromEntries(Object.entries(fields).map(numbers))]);
  expect(schemaVersion).toBe(1);
});

test('a correction takes the place of what it corrects, and the order of arrival does not matter', async () => {
  const wrong = eventNumber(1);
  const right: Event = {
    ...wrong,
    id: 'e1-corrected',
    endedAt: (wrong.endedAt + 30 * DAY) as Event['endedAt'],
    recordedAt: (wrong.recordedAt + 1) as Event['recordedAt'],
  };
  write(wrong, eventNumber(2));
  await compactRecord(database, record);
  write(right);
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
  expect(await compactRecord(database, record)).toEqual({ events: 1 });
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
  write(wrong);
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
  await compactRecord(database, record);
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
});

test('a segment that is in Parquet already, because a compaction was killed before it removed it, counts once', async () => {
  writeEvents(record, [eventNumber(1), eventNumber(2)]);
  const [segment = ''] = listSegments(record);
  const lines = readFileSync(segment);
  await compactRecord(database, record);
  writeFileSync(segment, lines);
  expect(await ids()).toEqual(['e1', 'e2']);
  expect(await compactRecord(database, record)).toEqual({ events: 0 });
  expect([await ids(), listSegments(record)]).toEqual([['e1', 'e2'], []]);
});

test.each<[what: string, before: readonly (FileSum | null)[]]>([
  ['the first', [null]],
  ['a later', [{ bytes: 1, sha256: 'of the file before' }]],
])('%s compaction that was killed when it had put the new file in its place is finished by the next', async (_, before) => {
  writeEvents(record, [eventNumber(1)]);
  await compactRecord(database, record);
  writeManifest(record, { schemaVersion: 2, parquet: [...before, sumOf(parquetOf(record))] });
  writeEvents(record, [eventNumber(1), eventNumber(2)]);
  expect(await ids()).toEqual(['e1', 'e2']);
  expect(await compactRecord(database, record)).toEqual({ events: 1 });
  expect(readManifest(record)).toEqual({ schemaVersion: 2, parquet: [sumOf(parquetOf(record))] });
  expect(await ids()).toEqual(['e1', 'e2']);
});

test('a first compaction that was killed before its file got its name leaves the journal as it was', async () => {
  writeEvents(record, [eventNumber(1)]);
  writeManifest(record, { schemaVersion: 2, parquet: [null, { bytes: 1, sha256: 'of no file' }] });
  expect(await ids()).toEqual(['e1']);
  expect(await compactRecord(database, record)).toEqual({ events: 1 });
  expect(await ids()).toEqual(['e1']);
});

test('a record of an older program, with a file for each week, is read as it is, and the next compaction makes one file of it', async () => {
  writeEvents(record, [eventNumber(1), eventNumber(2)]);
  await compactRecord(database, record);
  writeEvents(record, [eventNumber(1)]);
  const [killed = ''] = listSegments(record);
  writeEvents(record, [eventNumber(3)]);
  makeWeekly(record, [nameIn(killed)]);
  expect(await ids()).toEqual(['e1', 'e2', 'e3']);
  expect(await compactRecord(database, record, 'look')).toEqual({ events: 1 });
  expect(await compactRecord(database, record)).toEqual({ events: 1 });
  expect(await ids()).toEqual(['e1', 'e2', 'e3']);
  expect(readdirSync(record, { recursive: true }).sort()).toEqual(['events.parquet', 'journal', 'record.json']);
});

test('compaction in passes gives what one pass gives', async () => {
  const wrong = eventNumber(1);
  const right: Event = { ...wrong, id: 'e1-corrected', recordedAt: (wrong.recordedAt + 1) as Event['recordedAt'] };
  for (const event of [right, eventNumber(2), wrong, eventNumber(3), eventNumber(2)]) write(event);
  const before = await ids();
  expect(await compactRecord(database, record, 'record', 1)).toEqual({ events: 3 });
  expect([await ids(), listSegments(record)]).toEqual([before, []]);
  expect(before).toEqual(['e1-corrected', 'e2', 'e3']);
});

test('a compaction compares new events with those of the same key alone, so that its memory does not grow with the record', async () => {
  write(eventNumber(1), eventNumber(2), eventNumber(3));
  await compactRecord(database, record);
  write({ ...eventNumber(2), id: 'e2-corrected', recordedAt: (eventNumber(2).recordedAt + 1) as Event['recordedAt'] }, eventNumber(4));
  await compactRecord(database, record);
  expect(await database.rows('select id from same_key')).toEqual([{ id: 'e2' }]);
  expect(await ids()).toEqual(['e1', 'e2-corrected', 'e3', 'e4']);
});

test('a question that does not fit into memory is named, and says what to do', async () => {
  const small = await Database.open({ memory: '30MB' });
  try {
    await expect(small.rows('select count(distinct hash(x)) from range(10000000) numbers(x)')).rejects.toMatchObject({
      code: 'MEMORY_FULL',
      hint: 'Run "commit-to-publish compact" first, or ask for fewer weeks.',
    });
  } finally {
    await small.close();
  }
});

test('what somebody saw happen is not replaced by what was derived later, only by another who saw it', async () => {
  const seen = eventNumber(1);
  const later = (seen.recordedAt + 1) as Event['recordedAt'];
  write(seen);
  await compactRecord(database, record);
  write({ ...seen, id: 'derived', confidence: 'derived', recordedAt: later });
  expect(await ids()).toEqual(['e1']);
  await compactRecord(database, record);
  write({ ...seen, id: 'seen', recordedAt: later });
  expect(await ids()).toEqual(['seen']);
});

const DAY = 24 * 3600 * 1e6;

test('a folder without a record is no empty record', async () => {
  await expect(ids()).rejects.toMatchObject({ code: 'RECORD_MISSING' });
});

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { listSegments, SegmentWriter } from './journal.js';
import { type FutureEvents, withEvents, withRecord } from './record.js';
import { sumFileOf } from './segment-sum.js';

let record: AbsolutePath;
let database: Database;
beforeEach(async () => {
  record = mkdtempSync(join(tmpdir(), 'record-')) as AbsolutePath;
  database = await Database.open();
});
afterEach(() => {
  database.close();
  rmSync(record, { recursive: true });
});

function write(...events: readonly Event[]): void {
  const writer = new SegmentWriter(record);
  writer.append(events);
  writer.close();
}

/** The ids of all events, sorted. */
async function ids(): Promise<readonly unknown[]> {
  const rows = await withEvents(database, record, () => database.rows('select id from event order by id'));
  return rows.map(({ id }) => id);
}

test('what was written is read from the journal, from Parquet, and from both', async () => {
  write(eventNumber(1), eventNumber(2));
  expect(await ids()).toEqual(['e1', 'e2']);
  expect(await compactRecord(database, record)).toEqual({ events: 2, weeks: ['2026-01-05'] });
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
    const scope = { since: 0 as Micros, changes: undefined, now: at, onFuture: (some: FutureEvents) => void found.push(some) };
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
    since: 0 as Micros,
    changes: undefined,
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

test('a correction takes the place of what it corrects, in whatever week that ended, and the order of arrival does not matter', async () => {
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
  expect((await compactRecord(database, record)).weeks).toEqual(['2026-01-05', '2026-02-02']);
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
  write(wrong);
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
  await compactRecord(database, record);
  expect(await ids()).toEqual(['e1-corrected', 'e2']);
});

test('large segments end, and compaction in passes gives what one pass gives', async () => {
  const wrong = eventNumber(1);
  const right: Event = { ...wrong, id: 'e1-corrected', recordedAt: (wrong.recordedAt + 1) as Event['recordedAt'] };
  const late: Event = { ...eventNumber(3), startedAt: wrong.startedAt, endedAt: (wrong.endedAt + 30 * DAY) as Event['endedAt'] };
  const writer = new SegmentWriter(record, 1);
  for (const event of [right, eventNumber(2), wrong, late, eventNumber(2)]) writer.append([event]);
  writer.close();
  expect(listSegments(record).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'closed'));
  const before = await ids();
  expect(await compactRecord(database, record, 'record', 1)).toEqual({ events: 3, weeks: ['2026-01-05', '2026-02-02'] });
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
    small.close();
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

test('a line that was torn off harms no other, and an open segment is read and left alone', async () => {
  const writer = new SegmentWriter(record);
  writer.append([eventNumber(1)]);
  const [segment] = listSegments(record);
  appendFileSync(segment?.file ?? '', JSON.stringify(eventNumber(2)).slice(0, -1));
  expect(await ids()).toEqual(['e1']);
  expect((await compactRecord(database, record)).events).toBe(0);
  writer.close();
  // A torn line is the work of a killed writer, which leaves no sum.
  rmSync(sumFileOf(listSegments(record)[0]?.file ?? ''));
  expect((await compactRecord(database, record)).events).toBe(1);
});

test('a folder without a record is no empty record', async () => {
  await expect(ids()).rejects.toMatchObject({ code: 'RECORD_MISSING' });
});

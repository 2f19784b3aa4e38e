import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { remountDisk } from '@tributary/test-repo/small-disk';
import { compactRecord } from '../io/compact.js';
import { Database } from '../io/database.js';
import { writeEvents } from '../io/journal.js';
import { eventNumber } from '../model/event.fixture.js';
import type { Event } from '../model/event.js';
import { failureOf, mountOrSay, readIds } from './record.fixture.js';

const cleanUp = cleanUpIn(afterEach);
let database: Database;
beforeEach(async () => {
  database = cleanUp.add(await Database.open());
});

function hundred(from: number): readonly Event[] {
  return Array.from({ length: 100 }, (_, at) => ({ ...eventNumber(from + at), id: `e${String(from + at).padStart(6, '0')}` }));
}

test('the disk gets full while events are written: what was acknowledged is there, nothing else, and with space it goes on', async () => {
  const disk = await mountOrSay(cleanUp, 'size=200k');
  if (disk === undefined) return;
  const record = join(disk, 'record') as AbsolutePath;
  const kept: string[] = [];
  const fill = async (): Promise<void> => {
    for (let from = 0; ; from += 100) {
      writeEvents(record, hundred(from));
      kept.push(...hundred(from).map(({ id }) => id));
    }
  };
  expect(await failureOf(fill())).toMatchObject({ code: 'DISK_FULL', hint: 'Free some space and run the same command again.' });
  expect(kept.length).toBeGreaterThan(100);
  expect(await readIds(database, record)).toEqual(kept);
  await remountDisk(disk, 'size=2m');
  writeEvents(record, hundred(kept.length));
  expect(await readIds(database, record)).toEqual([...kept, ...hundred(kept.length).map(({ id }) => id)]);
});

test('wherever a compaction runs out of space, the record is as it was, the room is free again, and with more space it succeeds', async () => {
  const disk = await mountOrSay(cleanUp, 'size=2m');
  if (disk === undefined) return;
  const record = join(disk, 'record') as AbsolutePath;
  // Noise needs much room, because it cannot be compressed.
  const noise = (at: number): string => createHash('sha512').update(`${at}`).digest('hex').repeat(2);
  const events = Array.from({ length: 500 }, (_, at) => ({ ...eventNumber(at), url: `https://host.example/${noise(at)}` }));
  writeEvents(record, events.slice(0, 400));
  await compactRecord(database, record);
  writeEvents(record, events.slice(400));
  const before = [await readIds(database, record), filesIn(record)];
  let failed = 0;
  for (let room = 0; ; room += 12) {
    await remountDisk(disk, `size=${usedKib(record) + room}k`);
    const failure = await failureOf(compactRecord(database, record));
    if (failure.message === 'It did not fail.') break;
    expect(failure).toMatchObject({ code: 'DISK_FULL', hint: 'Free some space and run the same command again.' });
    expect([await readIds(database, record), filesIn(record)]).toEqual(before);
    failed++;
  }
  expect(failed).toBeGreaterThan(3);
  expect(await readIds(database, record)).toEqual(before[0]);
  expect(filesIn(record).filter((file) => file.endsWith('.ndjson'))).toEqual([]);
});

test('a disk that is for reading only: a report is read, and nothing can be recorded or compacted', async () => {
  const disk = await mountOrSay(cleanUp, 'size=2m');
  if (disk === undefined) return;
  const record = join(disk, 'record') as AbsolutePath;
  writeEvents(record, hundred(0));
  await remountDisk(disk, 'ro');
  expect(await readIds(database, record)).toHaveLength(100);
  const refused = { code: 'FILE_UNUSABLE', message: `${record} cannot be written, because its disk is read-only (EROFS).` };
  expect(await failureOf((async () => writeEvents(record, hundred(100)))())).toMatchObject(refused);
  expect(await failureOf(compactRecord(database, record))).toMatchObject(refused);
});

function filesIn(record: string): readonly string[] {
  return readdirSync(record, { recursive: true, encoding: 'utf8' }).sort();
}

function usedKib(record: string): number {
  const pages = filesIn(record).map((file) => Math.ceil(statSync(join(record, file)).size / 4096));
  return 4 * pages.reduce((sum, count) => sum + count, 0);
}

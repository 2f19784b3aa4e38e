import { appendFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';
import { readIds } from '../safety/record.fixture.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { listSegments, sumFileOf, writeEvents } from './journal.js';

const cleanUp = cleanUpIn(afterEach);
let record: AbsolutePath;
let database: Database;
beforeEach(async () => {
  record = cleanUp.add(new TempFolder()).path;
  database = cleanUp.add(await Database.open());
});

/** Makes the only segment one that an older program left open, without a sum. */
function leaveOpen(): string {
  const [segment = ''] = listSegments(record);
  const file = segment.replace(/ndjson$/, '417.88123.build%2D7.open');
  renameSync(segment, file);
  rmSync(sumFileOf(segment));
  return file;
}

function journal(): readonly string[] {
  return readdirSync(join(record, 'journal'));
}

test('a segment that an older program left open is read and compacted, also with a torn line at its end', async () => {
  writeEvents(record, [eventNumber(1)]);
  appendFileSync(leaveOpen(), '{"schemaVersion":1,"id":"e2"');
  expect(await readIds(database, record)).toEqual(['e1']);
  expect(await compactRecord(database, record)).toEqual({ events: 1 });
  expect(journal()).toEqual([]);
  expect(await readIds(database, record)).toEqual(['e1']);
});

test('a look at what would be compacted says the same, and changes nothing', async () => {
  writeEvents(record, [eventNumber(1)]);
  leaveOpen();
  writeEvents(record, [eventNumber(2)]);
  const before = readdirSync(record, { recursive: true });
  const looked = await compactRecord(database, record, 'look');
  expect([looked, readdirSync(record, { recursive: true })]).toEqual([{ events: 2 }, before]);
  expect(await compactRecord(database, record)).toEqual(looked);
  expect(await compactRecord(database, record, 'look')).toEqual({ events: 0 });
});

test('what a killed writer began counts for nothing, and goes when no writer can be at it any more', async () => {
  writeEvents(record, [eventNumber(1)]);
  const draft = join(record, 'journal', '1700000000000-0123abcd.ndjson.417.draft');
  writeFileSync(draft, JSON.stringify(eventNumber(2)));
  expect(await readIds(database, record)).toEqual(['e1']);
  await compactRecord(database, record);
  expect(journal()).toHaveLength(1);
  const yesterday = Date.now() / 1000 - 25 * 3600;
  utimesSync(draft, yesterday, yesterday);
  await compactRecord(database, record);
  expect(journal()).toEqual([]);
});

test('a place where no folder can be made is named, also where the system says that its parent is missing', () => {
  const nowhere = '/proc/tributary/record' as AbsolutePath;
  expect(() => writeEvents(nowhere, [eventNumber(1)])).toThrow(
    expect.objectContaining({ code: 'FILE_UNUSABLE', data: expect.objectContaining({ file: nowhere }) }),
  );
});

import { appendFileSync, readdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';
import { readIds, write } from '../safety/record.fixture.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { closeSegment, listSegments, SegmentWriter } from './journal.js';

const cleanUp = cleanUpIn(afterEach);
const WEEK = 7 * 24 * 3600;
let record: AbsolutePath;
let database: Database;
beforeEach(async () => {
  record = cleanUp.add(new TempFolder()).path;
  database = cleanUp.add(await Database.open());
});

/** Creates an open segment of a writer on another machine, last written `secondsAgo` seconds ago. */
function elsewhere(secondsAgo: number): { readonly writer: SegmentWriter; readonly file: string } {
  const writer = new SegmentWriter(record);
  writer.append([eventNumber(1)]);
  const [segment] = listSegments(record);
  const file = join(record, 'journal', `${segment?.name ?? ''}.417.88123.build%2D7.open`);
  renameSync(segment?.file ?? '', file);
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(file, then, then);
  return { writer, file };
}

async function compact(): Promise<number> {
  return (await compactRecord(database, record)).events;
}

test('what another machine writes to is left alone, as long as it was added to within a week', async () => {
  const { file } = elsewhere(WEEK - 3600);
  expect([await compact(), listSegments(record)]).toEqual([0, [expect.objectContaining({ state: 'open' })]]);
  expect(statSync(file).size).toBeGreaterThan(0);
  expect(await readIds(database, record)).toEqual(['e1']);
});

test('what a machine that is gone has left is compacted after a week, also with a torn line at its end', async () => {
  const { file } = elsewhere(0);
  appendFileSync(file, '{"schemaVersion":1,"id":"e2"');
  const then = Date.now() / 1000 - WEEK - 60;
  utimesSync(file, then, then);
  expect(await readIds(database, record)).toEqual(['e1']);
  expect([await compact(), readdirSync(join(record, 'journal'))]).toEqual([1, []]);
  expect(await readIds(database, record)).toEqual(['e1']);
});

test('a look at what would be compacted says the same, and changes nothing', async () => {
  const { file } = elsewhere(WEEK + 60);
  write(record, [eventNumber(2)]);
  const before = readdirSync(record, { recursive: true });
  const looked = await compactRecord(database, record, 'look');
  expect([looked, readdirSync(record, { recursive: true })]).toEqual([{ events: 2, weeks: ['2026-01-05'] }, before]);
  expect(before).toContain(join('journal', basename(file)));
  expect(await compactRecord(database, record)).toEqual(looked);
  expect(await compactRecord(database, record, 'look')).toEqual({ events: 0, weeks: [] });
});

test('a writer that comes back after it was taken for gone loses nothing', async () => {
  const { writer } = elsewhere(WEEK + 60);
  expect(await compact()).toBe(1);
  writer.append([eventNumber(2)]);
  expect(await readIds(database, record)).toEqual(['e1', 'e2']);
  writer.append([eventNumber(3)]);
  writer.close();
  expect(listSegments(record)).toEqual([expect.objectContaining({ state: 'closed' })]);
  expect(await compact()).toBe(2);
  expect(await readIds(database, record)).toEqual(['e1', 'e2', 'e3']);
});

test('nor does one that comes back while its segment is compacted: what is written twice counts once', async () => {
  const { writer, file } = elsewhere(WEEK + 60);
  const [segment] = listSegments(record);
  const closed = closeSegment({ name: segment?.name ?? '', file: file as AbsolutePath });
  // The writer appends to the file that a compaction reads now, and may remove before these lines are written.
  writer.append([eventNumber(2)]);
  expect(listSegments(record)).toEqual([closed, expect.objectContaining({ state: 'open' })]);
  expect(await readIds(database, record)).toEqual(['e1', 'e2']);
  await compact();
  expect(await readIds(database, record)).toEqual(['e1', 'e2']);
  writer.close();
  await compact();
  expect(await readIds(database, record)).toEqual(['e1', 'e2']);
});

test('one that ends when its segment is compacted already leaves nothing', async () => {
  const { writer } = elsewhere(WEEK + 60);
  await compact();
  writer.close();
  expect(readdirSync(join(record, 'journal'))).toEqual([]);
  expect(await readIds(database, record)).toEqual(['e1']);
});

test('a place where no folder can be made is named, also where the system says that its parent is missing', () => {
  const nowhere = '/proc/tributary/record' as AbsolutePath;
  expect(() => new SegmentWriter(nowhere)).toThrow(
    expect.objectContaining({ code: 'FILE_UNUSABLE', data: expect.objectContaining({ file: nowhere }) }),
  );
});

import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';
import { failureOf, readIds } from '../safety/record.fixture.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { listSegments, sumFileOf, writeEvents } from './journal.js';
import { parquetOf } from './record-files.js';
import { makeWeekly } from './weekly-record.fixture.js';

const cleanUp = cleanUpIn(afterEach);
let record: AbsolutePath;
let database: Database;
beforeEach(async () => {
  record = cleanUp.add(new TempFolder()).path;
  database = cleanUp.add(await Database.open());
});

/** Removes the sum of the segment, as if the writer was killed or is an older program. Returns the segment's path. */
function withoutSum(): string {
  rmSync(sumFileOf(segmentFile()));
  return segmentFile();
}

function segmentFile(): string {
  return listSegments(record)[0] ?? '';
}

async function writeParquet(): Promise<string> {
  writeEvents(
    record,
    Array.from({ length: 2000 }, (_, at) => eventNumber(at)),
  );
  await compactRecord(database, record);
  return parquetOf(record);
}

/** Returns the failure of reading. Compaction must fail in the same way. */
async function failures(): Promise<unknown> {
  const both = [await failureOf(readIds(database, record)), await failureOf(compactRecord(database, record))];
  expect(both[1]).toEqual(both[0]);
  return both[0];
}

const BACKUP = 'Restore it from a backup. Without it, no figure is computed, because its events would be missing.';

test.each([
  ['of which the end is missing', (whole: Buffer) => whole.subarray(0, -300)],
  ['with other bytes in its middle', (whole: Buffer) => Buffer.concat([whole.subarray(0, 400), Buffer.alloc(400, 7), whole.subarray(800)])],
  ['that is empty', () => Buffer.alloc(0)],
])('a file of Parquet %s is no file without events', async (_, damage) => {
  const file = await writeParquet();
  writeFileSync(file, damage(readFileSync(file)));
  writeEvents(record, [eventNumber(1)]);
  expect(await failures()).toEqual({ code: 'RECORD_INVALID', message: `${file} is damaged.`, hint: BACKUP });
});

test.each([
  ['the file', (): string => parquetOf(record)],
  ['the file that an older program wrote for a week', (): string => makeWeekly(record)],
])('a single byte that differs in %s is noticed wherever it is', async (_, fileOf) => {
  await writeParquet();
  const file = fileOf();
  const whole = readFileSync(file);
  for (let at = 4; at < whole.length; at += Math.ceil(whole.length / 40)) {
    writeFileSync(
      file,
      whole.map((byte, position) => (position === at ? byte ^ 1 : byte)),
    );
    expect([at, await failureOf(readIds(database, record))]).toEqual([
      at,
      { code: 'RECORD_INVALID', message: `${file} is damaged.`, hint: BACKUP },
    ]);
  }
});

test('a record.json that is gone: what was compacted is neither left out nor removed', async () => {
  const file = await writeParquet();
  rmSync(join(record, 'record.json'));
  writeEvents(record, [eventNumber(1)]);
  expect(await failures()).toMatchObject({ code: 'RECORD_INVALID', message: `${join(record, 'record.json')} is missing.` });
  expect(readFileSync(file).length).toBeGreaterThan(0);
});

test('a file of Parquet that is gone', async () => {
  const file = await writeParquet();
  rmSync(file);
  writeEvents(record, [eventNumber(1)]);
  expect(await failures()).toEqual({ code: 'RECORD_INVALID', message: `${file} is missing.`, hint: BACKUP });
});

test('what a newer program has written is not read as if it were known: record.json, an event in the journal', async () => {
  const newer = (file: string): object => ({
    code: 'RECORD_INVALID',
    message: `${file} was written by a newer commit-to-publish.`,
    hint: 'Use that version.',
  });
  await writeParquet();
  writeEvents(record, [eventNumber(1)]);
  appendFileSync(withoutSum(), `${JSON.stringify({ ...eventNumber(2), schemaVersion: 2, extra: 1 })}\n`);
  expect(await failures()).toEqual(newer(segmentFile()));
  writeFileSync(join(record, 'record.json'), JSON.stringify({ schemaVersion: 3 }));
  expect(await failures()).toEqual(newer(join(record, 'record.json')));
  writeFileSync(join(record, 'record.json'), '{"schemaVersion": 1');
  expect(await failures()).toMatchObject({ code: 'RECORD_INVALID', message: `${join(record, 'record.json')} is damaged.` });
});

test('of a segment only the last line may be torn: those before it were acknowledged', async () => {
  writeEvents(record, [eventNumber(1), eventNumber(2), eventNumber(3)]);
  const file = withoutSum();
  const lines = readFileSync(file, 'utf8').split('\n');
  // A crash of the machine may leave zeros, and an editor empty lines.
  for (const tail of [lines[0]?.slice(0, -5), '\0'.repeat(500), '\n\n']) {
    writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n${tail}`);
    expect(await readIds(database, record)).toEqual(['e1', 'e2', 'e3']);
  }
  writeFileSync(file, [lines[0], lines[1]?.slice(0, 30), lines[2], ''].join('\n'));
  const damaged = { code: 'RECORD_INVALID', message: `${file} is damaged.`, hint: BACKUP };
  expect(await failures()).toEqual(damaged);
  writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n{"schemaVersion":1,"id":"e3"}\n{`);
  expect(await failures()).toEqual(damaged);
  writeFileSync(file, Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(`${lines[1]}\n`)]));
  expect(await failures()).toEqual(damaged);
});

test('a line that is torn within a letter of several bytes harms no other', async () => {
  writeEvents(record, [eventNumber(1), { ...eventNumber(2), team: 'Zürich 😀' }]);
  const file = withoutSum();
  const whole = readFileSync(file);
  const letters = whole.indexOf('Z');
  for (let end = letters; end < letters + 25; end += 3) {
    writeFileSync(file, whole.subarray(0, end));
    expect([end, await readIds(database, record)]).toEqual([end, ['e1']]);
  }
  writeFileSync(file, whole);
  expect(await readIds(database, record)).toEqual(['e1', 'e2']);
});

test('a folder that holds no record is left as it is', async () => {
  expect(await failures()).toMatchObject({ code: 'RECORD_MISSING' });
  const file = join(record, 'file') as AbsolutePath;
  writeFileSync(file, '');
  expect(await failureOf(readIds(database, file))).toMatchObject({
    code: 'RECORD_MISSING',
    message: `${file} is a file, but a record is a folder.`,
  });
});

test.each<[what: string, damage: (whole: Buffer) => Buffer | undefined, why: string]>([
  ['that lost its last 30 events', (whole) => whole.subarray(0, whole.length * 0.9), 'is damaged'],
  ['with one bit turned', (whole) => Buffer.from(whole.map((byte, at) => (at === 100 ? byte ^ 1 : byte))), 'is damaged'],
  ['that is gone', () => undefined, 'is missing'],
])('a closed segment %s stops every command, with its name', async (_, damage, why) => {
  writeEvents(
    record,
    Array.from({ length: 300 }, (__, at) => eventNumber(at)),
  );
  const file = segmentFile();
  const damaged = damage(readFileSync(file));
  if (damaged === undefined) rmSync(file);
  else writeFileSync(file, damaged);
  writeEvents(record, [eventNumber(1000)]);
  expect(await failures()).toEqual({ code: 'RECORD_INVALID', message: `${file} ${why}.`, hint: BACKUP });
});

test('a compaction takes the sums of segments with them', async () => {
  writeEvents(record, [eventNumber(1)]);
  await compactRecord(database, record);
  expect(readdirSync(join(record, 'journal'))).toEqual([]);
  expect(await readIds(database, record)).toEqual(['e1']);
});

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { eventNumber } from '../model/event.fixture.js';
import type { Event, Micros } from '../model/event.js';
import { failureOf, readIds } from '../safety/record.fixture.js';
import { Database } from './database.js';
import { type Ingestion, ingest, openSource } from './ingest.js';
import { LONGEST_LINE } from './read-lines.js';

const cleanUp = cleanUpIn(afterEach);
let record: AbsolutePath;
let folder: TempFolder;
beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
  record = folder.join('record');
});

const NOW = (Date.UTC(2026, 5, 1) * 1000) as Micros;

/** Ingests bytes in pieces that end anywhere, as from a pipe. */
function take(bytes: string | Uint8Array, pieces = 7): Promise<Ingestion> {
  const all = Buffer.from(bytes);
  const size = Math.max(1, Math.ceil(all.length / pieces));
  const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.subarray(at * size, (at + 1) * size));
  return ingest(
    { bytes: Readable.from(chunks), name: 'a pipe' },
    { record, doing: 'record', now: NOW, signal: new AbortController().signal, onKept: () => {} },
  );
}

async function ids(): Promise<readonly unknown[]> {
  const database = await Database.open();
  try {
    return await readIds(database, record);
  } finally {
    await database.close();
  }
}

function line(at: number, changes: Partial<Event> = {}): string {
  return `${JSON.stringify({ ...eventNumber(at), ...changes })}\n`;
}

test('what is no event is named by its line, and the rest is kept', async () => {
  const text = [line(1), 'not one\n', '\n', line(2, { endedAt: 0 as Micros }), line(3, { schemaVersion: 2 as never }), line(4).trim()].join(
    '',
  );
  expect(await take(text)).toEqual({
    kept: 2,
    repeated: 0,
    rejected: 3,
    clashing: 0,
    clashes: [],
    flaws: [
      { line: 2, flaw: 'is no JSON' },
      { line: 4, flaw: 'has "endedAt" before 2000: are these milliseconds?' },
      { line: 5, flaw: 'has schemaVersion 2, which is newer than this program' },
    ],
  });
  expect(await ids()).toEqual(['e1', 'e4']);
});

const LINES = [1, 2, 3].map((at) => line(at, { team: 'Zürich 😀' })).join('');
const MARKED = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(LINES)]);
test.each([
  ['as it is', LINES],
  ['with a byte order mark', MARKED],
  ['with line ends of Windows', LINES.replaceAll('\n', '\r\n')],
  ['without a last line end', LINES.trim()],
  ['packed', gzipSync(LINES)],
  ['packed, with a mark and twice', Buffer.concat([gzipSync(MARKED), gzipSync(LINES)])],
])('%s', async (_, bytes) => {
  // In pieces of any size, even of single bytes.
  for (const pieces of [1, 7, 100_000]) expect(await take(bytes, pieces)).toMatchObject({ rejected: 0, flaws: [] });
  expect(await ids()).toEqual(['e1', 'e2', 'e3']);
});

test('a line that is no text is left out alone', async () => {
  const bytes = Buffer.concat([Buffer.from(line(1)), Buffer.from('{"team":"'), Buffer.from([0xfc, 0x0a]), Buffer.from(line(2))]);
  expect(await take(bytes)).toMatchObject({ kept: 2, flaws: [{ line: 2, flaw: 'is no UTF-8' }] });
});

test.each([1, 40])('a line that is too long is left out alone, in %i pieces', async (pieces) => {
  for (const letter of ['x', '€']) {
    const long = letter.repeat(LONGEST_LINE / Buffer.byteLength(letter) + 1);
    const text = `${line(1)}${long}\n${line(2)}${line(3, { url: long })}${line(4)}`;
    expect(await take(text, pieces)).toMatchObject({
      kept: 3,
      flaws: [
        { line: 2, flaw: 'is longer than 1 MB' },
        { line: 4, flaw: 'is longer than 1 MB' },
      ],
    });
  }
  expect(await ids()).toEqual(['e1', 'e2', 'e4']);
});

test('of a packed file that is cut off what came before is kept', async () => {
  const noise = Array.from({ length: 500 }, (_, at) => line(at, { url: `https://host.example/${Math.sqrt(at)}` })).join('');
  const packed = gzipSync(noise);
  expect(await failureOf(take(packed.subarray(0, packed.length / 2)))).toEqual({
    code: 'FILE_UNUSABLE',
    message: 'a pipe cannot be fully unpacked: it is truncated or damaged.',
    hint: 'The events before that point were kept. Create the file again and ingest it: no event is counted twice.',
  });
  expect((await ids()).length).toBeGreaterThan(100);
  expect(await take(packed)).toMatchObject({ kept: 500 });
  expect(await ids()).toHaveLength(500);
});

test('UTF-16 is told as that', async () => {
  expect(await failureOf(take(Buffer.from(`\ufeff${LINES}`, 'utf16le')))).toMatchObject({
    code: 'FILE_UNUSABLE',
    message: 'a pipe is UTF-16.',
  });
});

test('an id that is given twice is said, with what counts; the same event sent twice is nothing to speak of', async () => {
  const [a, other, later] = [
    line(1),
    line(1, { change: '#9' }),
    line(1, { outcome: 'failure', recordedAt: (eventNumber(1).recordedAt + 1) as Micros }),
  ];
  expect(await take([a, a, other, later].join(''))).toMatchObject({
    kept: 4,
    repeated: 1,
    clashing: 2,
    clashes: [
      { line: 3, first: 1, id: 'e1', kind: 'other event' },
      { line: 4, first: 1, id: 'e1', kind: 'other content' },
    ],
  });
  expect(await ids()).toEqual(['e1', 'e1']);
});

test('an interrupted one keeps what it has read, and does not wait for an input that stays silent', async () => {
  const controller = new AbortController();
  const input = new Readable({ read() {} });
  input.push(line(1));
  const running = ingest(
    { bytes: input, name: 'a pipe' },
    { record, doing: 'record', now: NOW, signal: controller.signal, onKept: () => {} },
  );
  setImmediate(() => controller.abort());
  await expect(running).rejects.toThrow();
  expect(await ids()).toEqual(['e1']);
});

test('how far it has come is told, of a file with the share that has been read', async () => {
  const file = folder.write('events.ndjson', Array.from({ length: 20_001 }, (_, at) => line(at)).join(''));
  const steps: (readonly [number, number | undefined])[] = [];
  const onKept = (kept: number, share: number | undefined): void => void steps.push([kept, share]);
  await ingest(openSource(file), { record, doing: 'record', now: NOW, signal: new AbortController().signal, onKept });
  expect(steps).toEqual([
    [20_000, expect.any(Number)],
    [20_001, 1],
  ]);
  expect(steps[0]?.[1]).toBeGreaterThan(0.5);
});

test('a look says the same, and writes nothing', async () => {
  const file = folder.write('events.ndjson', `${line(1)}${line(1)}none\n`);
  const look = (doing: 'record' | 'look'): Promise<Ingestion> =>
    ingest(openSource(file), { record, doing, now: NOW, signal: new AbortController().signal, onKept: () => {} });
  const looked = await look('look');
  expect([looked.kept, looked.rejected, existsSync(record)]).toEqual([2, 1, false]);
  expect(await look('record')).toEqual(looked);
});

test('what cannot be opened has a name', async () => {
  const file = folder.join('events.ndjson');
  expect(() => openSource(file)).toThrow(expect.objectContaining({ code: 'FILE_UNUSABLE', message: `No such file: ${file}.` }));
  expect(() => openSource(folder.path)).toThrow(
    expect.objectContaining({ code: 'FILE_UNUSABLE', message: `${folder.path} is not a file.` }),
  );
  writeFileSync(join(folder.path, 'events.ndjson'), '');
  const source = openSource(file);
  expect(await ingest(source, { record, doing: 'record', now: NOW, signal: new AbortController().signal, onKept: () => {} })).toMatchObject(
    { kept: 0 },
  );
  await expect(ids()).rejects.toMatchObject({ code: 'RECORD_MISSING' });
});

test('a record that is a file', async () => {
  writeFileSync(record, '');
  expect(await failureOf(take(line(1)))).toMatchObject({
    code: 'FILE_UNUSABLE',
    message: `${record} cannot be written, because a part of its path is not a folder (ENOTDIR).`,
  });
});

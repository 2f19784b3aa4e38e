import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { orUnusable, readTextFile } from '@tributary/process/unusable-file';
import type { Event } from '../model/event.js';
import { parseJson } from '../model/parse-json.js';
import { replaceFile } from './durable.js';
import { checkFile, type FileSum, isFileSum, isInvalid } from './sums.js';

/**
 * The journal: segments of NDJSON, one for each write. A segment gets its name when it is whole and on disk, and never changes, so any
 * number of processes may write, read and compact at the same time.
 */
function journalOf(record: AbsolutePath): AbsolutePath {
  return join(record, 'journal') as AbsolutePath;
}

/**
 * Writes events as a segment: all are on disk when it returns, and none if it throws. Creates the folder of the record if needed. Throws
 * `DISK_FULL`, `FILE_UNUSABLE`.
 */
export function writeEvents(record: AbsolutePath, events: readonly Event[]): void {
  writeLines(record, events.map(lineOf));
}

/** Like `writeEvents`, for lines in the format of `lineOf`. */
export function writeLines(record: AbsolutePath, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const segment = join(journalOf(record), `${Date.now()}-${randomBytes(4).toString('hex')}.ndjson`);
  const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  const sum: FileSum = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  replaceFile(segment, bytes, record);
  try {
    // Afterwards: a segment without its sum is accepted, but a sum without its segment is an error.
    replaceFile(sumFileOf(segment), `${JSON.stringify(sum)}\n`, record);
  } catch (error) {
    rmSync(segment, { force: true });
    throw error;
  }
}

/** Returns an event as a line of a segment, in ASCII: DuckDB rejects a whole file if one line is torn within a multi-byte character. */
export function lineOf(event: Event): string {
  const json = JSON.stringify(event);
  return /^[\0-\x7f]*$/.test(json) ? json : json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Older programs wrote to segments named `<name>.<process>.open` until they ended, without a sum. */
const SEGMENT = /^\d+-[0-9a-f]{8}\.(?:ndjson|.*open)$/;

/** Returns the paths of the segments of a record, the oldest first. Throws `FILE_UNUSABLE`. */
export function listSegments(record: AbsolutePath): readonly string[] {
  return entriesOf(record)
    .filter((entry) => SEGMENT.test(entry))
    .sort()
    .map((entry) => join(journalOf(record), entry));
}

/** Returns the paths of segments that have a sum but are missing. Throws `FILE_UNUSABLE`. */
export function listMissing(record: AbsolutePath): readonly string[] {
  const sums = entriesOf(record).filter((entry) => entry.endsWith('.sum'));
  const segments = sums.map((entry) => join(journalOf(record), `${nameIn(entry)}.ndjson`));
  // In this order, because a compaction may remove both meanwhile, the sum first.
  return segments.filter((segment) => !existsSync(segment) && existsSync(sumFileOf(segment)));
}

function entriesOf(record: AbsolutePath): readonly string[] {
  const folder = journalOf(record);
  return existsSync(folder) ? orUnusable(folder, 'read', () => readdirSync(folder)) : [];
}

/** Returns what segments and sums of the same events have in common. */
export function nameIn(entry: string): string {
  return /\d+-[0-9a-f]{8}(?=\.[^/\\]*$)/.exec(entry)?.[0] ?? '';
}

/** Returns the path of the file with the sum of a segment. */
export function sumFileOf(segment: string): string {
  return join(dirname(segment), `${nameIn(segment)}.sum`);
}

/** Throws `RECORD_INVALID` if a segment has changed. One without a sum, from a killed writer or an older program, is accepted. */
export function checkSegment(segment: string): void {
  const file = sumFileOf(segment);
  if (!existsSync(file)) return;
  const sum = parseJson(readTextFile(file));
  if (!isFileSum(sum)) throw isInvalid(file, 'is damaged');
  checkFile(segment, [sum]);
}

/** Gives segments that an older program left open the names of whole ones. A program that still writes to one notices that. */
export function closeSegments(record: AbsolutePath): void {
  for (const segment of listSegments(record))
    if (segment.endsWith('.open'))
      orUnusable(segment, 'written', () => renameSync(segment, join(dirname(segment), `${nameIn(segment)}.ndjson`)));
}

/** Removes segments with their sums, the sum first. */
export function removeSegments(segments: readonly string[]): void {
  for (const segment of segments) {
    rmSync(sumFileOf(segment), { force: true });
    rmSync(segment, { force: true });
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from '@tributary/process/system-error';
import { orUnusable } from '@tributary/process/unusable-file';
import type { Event } from '../model/event.js';
import { replaceFile } from './durable.js';
import { type FileSum, sumFileOf } from './sums.js';

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

/** Older programs wrote to segments named `<name>.<process>.open` until they ended. */
const SEGMENT = /^(?<name>\d+-[0-9a-f]{8})\.(?:ndjson|.*open)$/;
const SUM = /^(?<name>\d+-[0-9a-f]{8})\.sum$/;
const DRAFT = /^\d+-[0-9a-f]{8}\..*draft$/;

/** Tells whether a file name in the journal is that of a segment, a sum, or a draft of one. */
export function isSegmentName(name: string): boolean {
  return [SEGMENT, SUM, DRAFT].some((pattern) => pattern.test(name));
}

interface Journal {
  /** Paths of segments, the oldest first. */
  readonly segments: readonly string[];
  /** Paths of segments that have a sum but are missing. */
  readonly missing: readonly string[];
}

/** Lists the journal of a record. Throws `FILE_UNUSABLE`. */
export function readJournal(record: AbsolutePath): Journal {
  const folder = journalOf(record);
  const entries = entriesOf(folder);
  const segments = entries.filter((entry) => SEGMENT.test(entry));
  const names = new Set(segments.map(nameIn));
  const withoutSegment = entries.filter((entry) => SUM.test(entry) && !names.has(nameIn(entry)));
  // Others write and compact while the folder is read: what is there now counts.
  const isLost = (entry: string): boolean => existsSync(join(folder, entry)) && !existsSync(join(folder, `${nameIn(entry)}.ndjson`));
  return {
    segments: segments.sort().map((entry) => join(folder, entry)),
    missing: withoutSegment.filter(isLost).map((entry) => join(folder, `${nameIn(entry)}.ndjson`)),
  };
}

function entriesOf(folder: AbsolutePath): readonly string[] {
  return existsSync(folder) ? orUnusable(folder, 'read', () => readdirSync(folder)) : [];
}

/** Returns what segments and sums of the same events have in common. */
export function nameIn(entry: string): string {
  return /\d+-[0-9a-f]{8}(?=\.[^/\\]*$)/.exec(entry)?.[0] ?? '';
}

/** Gives segments that an older program left open the names of whole ones. A program that still writes to one notices that. */
export function closeSegments(record: AbsolutePath): void {
  const folder = journalOf(record);
  for (const entry of entriesOf(folder)) {
    if (!entry.endsWith('.open') || !SEGMENT.test(entry)) continue;
    orUnusable(folder, 'written', () => {
      try {
        renameSync(join(folder, entry), join(folder, `${nameIn(entry)}.ndjson`));
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
      }
    });
  }
}

/** Removes segments with their sums, the sum first. */
export function removeSegments(segments: readonly string[]): void {
  for (const segment of segments) {
    rmSync(sumFileOf(segment), { force: true });
    rmSync(segment, { force: true });
  }
}

/** In milliseconds. Writing a segment takes far less. */
const OLD = 24 * 3600e3;

/** Removes what killed writers began. */
export function removeDrafts(record: AbsolutePath): void {
  const folder = journalOf(record);
  for (const entry of entriesOf(folder)) {
    const file = join(folder, entry);
    const written = DRAFT.test(entry) ? statSync(file, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (written !== undefined && Date.now() - written > OLD) rmSync(file, { force: true });
  }
}

import { createHash, type Hash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isAlive, thisProcess } from '@tributary/process/lock';
import { syncFolder } from '@tributary/process/sync-to-disk';
import { hasCode } from '@tributary/process/system-error';
import { orUnusable } from '@tributary/process/unusable-file';
import type { Event } from '../model/event.js';
import { makeFolders } from './durable.js';
import { type SegmentSum, SUM_NAME, sumFileOf } from './segment-sum.js';

/** A file of events that are on disk but not compacted yet. */
export interface Segment {
  /** Stays the same when the segment is closed. */
  readonly name: string;
  readonly file: AbsolutePath;
  /** `open`: a process may still write to it. */
  readonly state: 'open' | 'closed';
}

/** In bytes. A compaction reads a segment as a whole, and needs memory for all its events. */
export const LARGEST_SEGMENT = 2e9;

/**
 * Writes events to segments of its own as lines of NDJSON. It only appends, so any number of processes may write and read at the same time. A
 * reader of an open segment sees at most one torn line, which was not acknowledged yet.
 */
export class SegmentWriter {
  private readonly record: AbsolutePath;
  /** In bytes. */
  private readonly largest: number;
  private segment: OpenSegment;

  /** The number of bytes of the segment that are safely on disk. */
  private kept = 0;
  private lines = 0;
  private hash: Hash = createHash('sha256');

  /** Creates the folder of the record if needed. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  constructor(record: AbsolutePath, largest = LARGEST_SEGMENT) {
    this.record = record;
    this.largest = largest;
    this.segment = openSegment(record);
  }

  /** Appends events: all are on disk when it returns, and none if it throws. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  append(events: readonly Event[]): void {
    this.appendLines(events.map(lineOf));
  }

  /** Like `append`, for lines in the format of `lineOf`. */
  appendLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
    this.write(bytes, lines.length);
    if (!isThere(this.segment.file)) {
      // Another process took this one for dead and closed the segment. Its lines may be compacted, maybe including these; written twice,
      // they count once.
      closeSync(this.segment.handle);
      this.begin();
      this.write(bytes, lines.length);
    }
    if (this.kept < this.largest) return;
    this.close();
    this.begin();
  }

  private begin(): void {
    this.segment = openSegment(this.record);
    this.kept = 0;
    this.lines = 0;
    this.hash = createHash('sha256');
  }

  private write(bytes: Uint8Array, lines: number): void {
    const { file, handle } = this.segment;
    orUnusable(file, 'written', () => {
      try {
        for (let written = 0; written < bytes.length; )
          written += writeSync(handle, bytes, written, bytes.length - written, this.kept + written);
        fsyncSync(handle);
      } catch (error) {
        // Otherwise a later append would leave a torn line in the middle, and a full disk would stay full.
        ftruncateSync(handle, this.kept);
        throw error;
      }
    });
    this.kept += bytes.length;
    this.lines += lines;
    this.hash.update(bytes);
  }

  /** Closes the segment, so that it may be compacted. Removes an empty one. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  close(): void {
    const { name, file, handle } = this.segment;
    closeSync(handle);
    // A writer that was taken for dead no longer owns its segment.
    if (this.kept > 0 && isThere(file)) writeSum(file, name, { lines: this.lines, bytes: this.kept, sha256: this.hash.digest('hex') });
    if (this.kept > 0) closeSegment({ name, file });
    else orUnusable(file, 'written', () => rmSync(file, { force: true }));
  }
}

/**
 * Writes the sum before the segment gets the name of a closed one, from which on the sum is checked. Atomic, even if the process is killed.
 */
function writeSum(file: AbsolutePath, name: string, sum: SegmentSum): void {
  const sumFile = sumFileOf(join(dirname(file), `${name}.ndjson`));
  const draft = `${sumFile}.draft`;
  orUnusable(sumFile, 'written', () => {
    try {
      const handle = openSync(draft, 'w');
      try {
        writeSync(handle, `${JSON.stringify(sum)}\n`);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, sumFile);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    // Another process took this one for dead, and may have compacted the segment.
    if (!isThere(file)) rmSync(sumFile, { force: true });
  });
}

interface OpenSegment extends Pick<Segment, 'name' | 'file'> {
  readonly handle: number;
}

function openSegment(record: AbsolutePath): OpenSegment {
  const folder = journalOf(record);
  const { host, pid, born } = thisProcess();
  const name = `${Date.now()}-${randomBytes(4).toString('hex')}`;
  const file = join(folder, `${name}.${pid}.${born}.${encodeURIComponent(host)}.open`) as AbsolutePath;
  const handle = orUnusable(record, 'written', () => {
    makeFolders(folder);
    // Not for appending: Windows lets nobody cut off what was opened so.
    const opened = openSync(file, 'wx');
    syncFolder(folder);
    return opened;
  });
  return { name, file, handle };
}

/** Opens the file, because that asks the server of a shared disk, while a lookup of the name may use a cache. */
function isThere(file: AbsolutePath): boolean {
  return orUnusable(file, 'read', () => {
    try {
      closeSync(openSync(file, 'r'));
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
  });
}

/**
 * Renames a segment to a closed one, whoever wrote it. A writer that is still alive notices that, and begins another. Does nothing if the
 * segment is already closed, even by another process. Returns `undefined` if it is gone. Throws `FILE_UNUSABLE`.
 */
export function closeSegment({ name, file }: Pick<Segment, 'name' | 'file'>): Segment | undefined {
  const folder = dirname(file);
  const closed = join(folder, `${name}.ndjson`) as AbsolutePath;
  if (file !== closed)
    orUnusable(file, 'written', () => {
      try {
        renameSync(file, closed);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
      }
      syncFolder(folder);
    });
  return isThere(closed) ? { name, file: closed, state: 'closed' } : undefined;
}

/** Returns an event as a line of a segment, in ASCII: DuckDB rejects a whole file if one line is torn within a multi-byte character. */
export function lineOf(event: Event): string {
  const json = JSON.stringify(event);
  return /^[\0-\x7f]*$/.test(json) ? json : json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const SEGMENT = /^(?<name>\d+-[0-9a-f]{8})\.(?<writer>.*?)(?<ending>open|ndjson)$/;

/** Tells whether a file name in the journal is that of a segment or a sum. */
export function isSegmentName(name: string): boolean {
  return SEGMENT.test(name) || SUM_NAME.test(name);
}

/**
 * Lists segments in the order of their creation. A segment counts as closed if its process is dead, or if a process of another machine has
 * not written for a week. Throws `FILE_UNUSABLE`.
 */
export function listSegments(record: AbsolutePath): readonly Segment[] {
  const folder = journalOf(record);
  if (!existsSync(folder)) return [];
  const entries = orUnusable(folder, 'read', () => readdirSync(folder));
  const found = entries.flatMap((entry): Segment[] => {
    const { name, writer, ending } = SEGMENT.exec(entry)?.groups ?? {};
    if (name === undefined || writer === undefined) return [];
    const file = join(folder, entry) as AbsolutePath;
    return [{ name, file, state: ending === 'open' && mayWrite(writer, file) ? 'open' : 'closed' }];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the paths of segments that have a sum but are missing. Throws `FILE_UNUSABLE`. */
export function listGone(record: AbsolutePath, there: ReadonlySet<string>): readonly string[] {
  const folder = journalOf(record);
  if (!existsSync(folder)) return [];
  const entries = orUnusable(folder, 'read', () => readdirSync(folder));
  const names = entries.flatMap((entry) => (entry.endsWith('.sum') ? (SUM_NAME.exec(entry)?.[1] ?? []) : []));
  // A segment that was renamed while the folder was read is in neither list.
  const isGone = (name: string): boolean =>
    !there.has(name) && !entries.some((entry) => entry !== `${name}.sum` && entry.startsWith(`${name}.`));
  return names.filter((name) => isGone(name) && !existsSync(join(folder, `${name}.ndjson`))).map((name) => join(folder, `${name}.ndjson`));
}

/**
 * Tells by the end of a file name, such as `417.88123.build-7.`, whether its process may write. A process of another machine may, unless it
 * has been silent for a week.
 */
function mayWrite(writer: string, file: AbsolutePath): boolean {
  const { pid, born = '', host = '' } = /^(?<pid>\d+)\.(?<born>\d*)\.(?<host>.*)\.$/.exec(writer)?.groups ?? {};
  if (pid === undefined) return true;
  const holder = { pid: Number(pid), born, host: decodeURIComponent(host) };
  return isAlive(holder) && (holder.host === thisProcess().host || !isSilent(file));
}

const SILENCE_MS = 7 * 24 * 3600e3;

function isSilent(file: AbsolutePath): boolean {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Date.now() - written > SILENCE_MS;
}

function journalOf(record: AbsolutePath): AbsolutePath {
  return join(record, 'journal') as AbsolutePath;
}

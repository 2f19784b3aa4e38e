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

/** A file of events that are on the disk and not compacted yet. */
export interface Segment {
  /** The same while it is written to and afterwards. */
  readonly name: string;
  readonly file: AbsolutePath;
  /** `open`: a process may still write to it. */
  readonly state: 'open' | 'closed';
}

/**
 * Writes events into a segment of its own, line by line as NDJSON, and only ever appends: any number of processes may write and read at the same time. Whoever reads
 * an open one meets at most one torn line, which nobody was promised.
 */
export class SegmentWriter {
  private readonly record: AbsolutePath;
  private segment: OpenSegment;

  /** How many bytes of the segment are on the disk for sure. */
  private kept = 0;
  private lines = 0;
  private hash: Hash = createHash('sha256');

  /** Makes the folder of the record where it is missing. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  constructor(record: AbsolutePath) {
    this.record = record;
    this.segment = openSegment(record);
  }

  /** The events are on the disk when it returns, and none of them is when it throws. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  append(events: readonly Event[]): void {
    this.appendLines(events.map(lineOf));
  }

  /** The same for lines as `lineOf` has them. */
  appendLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
    this.write(bytes, lines.length);
    if (isThere(this.segment.file)) return;
    // Somebody took this process for gone. What it had written before may be compacted by now, and nobody knows whether these lines are: twice they count once.
    closeSync(this.segment.handle);
    this.segment = openSegment(this.record);
    this.kept = 0;
    this.lines = 0;
    this.hash = createHash('sha256');
    this.write(bytes, lines.length);
  }

  private write(bytes: Uint8Array, lines: number): void {
    const { file, handle } = this.segment;
    orUnusable(file, 'written', () => {
      try {
        for (let written = 0; written < bytes.length; )
          written += writeSync(handle, bytes, written, bytes.length - written, this.kept + written);
        fsyncSync(handle);
      } catch (error) {
        // Else a torn line would stand in the middle if somebody went on, and a full disk would stay full.
        ftruncateSync(handle, this.kept);
        throw error;
      }
    });
    this.kept += bytes.length;
    this.lines += lines;
    this.hash.update(bytes);
  }

  /** From now on it may be compacted. Nothing is left of one that holds nothing. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  close(): void {
    const { name, file, handle } = this.segment;
    closeSync(handle);
    // A writer that was taken for gone has no say in what became of its segment.
    if (this.kept > 0 && isThere(file)) writeSum(file, name, { lines: this.lines, bytes: this.kept, sha256: this.hash.digest('hex') });
    if (this.kept > 0) closeSegment({ name, file });
    else orUnusable(file, 'written', () => rmSync(file, { force: true }));
  }
}

/** Before the segment gets the name of a closed one: from then on it is held to it. Whole or not at all, also where the process is killed. */
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
    // Somebody took this process for gone meanwhile, and may have compacted what it wrote.
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

/** Opened, for that asks the server of a shared disk, which a look at the name may not. */
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
 * Gives a segment the name of a closed one, whoever has written it: a writer that is not gone after all sees by it that it must begin another. Where that is what it is called it stays so, also if
 * somebody else has closed it meanwhile. `undefined`: it is gone. Throws `FILE_UNUSABLE`.
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

/** Returns an event as a line of a segment, in ASCII: DuckDB refuses a whole file for one line that was torn off within a letter of several bytes. */
export function lineOf(event: Event): string {
  const json = JSON.stringify(event);
  return /^[\0-\x7f]*$/.test(json) ? json : json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const SEGMENT = /^(?<name>\d+-[0-9a-f]{8})\.(?<writer>.*?)(?<ending>open|ndjson)$/;

/** Whether a file of the journal is called as its segments are. */
export function isSegmentName(name: string): boolean {
  return SEGMENT.test(name) || SUM_NAME.test(name);
}

/** In the order in which they were begun. What a process that is gone has left counts as closed, and what one of another machine has not added to for a week. Throws `FILE_UNUSABLE`. */
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

/** The names of segments that have a sum and are gone, as files that would be there. Throws `FILE_UNUSABLE`. */
export function listGone(record: AbsolutePath, there: ReadonlySet<string>): readonly string[] {
  const folder = journalOf(record);
  if (!existsSync(folder)) return [];
  const entries = orUnusable(folder, 'read', () => readdirSync(folder));
  const names = entries.flatMap((entry) => (entry.endsWith('.sum') ? (SUM_NAME.exec(entry)?.[1] ?? []) : []));
  // One that was renamed while the folder was read is in no list.
  const isGone = (name: string): boolean =>
    !there.has(name) && !entries.some((entry) => entry !== `${name}.sum` && entry.startsWith(`${name}.`));
  return names.filter((name) => isGone(name) && !existsSync(join(folder, `${name}.ndjson`))).map((name) => join(folder, `${name}.ndjson`));
}

/** By the end of the file's name, such as `417.88123.build-7.`. A process of another machine cannot be asked: it may write, but for one that has been silent for a week. */
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

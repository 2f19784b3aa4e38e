import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isAlive, thisProcess } from '@tributary/process/lock';
import { orUnusable } from '@tributary/process/unusable-file';
import type { Event } from '../model/event.js';
import { makeFolders, syncFolder } from './durable.js';

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
  private readonly folder: AbsolutePath;
  private readonly name: string;
  private readonly openFile: string;
  private readonly handle: number;

  /** How many bytes are on the disk for sure. */
  private kept = 0;

  /** Makes the folder of the record where it is missing. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  constructor(record: AbsolutePath) {
    this.folder = journalOf(record);
    const { host, pid, born } = thisProcess();
    this.name = `${Date.now()}-${randomBytes(4).toString('hex')}`;
    this.openFile = join(this.folder, `${this.name}.${pid}.${born}.${encodeURIComponent(host)}.open`);
    this.handle = orUnusable(record, 'written', () => {
      makeFolders(this.folder);
      const handle = openSync(this.openFile, 'ax');
      syncFolder(this.folder);
      return handle;
    });
  }

  /** The events are on the disk when it returns, and none of them is when it throws. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  append(events: readonly Event[]): void {
    if (events.length === 0) return;
    const bytes = Buffer.from(events.map((event) => `${asAscii(JSON.stringify(event))}\n`).join(''), 'latin1');
    orUnusable(this.openFile, 'written', () => this.write(bytes));
    this.kept += bytes.length;
  }

  private write(bytes: Uint8Array): void {
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.handle, bytes, written);
      fsyncSync(this.handle);
    } catch (error) {
      // Else a torn line would stand in the middle if somebody went on, and a full disk would stay full.
      ftruncateSync(this.handle, this.kept);
      throw error;
    }
  }

  /** From now on it may be compacted. Nothing is left of one that holds nothing. Throws `DISK_FULL`, `FILE_UNUSABLE`. */
  close(): void {
    closeSync(this.handle);
    orUnusable(this.openFile, 'written', () => {
      if (this.kept === 0) rmSync(this.openFile);
      else renameSync(this.openFile, join(this.folder, `${this.name}.ndjson`));
      syncFolder(this.folder);
    });
  }
}

/** DuckDB refuses a whole file for one line that was torn off within a letter of several bytes. */
function asAscii(json: string): string {
  return /^[\0-\x7f]*$/.test(json) ? json : json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const SEGMENT = /^(?<name>\d+-[0-9a-f]{8})\.(?<writer>.*?)(?<ending>open|ndjson)$/;

/** Whether a file of the journal is called as its segments are. */
export function isSegmentName(name: string): boolean {
  return SEGMENT.test(name);
}

/** In the order in which they were begun. What a process that is gone has left counts as closed. Throws `FILE_UNUSABLE`. */
export function listSegments(record: AbsolutePath): readonly Segment[] {
  const folder = journalOf(record);
  if (!existsSync(folder)) return [];
  const entries = orUnusable(folder, 'read', () => readdirSync(folder));
  const found = entries.flatMap((entry): Segment[] => {
    const { name, writer, ending } = SEGMENT.exec(entry)?.groups ?? {};
    if (name === undefined || writer === undefined) return [];
    const state = ending === 'open' && mayWrite(writer) ? 'open' : 'closed';
    return [{ name, file: join(folder, entry) as AbsolutePath, state }];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** By the end of the file's name, such as `417.88123.build-7.`. Whoever cannot be asked may write. */
function mayWrite(writer: string): boolean {
  const { pid, born = '', host = '' } = /^(?<pid>\d+)\.(?<born>\d*)\.(?<host>.*)\.$/.exec(writer)?.groups ?? {};
  return pid === undefined || isAlive({ pid: Number(pid), born, host: decodeURIComponent(host) });
}

function journalOf(record: AbsolutePath): AbsolutePath {
  return join(record, 'journal') as AbsolutePath;
}

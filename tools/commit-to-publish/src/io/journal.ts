import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isAlive, thisProcess } from '@tributary/process/lock';
import type { Event } from '../model/event.js';

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

  /** Makes the folder of the record where it is missing. */
  constructor(record: AbsolutePath) {
    this.folder = journalOf(record);
    mkdirSync(this.folder, { recursive: true });
    const { host, pid, born } = thisProcess();
    this.name = `${Date.now()}-${randomBytes(4).toString('hex')}`;
    this.openFile = join(this.folder, `${this.name}.${pid}.${born}.${encodeURIComponent(host)}.open`);
    this.handle = openSync(this.openFile, 'ax');
    syncFolder(this.folder);
  }

  /** The events are on the disk when it returns. */
  append(events: readonly Event[]): void {
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    for (let written = 0; written < bytes.length; ) written += writeSync(this.handle, bytes, written);
    if (bytes.length > 0) fsyncSync(this.handle);
  }

  /** From now on it may be compacted. */
  close(): void {
    closeSync(this.handle);
    renameSync(this.openFile, join(this.folder, `${this.name}.ndjson`));
    syncFolder(this.folder);
  }
}

/** In the order in which they were begun. What a process that is gone has left counts as closed. */
export function listSegments(record: AbsolutePath): readonly Segment[] {
  const folder = journalOf(record);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((entry): Segment[] => {
    const { name, writer, ending } = /^(?<name>\d+-[0-9a-f]{8})\.(?<writer>.*?)(?<ending>open|ndjson)$/.exec(entry)?.groups ?? {};
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

/** Else a file's name may be lost although its content is on the disk. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

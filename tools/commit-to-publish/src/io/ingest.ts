import { createReadStream, statSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { nameFailure } from '@tributary/process/unusable-file';
import type { Micros } from '../model/event.js';
import { isPlainLine } from '../model/is-plain-line.js';
import { parseEventLine } from '../model/parse-event.js';
import { type Clash, SeenIds } from '../model/seen-ids.js';
import { lineOf, writeLines } from './journal.js';
import { plainBytes } from './plain-bytes.js';
import { type InputLine, readLines } from './read-lines.js';

export interface Ingestion {
  /** Includes events that the record already had: counting them would need all ids of the record. */
  readonly kept: number;
  /** How many of the kept events repeat an earlier line, as far as `SeenIds` remembers. */
  readonly repeated: number;
  readonly rejected: number;
  /** The first of the rejected lines. */
  readonly flaws: readonly LineFlaw[];
  /** How many of the kept events share an id with a different one, as far as `SeenIds` remembers. */
  readonly clashing: number;
  /** The first of them. */
  readonly clashes: readonly Clash[];
}

interface LineFlaw {
  /** From 1. */
  readonly line: number;
  /** A predicate without its subject, the line. */
  readonly flaw: string;
}

/** The number of events per sync. */
const BATCH = 20_000;
const SHOWN = 20;

interface IngestWork {
  readonly record: AbsolutePath;
  /** `look`: nothing is written, and `kept` is what would have been. */
  readonly doing: 'record' | 'look';
  readonly now: Micros;
  readonly signal: AbortSignal;
  /** Called with the number of events on disk, and the share of the source that has been read (0 to 1), if its length is known. */
  readonly onKept: (kept: number, share: number | undefined) => void;
}

/**
 * Records the events of an NDJSON source. It counts and omits invalid lines, and skips empty ones. Events kept before a failure or a kill
 * stay. Its memory does not grow with the source. Throws `FILE_UNUSABLE`, `DISK_FULL`.
 */
export async function ingest(source: OpenSource, { record, doing, now, signal, onKept }: IngestWork): Promise<Ingestion> {
  const sorter = new LineSorter(now);
  let kept = 0;
  const keep = (): void => {
    kept += sorter.batch.length;
    const batch = sorter.batch.splice(0);
    if (doing === 'record') writeLines(record, batch);
    onKept(kept, source.shareRead?.());
  };
  // Without this, a silent input would keep an interrupted command alive.
  addAbortSignal(signal, source.bytes);
  try {
    for await (const lines of readLines(plainBytes(source.bytes, source.name))) {
      signal.throwIfAborted();
      for (const line of lines) {
        sorter.take(line);
        if (sorter.batch.length === BATCH) keep();
      }
    }
  } catch (error) {
    throw nameFailure(error, { path: source.name, what: 'read' });
  } finally {
    // Events read before a source failed are as good as the others.
    keep();
  }
  return { kept, ...sorter.found };
}

/** Sorts lines into events and invalid ones. */
class LineSorter {
  /** Accepted events as lines of a segment, until they are taken away. */
  readonly batch: string[] = [];
  private readonly now: Micros;
  private readonly ids = new SeenIds();
  private readonly flaws: LineFlaw[] = [];
  private readonly clashes: Clash[] = [];
  private rejected = 0;
  private clashing = 0;
  private repeated = 0;
  private line = 0;

  constructor(now: Micros) {
    this.now = now;
  }

  get found(): Omit<Ingestion, 'kept'> {
    return { repeated: this.repeated, rejected: this.rejected, flaws: this.flaws, clashing: this.clashing, clashes: this.clashes };
  }

  take(line: InputLine): void {
    this.line++;
    if (typeof line !== 'string') return this.reject(line.flaw);
    if (line.trim() === '') return;
    const event = parseEventLine(line, this.now);
    if (typeof event === 'string') return this.reject(event);
    const before = this.ids.see(event, line, this.line);
    if (before === 'same') this.repeated++;
    else if (before !== undefined && ++this.clashing <= SHOWN) this.clashes.push(before);
    // Serialising an event takes as long as parsing it.
    this.batch.push(isPlainLine(line, event) ? line : lineOf(event));
  }

  private reject(flaw: string): void {
    if (++this.rejected <= SHOWN) this.flaws.push({ line: this.line, flaw });
  }
}

/** A file or standard input. */
export type IngestSource = AbsolutePath | 'standard input';

interface OpenSource {
  readonly bytes: Readable;
  /** For messages. */
  readonly name: string;
  /** From 0 to 1; missing if the length is unknown. */
  readonly shareRead?: () => number;
}

/** Throws `FILE_UNUSABLE`. */
export function openSource(source: IngestSource): OpenSource {
  if (source === 'standard input') return { bytes: process.stdin, name: source };
  const stat = statSync(source, { throwIfNoEntry: false });
  // A shell passes the output of a program as a named pipe.
  if (stat === undefined || !(stat.isFile() || stat.isFIFO()))
    throw new ToolError({
      code: 'FILE_UNUSABLE',
      message: stat === undefined ? `No such file: ${source}.` : `${source} is not a file.`,
      hint: 'Give a file of events, one per line, or - for stdin.',
      data: { file: source },
    });
  const bytes = createReadStream(source, { highWaterMark: 1 << 20 });
  // Capped, because others may append to the file while it is read.
  return { bytes, name: source, ...(stat.isFile() ? { shareRead: () => Math.min(1, bytes.bytesRead / Math.max(1, stat.size)) } : {}) };
}

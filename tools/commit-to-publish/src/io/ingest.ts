import { createReadStream, statSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Event, Micros } from '../model/event.js';
import { parseEventLine } from '../model/parse-event.js';
import { SegmentWriter } from './journal.js';

export interface Ingestion {
  readonly kept: number;
  readonly rejected: number;
  /** The first of the rejected. */
  readonly flaws: readonly LineFlaw[];
}

export interface LineFlaw {
  /** From 1. */
  readonly line: number;
  /** The end of a sentence that begins with the line. */
  readonly flaw: string;
}

/** How many events are synced at once. */
const BATCH = 20_000;
const SHOWN = 20;

export interface IngestWork {
  readonly record: AbsolutePath;
  readonly now: Micros;
  readonly signal: AbortSignal;
  /** Called with how many events are on the disk. */
  readonly onKept: (kept: number) => void;
}

/** Records the events of a stream of NDJSON. A line that is no event is left out and counted; empty ones are passed over. What was kept when it fails or is killed stays kept. */
export async function ingest(input: NodeJS.ReadableStream, { record, now, signal, onKept }: IngestWork): Promise<Ingestion> {
  const writer = new SegmentWriter(record);
  const flaws: LineFlaw[] = [];
  let [batch, kept, rejected, line]: [Event[], number, number, number] = [[], 0, 0, 0];
  const keep = (): void => {
    writer.append(batch);
    kept += batch.length;
    batch = [];
    onKept(kept);
  };
  try {
    for await (const lines of linesOf(input)) {
      signal.throwIfAborted();
      for (const text of lines) {
        line++;
        if (text.trim() === '') continue;
        const event = parseEventLine(text, now);
        if (typeof event !== 'string') batch.push(event);
        else if (++rejected <= SHOWN) flaws.push({ line, flaw: event });
        if (batch.length === BATCH) keep();
      }
    }
    keep();
  } finally {
    writer.close();
  }
  return { kept, rejected, flaws };
}

/** Many at a time: a step for every line would take longer than reading it. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<readonly string[]> {
  let rest = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  yield [rest];
}

/** A file, or what is piped in. */
export type IngestSource = AbsolutePath | 'standard input';

/** Throws `FILE_UNUSABLE`. */
export function openSource(source: IngestSource): NodeJS.ReadableStream {
  if (source === 'standard input') return process.stdin;
  if (statSync(source, { throwIfNoEntry: false })?.isFile() !== true)
    throw new ToolError({
      code: 'FILE_UNUSABLE',
      message: `${source} is no file.`,
      hint: 'Name a file of events, a line each, or - for standard input.',
    });
  return createReadStream(source, { highWaterMark: 1 << 20 });
}

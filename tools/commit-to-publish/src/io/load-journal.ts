import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isToolError, ToolError } from '@tributary/model/errors';
import { journalQuery, lastOfEach, mayRepeat, strangeLinesQuery } from '../engine/event-queries.js';
import type { Database } from './database.js';
import { checkSegment } from './sums.js';

/**
 * Loads the events of segments into the table `fresh`: each once, and of several with the same key only the one that counts. Throws
 * `RECORD_INVALID`.
 */
export async function loadJournal(database: Database, segments: readonly string[]): Promise<void> {
  for (const segment of segments) checkSegment(segment);
  await readLines(database, segments);
  const [row] = await database.rows('select count(*) as strange from fresh where is_strange');
  if (Number(row?.['strange']) > 0) {
    for (const segment of segments) await checkLines(database, segment);
    await database.run('delete from fresh where is_strange');
  }
  await database.run('alter table fresh drop column is_strange');
  const [same] = await database.rows(mayRepeat('fresh'));
  if (Number(same?.['repeated'] ?? 0) > 0) await database.run(`create or replace table fresh as ${lastOfEach('fresh')}`);
}

/** Reads segments; line by line, which is slower, if a line may be torn, or if DuckDB fails on the whole files. */
async function readLines(database: Database, segments: readonly string[]): Promise<void> {
  const read = (query: string): Promise<void> => database.run(`create or replace table fresh as ${query}`);
  const [whole, torn] = [segments.filter(isWhole), segments.filter((file) => !isWhole(file))];
  try {
    await read(journalQuery({ whole, torn }));
  } catch (error) {
    if (isToolError(error) || whole.length === 0) throw error;
    await read(journalQuery({ whole: [], torn: segments }));
  }
}

/** A higher count would tell nothing more. */
const SHOWN = 100;

/**
 * Throws `RECORD_INVALID` for strange lines, except the last one of a segment of an older program that was killed or still writes. All
 * others were acknowledged.
 */
async function checkLines(database: Database, file: string): Promise<void> {
  const rows = await database.rows(strangeLinesQuery(file, SHOWN));
  const newer = rows.find(({ version }) => Number(version ?? 0) > 1);
  if (newer !== undefined) throw isNewer(file);
  const lines = rows.map(({ line }) => String(line));
  const isTorn = lines.length === 1 && lastLineOf(file).startsWith(lines[0] ?? '');
  if (lines.length > 0 && !isTorn) throw isDamaged(file, lines);
}

/** Returns the text after the last line break; only the end of a line that is too long. */
function lastLineOf(file: string): string {
  const end = endOf(file, 1 << 20);
  return end.slice(end.lastIndexOf('\n') + 1);
}

function isWhole(file: string): boolean {
  return endOf(file, 1) === '\n';
}

function endOf(file: string, length: number): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const end = Buffer.alloc(Math.min(size, length));
    readSync(handle, end, 0, end.length, size - end.length);
    return end.toString();
  } finally {
    closeSync(handle);
  }
}

/** For content of a newer program version. */
function isNewer(file: string): ToolError {
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} was written by a newer commit-to-publish.`,
    hint: 'Use that version.',
    data: { file },
  });
}

function isDamaged(file: string, lines: readonly string[]): ToolError {
  const [first = ''] = lines;
  const count = lines.length === 1 ? 'a line that is' : `${lines.length === SHOWN ? 'many' : lines.length} lines that are`;
  return new ToolError({
    code: 'RECORD_INVALID',
    message: `${file} is damaged: it has ${count} not an event.`,
    hint: `Restore it from a backup, or remove the invalid lines. The first begins with ${JSON.stringify(first.slice(0, 40))}.`,
    data: { file, lines: lines.map((line) => line.slice(0, 200)) },
  });
}

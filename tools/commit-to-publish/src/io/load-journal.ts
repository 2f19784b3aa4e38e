import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';
import { isNoEvent, journalQuery, lastOfEach, mayRepeat, strangeLinesQuery } from '../engine/event-queries.js';
import type { Database } from './database.js';
import type { Segment } from './journal.js';

type Source = Pick<Segment, 'file' | 'state'>;

/** Makes the events of segments the table `fresh`: each once, and of several with the same key the one that counts. Throws `RECORD_INVALID`. */
export async function loadJournal(database: Database, segments: readonly Source[]): Promise<void> {
  await database.run(`create or replace temp table fresh as ${journalQuery(segments.map(({ file }) => file))}`);
  const [row] = await database.rows(`select count(*) as strange from fresh where ${isNoEvent()}`);
  if (Number(row?.['strange']) > 0) {
    for (const segment of segments) await checkLines(database, segment);
    await database.run(`delete from fresh where ${isNoEvent()}`);
  }
  await database.run('alter table fresh drop column schemaVersion');
  const [same] = await database.rows(mayRepeat('fresh'));
  if (Number(same?.['repeated'] ?? 0) > 0) await database.run(`create or replace temp table fresh as ${lastOfEach('fresh')}`);
}

/** More tell nothing more. */
const SHOWN = 100;

/** Nobody was promised the last line of a segment whose writer was killed, or writes now. All others were acknowledged. */
async function checkLines(database: Database, { file, state }: Source): Promise<void> {
  const rows = await database.rows(strangeLinesQuery(file, SHOWN));
  const newer = rows.find(({ version }) => Number(version ?? 0) > 1);
  if (newer !== undefined) throw isNewer(file);
  const lines = rows.map(({ line }) => String(line));
  const isTorn = lines.length === 1 && (state === 'open' || lastLineOf(file).startsWith(lines[0] ?? ''));
  if (lines.length > 0 && !isTorn) throw isDamaged(file, lines);
}

/** What stands behind the last line break. */
function lastLineOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const tail = Buffer.alloc(Math.min(size, LONGEST_LINE));
    readSync(handle, tail, 0, tail.length, size - tail.length);
    return tail.subarray(tail.lastIndexOf('\n') + 1).toString();
  } finally {
    closeSync(handle);
  }
}

const LONGEST_LINE = 1 << 20;

/** What was written by a program that knows more than this one. */
export function isNewer(file: string): ToolError {
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
    message: `${file} is damaged: it has ${count} no event.`,
    hint: `Take it back from a backup, or take out what is no event. The first begins with ${JSON.stringify(first.slice(0, 40))}.`,
    data: { file, lines: lines.map((line) => line.slice(0, 200)) },
  });
}

import { compactRecord } from '@tributary/commit-to-publish/io/compact';
import type { Database } from '@tributary/commit-to-publish/io/database';
import { writeEvents } from '@tributary/commit-to-publish/io/journal';
import { readReport } from '@tributary/commit-to-publish/io/read-report';
import { withEvents } from '@tributary/commit-to-publish/io/record';
import type { Micros } from '@tributary/commit-to-publish/model/event';
import { type ReportQuestion, startOfWeek, weekOf } from '@tributary/commit-to-publish/report/question';
import type { AbsolutePath } from '@tributary/model/paths';
import { eventsOf, RELEASE_SETS, type ReleaseSet } from './publish-releases.js';

/** Figures in hours. */
interface Figures {
  readonly n: number;
  readonly p50: number;
  readonly p90: number;
}

const HOUR = 3600e6;

/** Compares a report of real releases with independently computed figures; `folder` has the files of the releases. */
export async function compareTables(database: Database, folder: string, makeRecord: (name: string) => AbsolutePath): Promise<string> {
  const rows: string[][] = [['', 'n', '', 'P50, h', '', 'P90, h', '', '']];
  for (const set of RELEASE_SETS) {
    const found = await measure(database, makeRecord(set.file + set.name), { folder, set });
    rows.push(rowOf(set, found));
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '))
    .join('\n');
}

/** Measures through the journal, Parquet and the report: all changes of all packages as one row. */
async function measure(
  database: Database,
  record: AbsolutePath,
  { folder, set }: { readonly folder: string; readonly set: ReleaseSet },
): Promise<Figures> {
  writeEvents(
    record,
    eventsOf(folder, set).map((event) => ({ ...event, team: 'all' })),
  );
  await compactRecord(database, record);
  const until = startOfWeek(weekOf((Date.UTC(2027, 0, 1) * 1000) as Micros));
  const weeks = weekOf(until) - weekOf((Date.UTC(2010, 0, 1) * 1000) as Micros);
  const question: ReportQuestion = {
    by: 'team',
    weeks,
    since: startOfWeek(weekOf(until) - 1),
    until,
    method: 'linear',
    actor: 'all',
    lead: { ready: 'merged', until: 'published', channels: new Set(['tag']) },
  };
  const { rows } = await withEvents(database, record, () => readReport(database, question));
  const [row] = rows;
  const hours = (value: number | undefined): number => (value ?? Number.NaN) / HOUR;
  return { n: row?.n ?? 0, p50: hours(row?.p50?.value), p90: hours(row?.p90?.value) };
}

function rowOf({ name, expected }: ReleaseSet, found: Figures): string[] {
  const isSame = found.n === expected.n && isRounded(found.p50, expected.p50) && isRounded(found.p90, expected.p90);
  const cells = (['n', 'p50', 'p90'] as const).flatMap((key) => [show(found[key], key), `(${show(expected[key], key)})`]);
  return [name, ...cells, isSame ? 'same' : 'DIFFERENT'];
}

function show(value: number, key: keyof Figures): string {
  return key === 'n' ? String(value) : value.toFixed(1);
}

/** Returns whether a value agrees in the recorded digits, at least two; days were recorded as days. */
function isRounded(found: number, expected: number): boolean {
  return Math.abs(found - expected) <= Math.max(0.05, expected % 24 === 0 ? 12.01 : 0.005 * expected);
}

// Two independent engines compute the same percentiles of the same rows.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import initSqlite, { type Database as Sqlite } from '@sqlite.org/sqlite-wasm';
import fc from 'fast-check';
import { babylonEvents, tagToUpload } from '../facts/facts.fixture.js';
import { Database } from '../io/database.js';
import { nearestRank, percentile } from './percentile.js';
import { trailingPoints } from './windows.js';

let duckdb: Database;
let sqlite: Sqlite;
beforeAll(async () => {
  duckdb = await Database.open();
  sqlite = new (await initSqlite()).oo1.DB(':memory:');
});
afterAll(async () => {
  await duckdb.close();
  sqlite.close();
});

const TOLERANCE = 1e-15;
const SHARES = [0, 0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 1];
/** By the name that SQL has for it. */
const METHODS = { cont: percentile, disc: nearestRank } as const;
type Method = keyof typeof METHODS;
const NAMES = Object.keys(METHODS) as readonly Method[];

type Found = readonly (readonly number[])[];

/** Returns the answers of both engines for each group: one value for each of `SHARES`. */
async function askEngines(groups: Found, method: Method): Promise<readonly Found[]> {
  const rows = groups.flatMap((values, group) => values.map((value) => `(${group}, ${sqlNumber(value)})`)).join(', ');
  const answer = await duckdb.rows(`
    select quantile_${method}(value::double, [${SHARES.join(', ')}]) as found
    from (values ${rows}) rows(number, value) group by number order by number`);
  const fromDuckdb = answer.map(({ found }) => (found as unknown as { readonly items: readonly number[] }).items);
  return [fromDuckdb, askSqlite(rows, method)];
}

/**
 * SQLite's `percentile_disc` takes the lower of the two values around the percentile. In standard SQL it is the first value whose
 * cumulative share reaches the percentile.
 */
function askSqlite(rows: string, method: Method): Found {
  const column = (share: number): string =>
    method === 'cont' ? `percentile_cont(value, ${share})` : `min(value) filter (where up_to >= ${share})`;
  const query = `
    with rows(number, value) as (values ${rows}), shared as (select *, cume_dist() over (partition by number order by value) as up_to from rows)
    select ${SHARES.map(column).join(', ')} from shared group by number order by number`;
  return sqlite.exec(query, { returnValue: 'resultRows' }) as unknown as Found;
}

/** Writes a number with all digits and an exponent: both engines would take `18.1` for a decimal and `18` for an integer. */
function sqlNumber(value: number): string {
  return value.toExponential(17);
}

function differences(ours: readonly number[], theirs: readonly number[]): readonly number[] {
  return ours.map((value, at) => Math.abs(value - (theirs[at] ?? Number.NaN)) / Math.max(Math.abs(value), Number.MIN_VALUE));
}

/** Returns the largest difference from either engine, relative to the value. */
async function farthest(groups: readonly (readonly number[])[], method: Method): Promise<number> {
  const engines = await askEngines(groups, method);
  const ours = groups.map((values) => {
    const sorted = Float64Array.from(values).sort();
    return SHARES.map((share) => METHODS[method](sorted, share) ?? Number.NaN);
  });
  expect(engines.map((found) => found.length)).toEqual([groups.length, groups.length]);
  return Math.max(...engines.flatMap((found) => ours.flatMap((own, group) => differences(own, found[group] ?? []))));
}

const LENGTHS = fc.oneof(
  // No value is shorter: the smallest doubles have too few digits for any such tolerance.
  fc.double({ min: 1e-9, max: 1e15, noNaN: true }),
  fc.integer({ min: 0, max: 40 }),
  fc.double({ min: 1, max: 1 + 1e-12, noNaN: true }),
  fc.integer({ min: 0, max: 2 ** 53 - 1 }),
);

test.each(NAMES)('DuckDB and SQLite say the same of any values: %s', async (method) => {
  const groups = fc.array(fc.array(LENGTHS, { minLength: 1, maxLength: 120 }), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(groups, async (sets) => {
      expect(await farthest(sets, method)).toBeLessThanOrEqual(TOLERANCE);
    }),
    { numRuns: 10 },
  );
});

test.each(NAMES)('DuckDB and SQLite say the same of real values: %s', async (method) => {
  const parser = (['before', 'after'] as const).map((era) => babylonEvents(era).map(({ startedAt, endedAt }) => endedAt - startedAt));
  expect(await farthest([tagToUpload(), ...parser], method)).toBeLessThanOrEqual(TOLERANCE);
});

test('a share that no number of the machine is, such as 0.9, is no rank too high', () => {
  const percents = [5, 10, 25, 50, 75, 90, 95];
  const counts = Array.from({ length: 3000 }, (_, at) => at + 1);
  const ranks = counts.map((count) => percents.map((share) => Math.max(1, Math.ceil((share * count) / 100))));
  const all = Float64Array.from(counts);
  expect(counts.map((count) => percents.map((share) => nearestRank(all.subarray(0, count), share / 100)))).toEqual(ranks);
});

test('DuckDB and SQLite say the same of windows over real weeks, of which most are small', async () => {
  const events = babylonEvents('after').filter(({ stage }) => stage === 'publish');
  const first = Math.min(...events.map(({ endedAt }) => endedAt));
  const week = events.map(({ endedAt }) => Math.floor((endedAt - first) / (7 * 24 * 3600e6)));
  const value = events.map(({ endedAt }, at) => (endedAt - first) / (at + 1));
  const weeks = Math.max(...week) + 1;
  const options = { groups: 1, weeks, length: 6, percentiles: SHARES };
  const points = trailingPoints({ group: week.map(() => 0), week, value }, options)[0]?.filter(({ n }) => n > 0) ?? [];
  const windows = points.map((point) => value.filter((_, at) => (week[at] ?? 0) <= point.week && (week[at] ?? 0) > point.week - 6));
  expect(windows.map((values) => values.length)).toEqual(points.map(({ n }) => n));
  const engines = await askEngines(windows, 'cont');
  const all = engines.flatMap((found) => points.flatMap(({ percentiles }, at) => differences(percentiles, found[at] ?? [])));
  expect(all).toHaveLength(2 * points.length * SHARES.length);
  expect(Math.max(...all)).toBeLessThanOrEqual(TOLERANCE);
});

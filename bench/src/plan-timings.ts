import { readFileSync } from 'node:fs';
import { Dice } from '@tributary/test-repo/dice';
import { logNormal } from './plan-dice.js';

/** The time of each package's tests, in seconds, and the source of the times. */
export interface TimingTable {
  readonly title: string;
  readonly source: 'file' | 'made up';
  readonly seconds: ReadonlyMap<string, number>;
}

/**
 * Reads a JSON file in which some object, at any depth, has package names as keys and seconds as values, or objects with `seconds`. The
 * largest such object counts. Throws an `Error` if there is none.
 */
export function readTimings(path: string): TimingTable {
  const tables = tablesIn(JSON.parse(readFileSync(path, 'utf8'))).sort((a, b) => b.size - a.size);
  const [seconds] = tables;
  if (seconds === undefined) throw new Error(`${path} has no table of packages and seconds`);
  return { title: path, source: 'file', seconds };
}

/** Returns 71 packages, each a second to some minutes, together three quarters of an hour. */
export function makeTimings(): TimingTable {
  const dice = new Dice(71);
  const entries = Array.from({ length: 71 }, (_, at) => [`package-${at}`, logNormal(dice, { middle: 20, sigma: 1.2 })] as const);
  return { title: 'a made-up table', source: 'made up', seconds: new Map(entries) };
}

function tablesIn(value: unknown): ReadonlyMap<string, number>[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value).map(([key, inner]) => [key, secondsIn(inner)] as const);
  // A test without time did not run.
  const known = entries.flatMap(([key, seconds]) => (seconds !== undefined && seconds > 0 ? [[key, seconds] as const] : []));
  const isTable = !Array.isArray(value) && known.length > 1 && entries.every(([, seconds]) => seconds !== undefined);
  return [...(isTable ? [new Map(known)] : []), ...Object.values(value).flatMap(tablesIn)];
}

function secondsIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null && 'seconds' in value ? secondsIn(value.seconds) : undefined;
}

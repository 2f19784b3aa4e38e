import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';

/** How long tasks took in their last runs, oldest first, in seconds; at most `KEPT` for each. By task: `@acme/ui#test`. */
export type Timings = ReadonlyMap<string, readonly number[]>;

/** One run of a task. */
export interface Run {
  readonly seconds: number;
  /** Milliseconds since 1970, by which a run is known when it is collected again; `null`: of a file that was written before this was kept. */
  readonly startedAt: number | null;
}

/** What a file of timings holds: the last runs of tasks, in the order in which they began; at most `KEPT` for each. */
export type Runs = ReadonlyMap<string, readonly Run[]>;

/** One more than this, and the oldest is forgotten. */
export const KEPT = 10;
const DAY = 24 * 3600;

/** Reads a file of timings. Throws `TIMINGS_INVALID` for anything that is none: a wrong time makes a bad plan, for a long time. */
export function parseTimings(text: string, file: string): Runs {
  const value = readJson(text, file);
  if (!isPlainObject(value) || value['schemaVersion'] !== 1) throw invalid(file, 'it has no "schemaVersion": 1');
  const { tasks, startedAt = {} } = value;
  if (!isPlainObject(tasks)) throw invalid(file, 'it has no "tasks"');
  if (!isPlainObject(startedAt)) throw invalid(file, 'its "startedAt" is no object');
  const starts = new Map(Object.entries(startedAt));
  return new Map(
    Object.entries(tasks).map(([task, seconds]) => {
      const where = `${file}: ${JSON.stringify(task.slice(0, 100))}`;
      return [task, withStarts(readSeconds(seconds, where), starts.get(task), where).slice(-KEPT)];
    }),
  );
}

/**
 * The same as text: sorted, a line for each task, so that it can be committed. When the runs began stands apart, so that whoever knows
 * of times alone still reads it.
 */
export function formatTimings(runs: Runs): string {
  const sorted = [...runs].sort(([a], [b]) => (a < b ? -1 : 1));
  const times = sorted.map(([task, all]) => lineOf(task, all.map(inMilliseconds)));
  const starts = sorted.filter(([, all]) => all.some(hasStart)).map(([task, all]) => lineOf(task, all.map(startOf)));
  const begun = starts.length === 0 ? '' : `,\n  "startedAt": ${block(starts)}`;
  return `{\n  "schemaVersion": 1,\n  "tasks": ${block(times)}${begun}\n}\n`;
}

/** Adds runs to those that are known, by when they began; a run that is known already is not added again, whoever collects it. */
export function addTimings(known: Runs, more: Runs): Runs {
  const all = new Map(known);
  for (const [task, runs] of more) all.set(task, lastOf([...(all.get(task) ?? []), ...runs]));
  return all;
}

/** A run without a start is older than all that have one, and nobody can know it again. */
function lastOf(runs: readonly Run[]): readonly Run[] {
  const seen = new Set<number>();
  const once = runs.filter(({ startedAt }) => {
    if (startedAt === null) return true;
    const isNew = !seen.has(startedAt);
    seen.add(startedAt);
    return isNew;
  });
  return once.sort((a, b) => (a.startedAt ?? -1) - (b.startedAt ?? -1)).slice(-KEPT);
}

/** The times alone, as a plan wants them. */
export function secondsOf(runs: Runs): Timings {
  return new Map([...runs].map(([task, all]) => [task, all.map(({ seconds }) => seconds)]));
}

/** Of none: `undefined`. */
export function median(seconds: readonly number[]): number | undefined {
  const sorted = [...seconds].sort((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  const [one, other] = [sorted[middle], sorted[sorted.length - 1 - middle]];
  return one === undefined || other === undefined ? undefined : (one + other) / 2;
}

/** Whether a task can have taken so long, in seconds. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= DAY;
}

/** A list of lists may be nested too deeply to be printed. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'what stands there' : JSON.stringify(value).slice(0, 40);
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}

function lineOf(task: string, values: readonly string[]): string {
  return `    ${JSON.stringify(task)}: [${values.join(', ')}]`;
}

function inMilliseconds({ seconds }: Run): string {
  return String(Math.round(seconds * 1000) / 1000);
}

function startOf({ startedAt }: Run): string {
  return String(startedAt);
}

function hasStart({ startedAt }: Run): boolean {
  return startedAt !== null;
}

function readSeconds(value: unknown, where: string): readonly number[] {
  if (!Array.isArray(value)) throw invalid(where, 'it must be a list of seconds');
  const bad = value.findIndex((one) => !isTime(one));
  if (bad >= 0) throw invalid(where, `${shown(value[bad])} is no time of a task: it takes from 0 to ${DAY} seconds`);
  return value as readonly number[];
}

function withStarts(seconds: readonly number[], starts: unknown, where: string): readonly Run[] {
  if (starts === undefined) return seconds.map((one) => ({ seconds: one, startedAt: null }));
  if (!Array.isArray(starts) || starts.length !== seconds.length || !starts.every(isStart))
    throw invalid(where, 'its "startedAt" must say of each time when the run began');
  return seconds.map((one, at) => ({ seconds: one, startedAt: starts[at] ?? null }));
}

function isStart(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid(file, 'it is not JSON');
  }
}

function invalid(where: string, problem: string): ToolError {
  return new ToolError({
    code: 'TIMINGS_INVALID',
    message: `The timings cannot be used: ${where}: ${problem}.`,
    hint: 'Delete the file, or make a new one with `affected timings collect`; without timings the plan is made by the number of test files.',
    data: { where },
  });
}

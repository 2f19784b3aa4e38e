import { ToolError } from '@tributary/model/errors';
import { isRecord } from '@tributary/model/record';

/** How long tasks took in their last runs, oldest first, in seconds; at most `KEPT` for each. By task: `@acme/ui#test`. */
export type Timings = ReadonlyMap<string, readonly number[]>;

/** One more than this, and the oldest is forgotten. */
export const KEPT = 10;
const DAY = 24 * 3600;

/** Reads a file of timings. Throws `TIMINGS_INVALID` for anything that is none: a wrong time makes a bad plan, for a long time. */
export function parseTimings(text: string, file: string): Timings {
  const value = readJson(text, file);
  if (!isRecord(value) || value['schemaVersion'] !== 1) throw invalid(file, 'it has no "schemaVersion": 1');
  const { tasks } = value;
  if (!isRecord(tasks)) throw invalid(file, 'it has no "tasks"');
  return new Map(
    Object.entries(tasks).map(([task, seconds]) => [task, readSeconds(seconds, `${file}: ${JSON.stringify(task.slice(0, 100))}`)]),
  );
}

/** The same as text: sorted, a line for each task, so that it can be committed. */
export function formatTimings(timings: Timings): string {
  const lines = [...timings].sort(([a], [b]) => (a < b ? -1 : 1)).map(([task, seconds]) => `    ${JSON.stringify(task)}: ${list(seconds)}`);
  return `{\n  "schemaVersion": 1,\n  "tasks": {${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}}\n}\n`;
}

/** Adds runs behind those that are known. */
export function addTimings(known: Timings, more: Timings): Timings {
  const all = new Map(known);
  for (const [task, seconds] of more) all.set(task, [...(all.get(task) ?? []), ...seconds].slice(-KEPT));
  return all;
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

function list(seconds: readonly number[]): string {
  return `[${seconds.map((one) => String(Math.round(one * 1000) / 1000)).join(', ')}]`;
}

function readSeconds(value: unknown, where: string): readonly number[] {
  if (!Array.isArray(value)) throw invalid(where, 'it must be a list of seconds');
  const bad = value.findIndex((one) => !isTime(one));
  if (bad >= 0) throw invalid(where, `${shown(value[bad])} is no time of a task: it takes from 0 to ${DAY} seconds`);
  return (value as readonly number[]).slice(-KEPT);
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

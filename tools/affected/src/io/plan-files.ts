import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import { appendOutput, isOutputStream, writeOutput } from '@tributary/process/output-file';
import { orUnusable, readTextFile } from '@tributary/process/unusable-file';
import type { Plan } from '../plan/plan.js';
import { formatPlan, parsePlan } from '../plan/seal.js';
import { addTimings, formatTimings, parseTimings, type Runs } from '../timings/timings.js';

/** Throws `PLAN_INVALID`. */
export function readPlan(path: string): Plan {
  return parsePlan(readText(path), path);
}

/** Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writePlan(path: string, plan: Plan): void {
  writeOutput(path, formatPlan(plan));
}

/**
 * Reads a timings file, or all `.json` files of a folder, in the order of their names; `undefined` if the path does not exist. Throws
 * `TIMINGS_INVALID`, and `FILE_UNUSABLE` for an unreadable file.
 */
export function readTimings(path: string): Runs | undefined {
  if (!existsSync(path)) return undefined;
  const isFolder = orUnusable(path, 'read', () => statSync(path).isDirectory());
  const files = isFolder ? jsonFilesIn(path) : [path];
  return files.map((file) => parseTimings(readTextFile(file), file)).reduce(addTimings, new Map());
}

/** Adds runs to those in a file, writes and returns them. A device or pipe contains none. Throws the errors of `readTimings` and `writeOutput`. */
export function mergeTimings(path: string, more: Runs): Runs {
  const earlier = isOutputStream(path) ? undefined : readTimings(path);
  const timings = addTimings(earlier ?? new Map(), more);
  writeOutput(path, formatTimings(timings));
  return timings;
}

function jsonFilesIn(folder: string): readonly string[] {
  const names = orUnusable(folder, 'read', () => readdirSync(folder));
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}

/** Appends NDJSON, a line for each value. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function appendLines(path: string, values: readonly unknown[]): void {
  appendOutput(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function readText(path: string): string {
  try {
    return readTextFile(path, 'be a pipe');
  } catch (error) {
    throw new ToolError({
      code: 'PLAN_INVALID',
      message: `The plan ${path} cannot be read (${isToolError(error) ? String(error.data['reason']) : 'unknown'}).`,
      hint: 'Create it with `affected plan --out`, and pass it to this job as an artifact.',
      data: { file: path },
      cause: error,
    });
  }
}

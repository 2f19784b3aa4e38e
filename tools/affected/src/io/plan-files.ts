import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { Plan } from '../plan/plan.js';
import { formatPlan, parsePlan } from '../plan/seal.js';
import { addTimings, formatTimings, parseTimings, type Timings } from '../timings/timings.js';
import { readTurboSummary, type TurboTask } from './turbo.js';

/** Throws `PLAN_INVALID`. */
export function readPlan(path: string): Plan {
  return parsePlan(readText(path), path);
}

export function writePlan(path: string, plan: Plan): void {
  writeWhole(path, formatPlan(plan));
}

/** A file of timings, or all `.json` of a folder, in the order of their names; `undefined` if there is nothing at that place. Throws `TIMINGS_INVALID`. */
export function readTimings(path: string): Timings | undefined {
  if (!existsSync(path)) return undefined;
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return files.map((file) => parseTimings(readFileSync(file, 'utf8'), file)).reduce(addTimings, new Map());
}

export function writeTimings(path: string, timings: Timings): void {
  writeWhole(path, formatTimings(timings));
}

/** The run summaries of turborepo in a folder, in the order of their names; none if there is no such folder. Throws `TURBO_FAILED`. */
export function readRuns(folder: string): readonly (readonly TurboTask[])[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => readTurboSummary(readFileSync(join(folder, name), 'utf8'), join(folder, name)));
}

/** Adds to what others have written there. */
export function appendSummary(path: string, markdown: string): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, markdown);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ToolError({
      code: 'PLAN_INVALID',
      message: `The plan ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      hint: 'Make it with `affected plan --out`, and hand it on to this job as an artifact.',
      data: { file: path },
      cause: error,
    });
  }
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

import { createHash } from 'node:crypto';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Plan } from './plan.js';
import { isPlan } from './shape.js';

/** Adds the hash, computed over the JSON of everything else. */
export function sealPlan(plan: Omit<Plan, 'hash'>): Plan {
  const { schemaVersion, ...rest } = plan;
  return { schemaVersion, hash: hashOf(plan), ...rest };
}

/** Returns the text of a plan file. */
export function formatPlan(plan: Plan): string {
  return `${JSON.stringify(plan, undefined, 1)}\n`;
}

/** Parses a plan. Throws `PLAN_INVALID` for another version or shape, for an edited or truncated plan, and for everything else. */
export function parsePlan(text: string, file: string): Plan {
  const value = readJson(text, file);
  if (!isPlainObject(value)) throw invalid(file, 'it is not a plan');
  const { schemaVersion, hash, ...rest } = value;
  if (typeof schemaVersion === 'number' && schemaVersion !== 3) throw otherVersion(file, schemaVersion);
  if (schemaVersion !== 3 || !Array.isArray(value['shards'])) throw invalid(file, 'it is not a plan');
  if (hash !== hashOfAny({ schemaVersion, ...rest })) throw invalid(file, 'it was changed after its creation');
  if (!isPlan(value)) throw invalid(file, 'its hash is valid, but its format is not');
  return value;
}

/** Returns `undefined` for a value that is nested too deeply to serialise. */
function hashOfAny(value: Readonly<Record<string, unknown>>): string | undefined {
  try {
    return hashOf(value as unknown as Omit<Plan, 'hash'>);
  } catch {
    return undefined;
  }
}

function hashOf({ schemaVersion, ...rest }: Omit<Plan, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify({ schemaVersion, ...rest }))
    .digest('hex');
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(file, 'it is not JSON, or is truncated');
  }
}

function otherVersion(file: string, version: number): ToolError {
  const hint = 'Another version of affected made it: run the same version in all jobs.';
  return invalid(file, `its version is ${version}, but this program supports version 3`, hint);
}

const HAND_ON = 'Create it with `affected plan --out`, and pass it on unchanged. Use the same version of affected in all jobs.';

function invalid(file: string, problem: string, hint = HAND_ON): ToolError {
  return new ToolError({
    code: 'PLAN_INVALID',
    message: `${file} cannot be used as a plan: ${problem}.`,
    hint,
    data: { file },
  });
}

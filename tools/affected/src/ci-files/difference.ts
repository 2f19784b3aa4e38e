import { isPlainObject } from '@tributary/model/plain-object';
import type { Job, Workflow } from './workflow.js';

/** The jobs of a workflow that count, each with whether another one needs it: then its uploads count too. */
export type CountedJobs = ReadonlyMap<string, boolean>;

/**
 * Returns the first key that differs between two versions of a file, such as `jobs.test.steps.run`; `undefined` if none that counts does.
 * A job that goes runs no test, and changes no other: what needed it differs itself.
 */
export function differenceOf(before: Workflow, after: Workflow, counted: CountedJobs): string | undefined {
  const shared = differingKey(before.shared, after.shared);
  if (shared !== undefined) return shared.join('.');
  for (const [id, isNeeded] of counted) {
    if (!after.jobs.has(id)) continue;
    const key = differingKey(contentOf(before.jobs.get(id), isNeeded), contentOf(after.jobs.get(id), isNeeded));
    if (key !== undefined) return ['jobs', id, ...key].join('.');
  }
  return undefined;
}

function contentOf(job: Job | undefined, isNeeded: boolean): unknown {
  return isNeeded ? job?.content : job?.withoutUploads;
}

/** Returns the keys that lead to the first difference, without positions in lists; `undefined` for equal values. */
function differingKey(one: unknown, other: unknown): readonly string[] | undefined {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return firstDifference(one.keys(), (at) => differingKey(one[at], other[at]));
  if (!isPlainObject(one) || !isPlainObject(other)) return JSON.stringify(one) === JSON.stringify(other) ? undefined : [];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return firstDifference(keys, (key) => {
    const below = differingKey(one[key], other[key]);
    return below && [key, ...below];
  });
}

function firstDifference<T>(keys: Iterable<T>, differ: (key: T) => readonly string[] | undefined): readonly string[] | undefined {
  for (const key of keys) {
    const found = differ(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

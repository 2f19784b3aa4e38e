import { isToolError } from '@tributary/model/errors';
import { readSubjects } from '../io/read-subjects.js';
import type { SlowChange } from '../report/details.js';
import type { MonorepoLocation } from './monorepo.js';

/** Returns the known subject lines of changes; none if the default folder is not a clone. */
export async function subjectsOf(
  changes: readonly SlowChange[],
  { folder, asked }: MonorepoLocation,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const commits = changes.map(({ change }) => change);
  try {
    return await readSubjects(folder, commits, signal);
  } catch (error) {
    if (asked === 'found' && isToolError(error) && error.code.startsWith('TARGET_')) return new Map();
    throw error;
  }
}

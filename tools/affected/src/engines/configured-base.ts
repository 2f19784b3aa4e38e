import type { CiBase } from './ci-change.js';
import { branchIn, commitIn, readText, type Variables } from './variables.js';

/** Set by a pipeline for engines that know it only where their configuration is written, not in the environment of a job. */
export const BASE_BRANCH = 'AFFECTED_BASE_BRANCH';
export const BASE_REVISION = 'AFFECTED_BASE_REVISION';

/**
 * What the pipeline itself passes on: `AFFECTED_BASE_BRANCH`, the branch that a change will go to, and `AFFECTED_BASE_REVISION`, where the branch
 * under test stood before. The first is preferred; on that very branch it says nothing, and the second counts. `undefined` if neither helps.
 */
export function configuredBase(variables: Variables, branch: string | null): CiBase | undefined {
  const target = readText(variables, BASE_BRANCH);
  const name = branchIn(target);
  if (target !== undefined && name === null) return { kind: 'unknown', reason: `${BASE_BRANCH} is not a branch name` };
  if (name !== null && name !== branch) return { kind: 'branch', name, source: BASE_BRANCH };
  const revision = readText(variables, BASE_REVISION);
  if (revision === undefined || branch === null) return undefined;
  return { kind: 'push', branch, before: commitIn(revision), forced: 'unknown', source: BASE_REVISION, workflow: null };
}

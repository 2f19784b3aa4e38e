import type { CiBase } from './ci-change.js';
import { branchIn, type CiVariables, previousBase, readText } from './variables.js';

/** Set by the pipeline for engines that provide the value only in their configuration, not in the environment of a job. */
export const BASE_BRANCH = 'AFFECTED_BASE_BRANCH';
export const BASE_REVISION = 'AFFECTED_BASE_REVISION';

/**
 * Returns the base that the pipeline passes on.
 * `AFFECTED_BASE_BRANCH` is the target branch of the change, `AFFECTED_BASE_REVISION` the previous commit of the branch under test. The
 * first takes precedence, unless it is the branch under test. `undefined` if neither helps.
 */
export function configuredBase(variables: CiVariables, branch: string | null): CiBase | undefined {
  const target = readText(variables, BASE_BRANCH);
  const name = branchIn(target);
  if (target !== undefined && name === null) return { kind: 'unknown', reason: `${BASE_BRANCH} is not a branch name` };
  if (name !== null && name !== branch) return { kind: 'branch', name, source: BASE_BRANCH };
  if (readText(variables, BASE_REVISION) === undefined || branch === null) return undefined;
  return previousBase(variables, branch, BASE_REVISION);
}

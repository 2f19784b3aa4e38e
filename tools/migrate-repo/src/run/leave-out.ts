import { type ErrorCode, isToolError, type ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { LeftOutPackage } from '../plan/facts.js';
import type { MigrationPlan } from '../plan/plan.js';

/**
 * Errors that concern a single package. Failures of a registry or network, and changed versions in the monorepo's
 * lockfile, concern all packages.
 */
const OF_ONE_PACKAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DEPENDENCY_UNRESOLVABLE',
  'INSTALL_FAILED',
  'INSTALL_GIT_UNREADABLE',
  'LOCKFILE_INVALID',
  'LOCKFILE_MISMATCH',
  'LOCKFILE_UNSUPPORTED',
  'REGISTRY_REFUSED',
  'SOURCE_HAS_WORKSPACES',
]);

export interface Attempts<Outcome> {
  readonly plan: MigrationPlan;
  /** Returns the plan without a package and its dependents. Throws if nothing is left. */
  readonly replan: (leftOut: LeftOutPackage) => Promise<MigrationPlan>;
  readonly attempt: (plan: MigrationPlan) => Promise<Outcome>;
  /** Called before the rest is tried. */
  readonly onLeftOut: (leftOut: LeftOutPackage) => void;
}

export interface Attempted<Outcome> {
  readonly plan: MigrationPlan;
  readonly outcome: Outcome;
}

/**
 * Attempts a plan. If it fails for one of several packages, repeats without that package. A single package fails with
 * its error. Terminates, because each plan has one package less. Throws as `attempt` and `replan`.
 */
export async function leavingOut<Outcome>({ plan, replan, attempt, onLeftOut }: Attempts<Outcome>): Promise<Attempted<Outcome>> {
  try {
    return { plan, outcome: await attempt(plan) };
  } catch (error) {
    const leftOut = plan.packages.length + plan.leftOut.length < 2 ? undefined : culpritOf(error, plan);
    if (leftOut === undefined) throw error;
    onLeftOut(leftOut);
    return leavingOut({ plan: await replan(leftOut), replan, attempt, onLeftOut });
  }
}

function culpritOf(error: unknown, { packages }: MigrationPlan): LeftOutPackage | undefined {
  if (!isToolError(error) || !OF_ONE_PACKAGE.has(error.code)) return undefined;
  const culprit = packages.find(({ source }) => source.request.name === workspaceIn(error));
  return culprit && { name: culprit.source.request.name, error };
}

/** Returns the name of the workspace that an error is about, by convention in `data.workspace`. */
function workspaceIn({ data }: ToolError): unknown {
  const { workspace } = data;
  return isPlainObject(workspace) ? workspace['name'] : undefined;
}

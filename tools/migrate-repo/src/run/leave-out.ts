import { type ErrorCode, isToolError, type ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { LeftOut } from '../plan/facts.js';
import type { Plan } from '../plan/plan.js';

/** What concerns the package that it is about, and nobody else. A registry or a network that fails, and a lockfile of the monorepo that moves, concern all. */
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
  readonly plan: Plan;
  /** The plan without a package, and without what needs it. Throws where nothing is left of it. */
  readonly replan: (leftOut: LeftOut) => Promise<Plan>;
  readonly attempt: (plan: Plan) => Promise<Outcome>;
  /** Called before the rest is tried. */
  readonly onLeftOut: (leftOut: LeftOut) => void;
}

export interface Attempted<Outcome> {
  readonly plan: Plan;
  readonly outcome: Outcome;
}

/**
 * Tries a plan; where that fails for one package of several, goes on without it. One that is asked for alone fails as it is. Throws as `attempt` and `replan`, and ends, for each
 * plan has a package less.
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

function culpritOf(error: unknown, { packages }: Plan): LeftOut | undefined {
  if (!isToolError(error) || !OF_ONE_PACKAGE.has(error.code)) return undefined;
  const culprit = packages.find(({ source }) => source.request.name === workspaceIn(error));
  return culprit && { name: culprit.source.request.name, error };
}

/** The name of the workspace that an error is about: `data.workspace`, by convention. */
function workspaceIn({ data }: ToolError): unknown {
  const { workspace } = data;
  return isPlainObject(workspace) ? workspace['name'] : undefined;
}

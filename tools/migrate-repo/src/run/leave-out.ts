import { type ErrorCode, isToolError, ToolError } from '@tributary/model/errors';
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

/** Returns the error for a run of `--all` with nothing left to migrate. */
export function allThere(leftOut: readonly LeftOutPackage[]): ToolError {
  const waiting = new Set(leftOut.map(({ error }) => error.data['branch']).filter((branch) => typeof branch === 'string'));
  const rest = waiting.size === 0 ? '' : `; ${[...waiting].join(', ')} ${waiting.size === 1 ? 'is' : 'are'} not merged yet`;
  return new ToolError({
    code: 'ALREADY_MIGRATED',
    message: `All ${leftOut.length} packages in tributary.json are migrated already${rest}.`,
    hint: '"migrate-repo status" lists them; "migrate-repo verify --all" verifies them.',
    data: { packages: leftOut.map(({ name }) => name), branches: [...waiting] },
  });
}

/** Returns the error for a run in which every package is left out. One that was left out alone is refused with its own error. */
export function nothingLeft(leftOut: readonly LeftOutPackage[]): ToolError {
  const [first] = leftOut;
  if (first !== undefined && leftOut.length === 1) return first.error;
  const failed = leftOut.filter(({ error }) => error.code !== 'ALREADY_MIGRATED');
  const listed = failed.length === 0 ? leftOut : failed;
  const hint = hintFor(failed);
  return new ToolError({
    code: 'PACKAGES_LEFT_OUT',
    message: `${countsOf(leftOut.length, failed.length)}\n${listed.map((one) => tellRefusal(one, failed)).join('\n')}`,
    ...(hint === undefined ? {} : { hint }),
    data: { leftOut: leftOut.map(({ name, error }) => ({ name, error })) },
  });
}

function countsOf(all: number, failed: number): string {
  if (failed === 0) return `All ${all} packages are migrated already.`;
  if (failed === all) return `None of the ${all} packages can be migrated.`;
  const done = all - failed === 1 ? `1 of the ${all} packages was` : `${all - failed} of the ${all} packages were`;
  return `${done} migrated before, and ${failed === 1 ? 'the other one' : `the other ${failed}`} cannot be migrated.`;
}

function hintFor(failed: readonly LeftOutPackage[]): string | undefined {
  const [first, ...others] = failed;
  if (first === undefined) return '"migrate-repo status" lists them.';
  return others.length === 0 ? first.error.hint : undefined;
}

/** Returns the cause and, below it, the remedy. That of a single failure is the hint of the whole error. */
function tellRefusal({ name, error }: LeftOutPackage, failed: readonly LeftOutPackage[]): string {
  const remedy = failed.length < 2 || error.hint === undefined ? '' : `\n    ${error.hint}`;
  return `  ${name}: ${error.message} [${error.code}]${remedy}`;
}

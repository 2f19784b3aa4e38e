import { ToolError } from '@tributary/model/errors';
import type { Workspace } from '@tributary/workspaces/discover';
import { buildFolderMatcher } from '@tributary/workspaces/patterns';
import { isPieceName } from './shape.js';

/** Why no shard could ever run a workspace that Yarn knows, as a clause, and what to do. */
export interface Unrunnable {
  readonly problem: string;
  readonly hint: string;
}

/**
 * Returns the requested workspaces, by name, that no shard could run, because turborepo does not see them or does not know them by their
 * name.
 */
export function findUnrunnable(
  workspaces: readonly Workspace[],
  isAsked: (workspace: Workspace) => boolean,
): ReadonlyMap<string, Unrunnable> {
  const root = workspaces.find(({ path }) => path === '');
  const isSeen = buildFolderMatcher(root?.manifest.workspaces ?? [], '');
  return new Map(
    workspaces.filter(isAsked).flatMap((workspace): readonly [string, Unrunnable][] => {
      const why = nameProblem(workspace) ?? (workspace.path === '' || isSeen(workspace.path) ? undefined : unseen(workspace));
      return why === undefined ? [] : [[workspace.name, why]];
    }),
  );
}

/** Yarn follows the `workspaces` of nested workspaces; turborepo (2.11, tried) reads only those of the root. */
function unseen({ path }: Workspace): Unrunnable {
  return {
    problem: 'no pattern of "workspaces" in the root package.json matches its folder, so turborepo does not see it',
    hint: `Add "${path}" to "workspaces" in the root package.json.`,
  };
}

function nameProblem({ name, path, manifest }: Workspace): Unrunnable | undefined {
  const file = path === '' ? 'package.json' : `${path}/package.json`;
  if (manifest.name === undefined)
    return { problem: 'its package.json has no name that Yarn accepts', hint: `Give it a "name" in ${file}.` };
  if (!isPieceName(name))
    return { problem: 'its name has a quote, a backslash or a control character, or is too long', hint: `Rename it in ${file}.` };
  // The root's filter is `//`.
  return path !== '' && isFilter(name) ? { problem: 'turborepo reads its name as a filter', hint: `Rename it in ${file}.` } : undefined;
}

/**
 * Tells whether `--filter=<name>` means something other than the workspace. Source: turborepo.com, "--filter"; each case was tried with
 * 2.11.
 */
export function isFilter(name: string): boolean {
  return /^!|^\.{3}|\.{3}$|[[\]{}]/.test(name);
}

/** Throws `WORKSPACE_UNRUNNABLE` for such a workspace: its shard, and the gate, would fail each time. */
export function checkRunnable(
  { name, path, unrunnable }: { readonly name: string; readonly path: string; readonly unrunnable?: Unrunnable | undefined },
  task: string,
): void {
  if (unrunnable === undefined) return;
  throw new ToolError({
    code: 'WORKSPACE_UNRUNNABLE',
    message: `The task "${task}" of ${name} (${path === '' ? 'the root' : path}) can never run: ${unrunnable.problem}.`,
    hint: unrunnable.hint,
    data: { workspace: name, path, task },
  });
}

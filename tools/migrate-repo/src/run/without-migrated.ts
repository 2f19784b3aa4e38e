import { ToolError } from '@tributary/model/errors';
import { shortRef, type WorkspaceName } from '@tributary/model/ids';
import { type FoundImport, findImports } from '../io/imports.js';
import { readHeadState, type Target } from '../io/target.js';
import type { LeftOutPackage } from '../plan/facts.js';
import type { NamedRequest } from './name-all.js';

/** What remains of a repeated command. */
export interface Rest {
  readonly request: NamedRequest;
  /** Each with the error `ALREADY_MIGRATED`. */
  readonly leftOut: readonly LeftOutPackage[];
}

/**
 * Removes packages that are already imported from a request, so that a repeated command continues with the rest. A
 * single package that waits on a branch is not removed: its branch is in the way, or another one is requested.
 */
export async function withoutMigrated(request: NamedRequest, target: Target): Promise<Rest> {
  const isAlone = request.packages.length < 2;
  // If no workspace has the name, the history need not be searched.
  if (isAlone && !target.facts.workspaces.some(({ name }) => request.packages.includes(name))) return { request, leftOut: [] };
  const { imports } = await findImports(target.git, await readHeadState(target.userGit));
  const leftOut = request.packages.flatMap((name): readonly LeftOutPackage[] => {
    const found = imports.filter(({ record }) => record.package === name);
    const error = found.length === 0 ? undefined : (alreadyThere(name, target) ?? (isAlone ? undefined : waiting(name, found)));
    return error === undefined ? [] : [{ name, error }];
  });
  const done = new Set<string>(leftOut.map(({ name }) => name));
  return { request: { ...request, packages: request.packages.filter((name) => !done.has(name)) }, leftOut };
}

function alreadyThere(name: WorkspaceName, { facts }: Target): ToolError | undefined {
  const workspace = facts.workspaces.find((one) => one.name === name);
  if (workspace === undefined) return undefined;
  return new ToolError({
    code: 'ALREADY_MIGRATED',
    message: `${name} is already migrated, in ${workspace.path}.`,
    hint: '"migrate-repo status" shows where it came from.',
    data: { name, path: workspace.path, branch: null },
  });
}

/** Returns the error for a package on a local branch. A remote branch does not count: it may be an old one. */
function waiting(name: WorkspaceName, found: readonly FoundImport[]): ToolError | undefined {
  const branch = found.map((one) => one.branch).find((ref) => ref?.startsWith('refs/heads/') === true);
  if (branch === undefined) return undefined;
  return new ToolError({
    code: 'ALREADY_MIGRATED',
    message: `${name} is already migrated, on the unmerged branch ${shortRef(branch)}.`,
    hint: `Merge it, or undo it with "migrate-repo discard ${shortRef(branch)}".`,
    data: { name, path: null, branch: shortRef(branch) },
  });
}

import type { Git } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import { type AbsolutePath, type RepoFolder, relativeTo } from '@tributary/model/paths';
import type { PlannedPackage } from '../plan/plan.js';
import { isFullDisk } from './full-disk.js';
import { askYarn } from './yarn-project.js';

/** Checks that Yarn's own code sees each package of a commit as a workspace at its path. Throws `YARN_DISAGREES`. */
export async function checkWorkspaces(
  git: Git,
  commit: CommitId,
  expected: { readonly root: RepoFolder; readonly packages: readonly PlannedPackage[]; readonly scratch: AbsolutePath },
): Promise<void> {
  const seen = await askYarn(git, commit, expected).catch((error: unknown) => {
    if (isFullDisk(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw disagreement(`it reports: ${message.replaceAll(`${expected.scratch}/`, '').replaceAll(expected.scratch, 'the root')}`, error);
  });
  const pathOf = new Map(seen.map(({ name, path }) => [name, path]));
  for (const { source, path } of expected.packages) {
    const below = relativeTo(expected.root, path);
    const found = pathOf.get(source.request.name);
    if (found !== below)
      throw disagreement(`it sees ${source.request.name} ${found === undefined ? 'nowhere' : `at ${found}`} instead of at ${below}`);
  }
}

function disagreement(why: string, cause?: unknown): ToolError {
  return new ToolError({
    code: 'YARN_DISAGREES',
    message: `Yarn does not read the migrated monorepo as planned: ${why}. The monorepo was not changed.`,
    hint: 'A pattern with "!" in "workspaces" may exclude the folder, or a package inside the source may have the name of another workspace.',
    cause,
  });
}

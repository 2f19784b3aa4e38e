import { ToolError } from '@tributary/model/errors';
import type { RepoPath } from '@tributary/model/paths';

/** How a history is imported: see decision 0007. */
export type Strategy = 'rewrite' | 'merge';

/** Throws `USAGE` for a subdirectory together with `merge`: commits that keep their ids contain the whole repository. */
export function refuseFolderWithMerge(strategy: Strategy, subdirectory: RepoPath | undefined): void {
  if (strategy !== 'merge' || subdirectory === undefined) return;
  throw new ToolError({
    code: 'USAGE',
    message: `--strategy merge keeps commits unchanged, so it cannot import only the folder ${subdirectory}.`,
    hint: 'Leave out --strategy merge, or import the whole repository.',
    data: { subdirectory },
  });
}

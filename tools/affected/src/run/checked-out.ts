import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { RepoLocation } from '../io/locate.js';
import { openGit } from '../io/open-git.js';
import type { Plan } from '../plan/plan.js';

/** Returns the folder of the project. Throws `TARGET_NOT_FOUND` for a bare repository. */
export function projectFolder({ workTree, project, gitDir }: RepoLocation): AbsolutePath {
  if (workTree === undefined) {
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `${gitDir} is a bare repository: nothing can run there.`,
      hint: 'Run in a clone.',
    });
  }
  return parseAbsolutePath(join(workTree, project));
}

/** Returns the commit that is checked out. Throws `PLAN_STALE` if it is not that of the plan. */
export async function checkedOut(repository: RepoLocation, { affected }: Plan): Promise<string> {
  const commit = await openGit(repository).text(['rev-parse', '--verify', 'HEAD^{commit}']);
  if (affected.head === null || affected.head === commit) return commit;
  throw new ToolError({
    code: 'PLAN_STALE',
    message: `The plan is for commit ${affected.head.slice(0, 12)}, but ${commit.slice(0, 12)} is checked out.`,
    hint: 'Check out the same commit in all jobs; for a pull request, the merge commit of the plan job.',
    data: { planned: affected.head, checkedOut: commit },
  });
}

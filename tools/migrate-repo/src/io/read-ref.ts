import type { Git } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import { parseObjectId, parseRefName } from '@tributary/model/ids';
import { type HeadState, readHeadState } from './target.js';

/** The ref of a command. */
export interface AskedRef extends HeadState {
  /** The user's name for it. */
  readonly name: string;
}

/** Returns HEAD, or the named branch, tag or commit. Throws `REVISION_MISSING`, `TARGET_UNBORN`. */
export async function readRef(userGit: Git, name: string | undefined): Promise<AskedRef> {
  if (name === undefined) return { ...(await readHeadState(userGit)), name: 'HEAD' };
  const commit = await userGit.attempt(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  if (commit.exit !== 0 || name.startsWith('-')) throw missing(name);
  const full = (await userGit.text(['rev-parse', '--symbolic-full-name', name])).trim();
  return {
    name,
    head: parseObjectId(commit.stdout.toString('utf8').trim()),
    branch: /^refs\/(heads|remotes)\//.test(full) ? parseRefName(full) : undefined,
  };
}

function missing(name: string): ToolError {
  return new ToolError({
    code: 'REVISION_MISSING',
    message: `Unknown commit "${name}" in this clone.`,
    hint: 'Give a branch, a tag or a commit; fetch it first if it is on a remote.',
    data: { ref: name },
  });
}

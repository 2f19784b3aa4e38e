import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { readCollected } from './collected.js';
import type { Clone } from './open-clone.js';

/** `behind`: it does not have what was collected last. */
export type CloneState = 'current' | 'behind';

/** Whether what a clone does not have is gone. Of a collection in full (`all`) it is: the clone is believed. Throws `RECORD_INVALID`. */
export async function readCloneState(
  record: AbsolutePath,
  { repo, clone, what }: { readonly repo: string; readonly clone: Pick<Clone, 'git' | 'head'>; readonly what: 'new' | 'all' },
): Promise<CloneState> {
  const last = what === 'all' ? undefined : readCollected(record, repo)?.head;
  const relation = last === undefined ? 'behind it' : await relationTo(last, clone);
  return relation === 'behind it' || relation === 'beside it' ? 'current' : 'behind';
}

/**
 * Where a commit that was the last one of a main line lies now. `behind it`: it is contained, as after a fetch. `beside it`: the main line was rewritten, or is another one. `before it`: the clone is
 * older. `unknown`: the clone does not have it, because it is older, or because the main line was rewritten and this is a new clone.
 */
async function relationTo(
  last: CommitId,
  { git, head }: Pick<Clone, 'git' | 'head'>,
): Promise<'behind it' | 'beside it' | 'before it' | 'unknown'> {
  if (last === head) return 'behind it';
  const contains = async (one: CommitId, other: CommitId): Promise<boolean | undefined> => {
    const { exit, stderr } = await git.attempt(['merge-base', '--is-ancestor', other, one]);
    if (exit === 0 || exit === 1) return exit === 0;
    if (/not a valid commit|bad object|Not a valid object/i.test(stderr)) return undefined;
    throw new ToolError({ code: 'GIT_FAILED', message: `git does not say whether ${one} contains ${other}: ${stderr.trim()}` });
  };
  const isContained = await contains(head, last);
  if (isContained === undefined) return 'unknown';
  if (isContained) return 'behind it';
  return (await contains(last, head)) === true ? 'before it' : 'beside it';
}

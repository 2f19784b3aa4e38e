import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { readCollected } from './collected.js';
import type { Clone } from './open-clone.js';

/** `behind`: the clone lacks the commit that was collected last. */
export type CloneState = 'current' | 'behind';

interface AskedClone {
  readonly repo: string;
  readonly clone: Pick<Clone, 'folder' | 'git' | 'head'>;
  readonly what: 'new' | 'all';
}

/**
 * Tells whether a clone contains what was collected last, so that events it lacks are gone. A full collection (`all`) trusts the clone.
 * Throws `RECORD_INVALID`.
 */
export async function readCloneState(record: AbsolutePath, { repo, clone, what }: AskedClone): Promise<CloneState> {
  const last = what === 'all' ? undefined : readCollected(record, repo)?.head;
  const relation = last === undefined ? 'behind it' : await relationTo(last, clone);
  return relation === 'behind it' || relation === 'beside it' ? 'current' : 'behind';
}

/**
 * Rejects a clone of another repository with the name of a recorded one: their changes would mix, or those of one would be retracted.
 * Such a clone has neither the last collected commit nor the first. A full collection (`all`) trusts the clone. Throws
 * `REPOSITORY_MISMATCH`, `RECORD_INVALID`.
 */
export async function refuseOther(record: AbsolutePath, { repo, clone, what }: AskedClone): Promise<void> {
  const known = what === 'all' ? undefined : readCollected(record, repo);
  if (known?.first === undefined || known.head === clone.head) return;
  // Whichever contains the last commit contains the first one too, and git finds the last one sooner because it is near.
  if ((await contains(clone, clone.head, known.head)) === true || (await contains(clone, clone.head, known.first)) === true) return;
  throw new ToolError({
    code: 'REPOSITORY_MISMATCH',
    message: `${clone.folder} has a different first commit than ${repo} in the record: it is a different repository, or its whole history was rewritten.`,
    hint: `Give a different repository a different name, with --name. If ${repo} was rewritten, collect it with --full, which retracts the earlier events.`,
    data: { repo, collected: known.head, clone: clone.head },
  });
}

/**
 * Returns where the former last commit of a main line is now.
 * `behind it`: it is contained, as after a fetch. `beside it`: the main line was rewritten, or is another one. `before it`: the clone is
 * older. `unknown`: the clone lacks it, because the clone is older, or because it is new and the main line was rewritten.
 */
async function relationTo(last: CommitId, clone: AskedClone['clone']): Promise<'behind it' | 'beside it' | 'before it' | 'unknown'> {
  const { head } = clone;
  if (last === head) return 'behind it';
  const isContained = await contains(clone, head, last);
  if (isContained === undefined) return 'unknown';
  if (isContained) return 'behind it';
  return (await contains(clone, last, head)) === true ? 'before it' : 'beside it';
}

/** Tells whether a commit contains another; `undefined` if the clone lacks one of them. */
async function contains({ git }: Pick<Clone, 'git'>, one: CommitId, other: CommitId): Promise<boolean | undefined> {
  const { exit, stderr } = await git.attempt(['merge-base', '--is-ancestor', other, one]);
  if (exit === 0 || exit === 1) return exit === 0;
  if (/not a valid commit|bad object|Not a valid object/i.test(stderr)) return undefined;
  throw new ToolError({ code: 'GIT_FAILED', message: `git did not determine whether ${one} contains ${other}: ${stderr.trim()}` });
}

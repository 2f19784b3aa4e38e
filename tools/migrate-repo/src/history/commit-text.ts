import type { GitObject } from '@tributary/git/object-id';
import type { ObjectId } from '@tributary/model/ids';
import type { Identity } from '../plan/facts.js';
import { formatCommit } from './commit.js';

/** A commit that the tool creates. */
export interface CommitText {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly identity: Identity;
  readonly message: string;
}

/** Creates a signed commit, from a stored tree and stored parents. Throws `SIGNING_FAILED`. */
export type SignCommit = (commit: Omit<CommitText, 'identity'>) => Promise<GitObject>;

/** Returns the content of a commit without signature. */
export function formatCommitText({ tree, parents, identity, message }: CommitText): Buffer {
  const rest = Buffer.from(`author ${identity.author}\ncommitter ${identity.committer}\n\n${message}`);
  return formatCommit({ tree, parents, rest });
}

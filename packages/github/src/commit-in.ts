import type { CommitId } from '@tributary/model/ids';
import { misunderstood, type Question } from './failure.js';

/** The id of a commit out of an answer of the API. Throws `GITHUB_UNREACHABLE`: the answer is another server's. */
export function commitIn(text: unknown, question: Question): CommitId {
  if (typeof text !== 'string' || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) throw misunderstood(question, 'a commit has no id');
  return text as CommitId;
}

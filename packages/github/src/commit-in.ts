import type { CommitId } from '@tributary/model/ids';
import { type ApiQuestion, misunderstood } from './failure.js';

/** Returns a commit id from a response. Throws `GITHUB_UNREACHABLE` if it is invalid: another server may have sent the response. */
export function commitIn(text: unknown, question: ApiQuestion): CommitId {
  if (typeof text !== 'string' || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) throw misunderstood(question, 'a commit has no id');
  return text as CommitId;
}

import { HEAD, parseRevision } from '@tributary/git/changeset';
import { type Reading, startReading } from '../io/reading.js';
import type { AffectedInputs } from './inputs.js';
import type { AffectedRequest } from './request.js';

/** Starts to read two commits, if the base was given and only commits count; `undefined` for everything else. */
export function startPlain(
  { base, head, filesFrom, pullRequest, uncommitted }: AffectedRequest,
  { git, place }: Pick<AffectedInputs, 'git' | 'place'>,
): Reading | undefined {
  if (base === undefined || filesFrom !== undefined || pullRequest !== undefined || uncommitted === 'with') return undefined;
  return startReading(git, place, { base: parseRevision(base), head: head === undefined ? HEAD : parseRevision(head) });
}

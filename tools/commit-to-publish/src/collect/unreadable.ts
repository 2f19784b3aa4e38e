import type { ErrorCode } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';

/** Something in a commit that cannot be read. */
export interface UnreadableCommit {
  readonly commit: CommitId;
  readonly code: ErrorCode;
  /** A sentence. */
  readonly reason: string;
}

/** What cannot be read for one reason. */
export interface UnreadableGroup extends Omit<UnreadableCommit, 'commit'> {
  /** How many commits came with it. */
  readonly count: number;
  /** The first of them. */
  readonly commits: readonly CommitId[];
}

const SHOWN = 5;

/** By reason, in the order in which reasons came up. */
export function groupUnreadable(all: readonly UnreadableCommit[]): readonly UnreadableGroup[] {
  const groups = new Map<string, UnreadableCommit[]>();
  for (const one of all) {
    const key = `${one.code} ${one.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ code, reason }) => ({
      code,
      reason,
      count: group.length,
      commits: group.slice(0, SHOWN).map(({ commit }) => commit),
    })),
  );
}

import type { ErrorCode } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';

/** A commit with unreadable content. */
export interface UnreadableContent {
  readonly commit: CommitId;
  readonly code: ErrorCode;
  /** A sentence. */
  readonly reason: string;
}

/** Commits that are unreadable for the same reason. */
export interface UnreadableGroup extends Omit<UnreadableContent, 'commit'> {
  /** The number of commits. */
  readonly count: number;
  /** The first of them. */
  readonly commits: readonly CommitId[];
}

const SHOWN = 5;

/** Groups commits by reason, in the order in which the reasons first occur. */
export function groupUnreadable(all: readonly UnreadableContent[]): readonly UnreadableGroup[] {
  const groups = new Map<string, UnreadableContent[]>();
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

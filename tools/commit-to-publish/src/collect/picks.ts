import type { CommitParents } from '@tributary/git/history';
import type { CommitId } from '@tributary/model/ids';

/** By commit beside the main line: the indexes of the main-line commits that it contains as cherry-picks. */
export type Picks = ReadonlyMap<CommitId, ReadonlySet<number>>;

/** What `git cherry-pick -x` and `git revert` write. */
export const PICK_TEXTS = ['(cherry picked from commit ', 'This reverts commit '] as const;
const PICKED = /^\(cherry picked from commit ([0-9a-f]{40}(?:[0-9a-f]{24})?)\)$/gm;
const REVERTED = /\bThis reverts commit ([0-9a-f]{40}(?:[0-9a-f]{24})?)\b/g;

interface PickScene {
  /** Of the main line. */
  readonly positions: ReadonlyMap<CommitId, number>;
  /** The commits beside it and before them, parents first. */
  readonly contained: readonly CommitParents[];
  /** The messages with one of `PICK_TEXTS`, of these commits and of the main line. */
  readonly messages: ReadonlyMap<CommitId, string>;
}

/**
 * Returns which commits of the main line have come to release branches, or from them, as messages say with the id of the other commit. A
 * pick that was reverted there is gone. Where no message says so, a commit with the same content stays unknown.
 */
export function picksOf({ positions, contained, messages }: PickScene): Picks {
  const own = ownPicks(positions, messages);
  const found = new Map<CommitId, ReadonlySet<number>>();
  if (own.size === 0) return found;
  for (const { id, parents } of contained) {
    if (positions.has(id)) continue;
    const before = [...new Set(parents.flatMap((parent) => found.get(parent) ?? []))];
    const undone = namedIn(messages.get(id), REVERTED).flatMap((commit) => own.get(commit) ?? []);
    const added = own.get(id) ?? [];
    const [only = new Set<number>()] = before;
    const isSame = before.length < 2 && undone.length + added.length === 0;
    const now = isSame ? only : new Set([...before.flatMap((all) => [...all]), ...added].filter((position) => !undone.includes(position)));
    if (now.size > 0) found.set(id, now);
  }
  return found;
}

/** Returns the picks by the commit beside the main line that is the same change. */
function ownPicks(positions: PickScene['positions'], messages: PickScene['messages']): ReadonlyMap<CommitId, readonly number[]> {
  const own = new Map<CommitId, readonly number[]>();
  for (const [id, message] of messages)
    for (const other of namedIn(message, PICKED)) {
      const [here, there] = [positions.get(id), positions.get(other)];
      if (here === undefined && there !== undefined) own.set(id, [...(own.get(id) ?? []), there]);
      if (here !== undefined && there === undefined) own.set(other, [...(own.get(other) ?? []), here]);
    }
  return own;
}

function namedIn(message: string | undefined, expression: RegExp): readonly CommitId[] {
  return [...(message ?? '').matchAll(expression)].map(([, id = '']) => id as CommitId);
}

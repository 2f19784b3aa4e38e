import type { CommitId } from '@tributary/model/ids';
import { mergeSubject, type PushedLine, pushedLine } from '../collect/pushed-line.js';
import type { CommitHistory } from './commit-history.js';
import { type Clone, isSameAddress } from './open-clone.js';

interface KnownLine {
  /** Commits that were the tip of the main line. */
  readonly tips: readonly CommitId[];
  /** Merges that an earlier collection found by such a tip. */
  readonly swapped: readonly CommitId[];
}

/** A main line as it was pushed. */
export interface Line extends PushedLine {
  /** Whether it is the line of first parents. */
  readonly isPlain: boolean;
}

/** Returns the main line of a clone as it was pushed. */
export function readPushedLine(clone: Clone & { readonly history: CommitHistory }, { tips, swapped }: KnownLine): Line {
  const { head, branch, address, history } = clone;
  // A main branch of today may have been called master.
  const branches = new Set(branch === undefined || branch === 'main' ? ['main', 'master'] : [branch]);
  const isOwn = (other: string): boolean => address !== undefined && isSameAddress(address, other);
  const subjectOf = (subject: string): ReturnType<typeof mergeSubject> => mergeSubject(subject, { branches, isOwn });
  const firstParents = history.firstParents(head);
  const onLine = new Set(firstParents.map(({ id }) => id));
  const isPlain =
    firstParents.every(
      ({ id, parents, subject }) => parents.length !== 2 || (subjectOf(subject) !== 'main line' && !swapped.includes(id)),
    ) && tips.every((tip) => onLine.has(tip));
  if (isPlain) return { commits: firstParents.toReversed(), swapped: [], isPlain };
  return { ...pushedLine([...history.commits.values()], { head, subjectOf, tips: new Set(tips), swapped: new Set(swapped) }), isPlain };
}

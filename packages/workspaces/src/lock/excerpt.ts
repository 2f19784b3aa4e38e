import { entryFrom, firstEntry, firstLine, GAP, isAsYarnWrites, isWorkspaceEntry, namesOf, startsIn } from './entries.js';
import { findRoot, reachedBy } from './excerpt-search.js';
import type { PackageExtension } from './package-extensions.js';

/** Two lockfiles, or what is needed of them to compare them. */
export interface Excerpt {
  readonly base: string;
  readonly head: string;
  /** The packages of which an entry came, went or changed. */
  readonly changed: ReadonlySet<string>;
}

export interface ExcerptRules {
  readonly extensions: readonly PackageExtension[];
  /** Whether somebody has seen already that all entries of the head are as Yarn writes them. */
  readonly isHeadKnown?: () => boolean;
}

/**
 * What `diffLocks` needs to see of two lockfiles to say the same as of the whole: the entries that differ, those that reach them by the
 * names of what they ask for, all others of these names, and the root. `undefined` where they are not written as Yarn writes them, where
 * `__metadata` differs, or the entry of a workspace, or of what is bound to a path. It says nothing about settings, which must be the same on both sides.
 *
 * A few entries change as a rule, and a few hundred of some thousand reach them; finding them takes less than reading everything.
 */
export function excerptOf(base: string, head: string, { extensions, isHeadKnown = () => false }: ExcerptRules): Excerpt | undefined {
  const part = differingPart(base, head);
  if (part === undefined || !isAsYarnWrites(partOf(base, part.from, part.toBase))) return undefined;
  if (!isHeadKnown() && !isAsYarnWrites(head.slice(part.first))) return undefined;
  const difference = compareEntries(base, head, part);
  const entries = [...difference.gone.map((at) => entryFrom(base, at)), ...difference.added.map((at) => entryFrom(head, at))];
  if (entries.some((entry) => isWorkspaceEntry(entry) || entry.includes('::locator='))) return undefined;
  const changed = new Set(entries.flatMap(namesOf));
  const root = findRoot(head, part.first);
  const kept = [...reachedBy(changed, { text: head, first: part.first, root }, extensions)].sort((a, b) => a - b);
  const before = kept.filter((at) => at < part.from);
  const behind = kept.filter((at) => at >= part.toHead);
  const top = head.slice(0, part.first);
  const inside = [...difference.gone, ...kept.flatMap((at) => difference.same.get(at) ?? [])].sort((a, b) => a - b);
  return {
    base: textOf(top, [...entriesAt(head, before), ...entriesAt(base, inside), ...entriesAt(head, behind)]),
    head: textOf(top, entriesAt(head, kept)),
    changed,
  };
}

/**
 * The entries of a lockfile that lead to something of these names, those of the names themselves, and the root: all that is needed to follow
 * the ways there. `undefined` if there is no entry. The lockfile must be written as Yarn writes it.
 */
export function excerptAround(names: ReadonlySet<string>, lock: string, extensions: readonly PackageExtension[]): string | undefined {
  const first = firstEntry(lock);
  if (first === undefined) return undefined;
  const kept = reachedBy(names, { text: lock, first, root: findRoot(lock, first) }, extensions);
  const inOrder = [...kept].sort((a, b) => a - b);
  return textOf(lock.slice(0, first), entriesAt(lock, inOrder));
}

function entriesAt(text: string, starts: readonly number[]): readonly string[] {
  return starts.map((at) => entryFrom(text, at));
}

function textOf(top: string, entries: readonly string[]): string {
  return `${top}${entries.join(GAP)}\n`;
}

/** Whole entries, with the line end of the last. */
function partOf(text: string, from: number, to: number): string {
  return text.slice(from, to < text.length ? to - 1 : to);
}

/** Where two lockfiles differ: all entries in front of `from` and from `toBase` and `toHead` on are the same. */
interface DifferingPart {
  /** Where the first entry begins. */
  readonly first: number;
  readonly from: number;
  readonly toBase: number;
  readonly toHead: number;
}

/** `undefined` if they differ in front of all entries. */
function differingPart(base: string, head: string): DifferingPart | undefined {
  const first = firstEntry(head);
  if (first === undefined || base.slice(0, first) !== head.slice(0, first)) return undefined;
  const shorter = Math.min(base.length, head.length);
  const equal = longest(shorter, (from, to) => base.slice(from, to) === head.slice(from, to));
  // The entry in which they begin to differ; between two entries it is the one behind.
  const from = Math.max(first, head.lastIndexOf(GAP, equal - GAP.length) + GAP.length);
  const equalEnd = longest(shorter - from, (start, end) => endOf(base, start, end) === endOf(head, start, end));
  const gap = head.indexOf(GAP, head.length - equalEnd);
  const toHead = equalEnd === 0 || gap === -1 ? head.length : gap + GAP.length;
  return { first, from, toHead, toBase: base.length - (head.length - toHead) };
}

/** How far two texts are equal, up to a limit. Each part is compared once or twice, by machine code. */
function longest(limit: number, isEqual: (from: number, to: number) => boolean): number {
  let equal = 0;
  for (let step = 2 ** Math.floor(Math.log2(limit + 1)); step >= 1; step /= 2)
    if (equal + step <= limit && isEqual(equal, equal + step)) equal += step;
  return equal;
}

/** Counted from the end. */
function endOf(text: string, start: number, end: number): string {
  return text.slice(text.length - end, text.length - start);
}

interface Difference {
  /** Where entries of the base begin that the head does not have, and the other way round. */
  readonly gone: readonly number[];
  readonly added: readonly number[];
  /** Where an entry of the differing part begins in the head -> where the same one does in the base. */
  readonly same: ReadonlyMap<number, number>;
}

/** Walks both in their order. Where that is not Yarn's, some entries count as gone and added that only moved. */
function compareEntries(base: string, head: string, { from, toBase, toHead }: DifferingPart): Difference {
  const [before, after] = [startsIn(base, from, toBase), startsIn(head, from, toHead)];
  const same = new Map<number, number>();
  const gone: number[] = [];
  const added: number[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [old, now] = [before[left], after[right]];
    if (old === undefined || now === undefined)
      return { same, gone: [...gone, ...before.slice(left)], added: [...added, ...after.slice(right)] };
    const [one, other] = [entryFrom(base, old), entryFrom(head, now)];
    const [isSame, isGone] = [one === other, one !== other && firstLine(one) < firstLine(other)];
    if (isSame) same.set(now, old);
    else if (isGone) gone.push(old);
    else added.push(now);
    if (isSame || isGone) left++;
    if (!isGone) right++;
  }
}

import { cutEntries, type Entries, firstLine } from './entries.js';
import { nameOf } from './indexed.js';
import type { PackageExtension } from './package-extensions.js';
import { patchSource } from './references.js';

/** Two lockfiles, or what is needed of them to compare them. */
export interface Excerpt {
  readonly base: string;
  readonly head: string;
  /** The packages of which an entry came, went or changed. */
  readonly changed: ReadonlySet<string>;
}

/**
 * What `diffLocks` needs to see of two lockfiles to say the same as of the whole: the entries that differ, those that reach them by the
 * names of what they ask for, all others of these names, and the root. `undefined` where they are not written as Yarn writes them, or
 * where the entry of a workspace differs, or of what is bound to a path. It says nothing about settings, which must be the same on both sides.
 *
 * A few entries change as a rule, and a few hundred of some thousand reach them; finding them takes less than reading everything.
 */
export function excerptOf(base: string, head: string, extensions: readonly PackageExtension[]): Excerpt | undefined {
  const [before, after] = [cutEntries(base), cutEntries(head)];
  if (before === undefined || after === undefined) return undefined;
  const difference = compareEntries(before, after);
  const entries = [
    ...difference.gone.map((place) => ({ side: before, place })),
    ...difference.added.map((place) => ({ side: after, place })),
  ];
  if (entries.some(({ side, place }) => side.isWorkspace(place) || side.get(place).includes('::locator='))) return undefined;
  const changed = new Set(entries.flatMap(({ side, place }) => side.namesOf(place)));
  const kept = reachedBy(changed, after, extensions);
  const keptOfBase = difference.pairs.flatMap(([place, other]) => (kept.has(other) ? [place] : []));
  return { base: textOf(before, [...keptOfBase, ...difference.gone]), head: textOf(after, [...kept]), changed };
}

function textOf(entries: Entries, places: number[]): string {
  const inOrder = places.sort((a, b) => a - b);
  return `${entries.top}${inOrder.map((place) => entries.get(place)).join('\n\n')}\n`;
}

interface Difference {
  /** Places of the base and of the head with the same entry. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Places of the base. */
  readonly gone: readonly number[];
  /** Places of the head. */
  readonly added: readonly number[];
}

/** Walks both in their order. Where that is not Yarn's, some entries count as gone and added that only moved. */
function compareEntries(base: Entries, head: Entries): Difference {
  const pairs: [number, number][] = [];
  const gone: number[] = [];
  const added: number[] = [];
  let [left, right] = [0, 0];
  while (left < base.count && right < head.count) {
    const [one, other] = [base.get(left), head.get(right)];
    if (one === other) pairs.push([left++, right++]);
    else if (firstLine(one) < firstLine(other)) gone.push(left++);
    else added.push(right++);
  }
  while (left < base.count) gone.push(left++);
  while (right < head.count) added.push(right++);
  return { pairs, gone, added };
}

/** The places of the entries from which something of these names can be reached, themselves included. Packages from outside are passed through. */
function reachedBy(changed: ReadonlySet<string>, entries: Entries, extensions: readonly PackageExtension[]): ReadonlySet<number> {
  const askers = askersOf(entries);
  const own = ownersOf(entries);
  const extended = parentsByExtension(extensions);
  const names = new Set(changed);
  const kept = new Set<number>([entries.root]);
  for (const name of names) {
    for (const parent of extended.get(name) ?? []) names.add(parent);
    for (const place of [...(own.get(name) ?? []), ...(askers.get(name) ?? [])]) {
      if (kept.has(place)) continue;
      kept.add(place);
      if (!entries.isWorkspace(place)) for (const next of entries.namesOf(place)) names.add(next);
    }
  }
  return kept;
}

/** By the name of a package, the entries that have a line that may ask for it, or that patch it. */
function askersOf(entries: Entries): ReadonlyMap<string, readonly number[]> {
  const askers = new Map<string, number[]>();
  const line = /\n {4}"?([^"\n:]+)"?: |@patch:[^#"\n]+#/g;
  let place = 0;
  for (let match = line.exec(entries.text); match !== null; match = line.exec(entries.text)) {
    place = entries.placeOf(match.index, place);
    add(askers, match[1] ?? nameOf(patchSource(match[0]) ?? ''), place);
  }
  return askers;
}

function ownersOf(entries: Entries): ReadonlyMap<string, readonly number[]> {
  const owners = new Map<string, number[]>();
  for (let place = 0; place < entries.count; place++) for (const name of entries.namesOf(place)) add(owners, name, place);
  return owners;
}

/** By what extensions add, the packages that they add it to. */
function parentsByExtension(extensions: readonly PackageExtension[]): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string[]>();
  for (const { name, dependencies } of extensions) for (const dependency of dependencies.keys()) add(parents, dependency, name);
  return parents;
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

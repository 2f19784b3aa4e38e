import { nameOf } from './descriptors.js';
import { entryFrom, isWorkspaceEntry, namesOf, startAround, startsIn } from './entries.js';
import type { PackageExtension } from './package-extensions.js';
import { patchSource } from './references.js';

/** A lockfile, with the places where its first entry and that of the root begin. */
interface Searched {
  readonly text: string;
  readonly first: number;
  readonly root: number;
}

/** Where the entry of the root begins; the first one if there is none. */
export function findRoot(text: string, first: number): number {
  const at = text.search(ROOT);
  return at === -1 ? first : startAround(text, at);
}

const ROOT = /\n {2}resolution: "?[^\n]*@workspace:\."?\n/;

/** Where the entries begin from which something of these names can be reached, themselves included. Packages from outside are passed through. */
export function reachedBy(changed: ReadonlySet<string>, lock: Searched, extensions: readonly PackageExtension[]): ReadonlySet<number> {
  const extended = parentsByExtension(extensions);
  const patches = patchesIn(lock.text);
  const names = new Set(changed);
  const kept = new Set([lock.root]);
  let index: Find | undefined;
  let [fresh, searches] = [[...names], 0];
  while (fresh.length > 0) {
    if (searches++ === MANY_SEARCHES || fresh.length > MANY_NAMES) index ??= indexed(lock);
    const asking = index === undefined ? search(lock, fresh) : index(fresh);
    const found = [...asking, ...fresh.flatMap((name) => patches.get(name) ?? [])];
    const next = [...fresh.flatMap((name) => extended.get(name) ?? []), ...found.flatMap((at) => passedThrough(at, { lock, kept }))];
    fresh = [...new Set(next)].filter((name) => !names.has(name));
    for (const name of fresh) names.add(name);
  }
  return kept;
}

/** Where the entries begin that names lead to. */
type Find = (names: readonly string[]) => readonly number[];

/** From here on one look at every line costs less. */
const MANY_SEARCHES = 4;
const MANY_NAMES = 60;

/** Keeps an entry; its names, if it leads on. */
function passedThrough(at: number, { lock, kept }: { readonly lock: Searched; readonly kept: Set<number> }): readonly string[] {
  if (kept.has(at)) return [];
  kept.add(at);
  const entry = entryFrom(lock.text, at);
  return isWorkspaceEntry(entry) ? [] : namesOf(entry);
}

/** Where the entries begin that have one of these names in their key, or a line that may ask for one. */
function search({ text, first }: Searched, names: readonly string[]): readonly number[] {
  const any = names.map(literal).join('|');
  const line = new RegExp(String.raw`\n {4}"?(?:${any})"?: |(?:\n(?:\? )?"?|, *)(?:${any})@`, 'g');
  return [...text.matchAll(line)].flatMap(({ index }) => (index < first - 1 ? [] : [startAround(text, index)]));
}

/** As a pattern that matches nothing else. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Does what `search` does, for any names, after one look at all lines. */
function indexed({ text, first }: Searched): Find {
  const places = new Map<string, number[]>();
  const starts = startsIn(text, first);
  for (const at of starts) for (const name of namesOf(entryFrom(text, at))) add(places, name, at);
  let place = 0;
  for (const { index, 1: name = '' } of text.matchAll(/\n {4}"?([^"\n:]+)"?: /g)) {
    while ((starts[place + 1] ?? Number.POSITIVE_INFINITY) <= index) place++;
    if (index > first) add(places, name, starts[place] ?? first);
  }
  return (names) => names.flatMap((name) => places.get(name) ?? []);
}

/** By the name of a package, where the entries begin that patch it. */
function patchesIn(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { 0: patch, index } of text.matchAll(/@patch:[^#"\n]+#/g))
    add(places, nameOf(patchSource(patch) ?? ''), startAround(text, index));
  return places;
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

import { chainOf, entryCount } from './all-entries';
import { range, rangeEnd, readPair } from './lines';
import {
  BEGIN,
  ENTRY,
  entries,
  FLAGS,
  KEPT_ROW,
  KEY,
  KEYS,
  kept,
  keys,
  LINES,
  left,
  MEMBER,
  NAME_END,
  NAME_TO,
  NEXT,
  NODE,
  NODES,
  NODES_TO,
  names,
  OWNER,
  PAIR,
  queue,
  read,
  rowOf,
  START,
  STATE,
  text,
  ways,
} from './room';
import { byteAt, COLON, COMMA, holds, isPlainText, isSame, isText, QUOTE } from './text';

// Of a name, in the nodes of the keys that have it: it was followed; what a line asks for is not only for its key to say; a line was left.
const FOLLOWED: u32 = 1;
const RULED: u32 = 2;
const LEFT: u32 = 4;

const KEPT: i32 = 1;

/** In place of an entry. */
const NOBODY: i32 = -1;
const SEVERAL: i32 = -2;

export let keptCount: i32 = 0;
export let wayCount: i32 = 0;
export let leftCount: i32 = 0;
let queued: i32 = 0;
let passed: i32 = 0;

/** Notes names, each with a zero behind it, whose lines are all left to the caller. */
export function noteRuled(size: usize): void {
  let begin = names;
  for (let at = names; at < names + size; at++) {
    if (load<u8>(at) !== 0) continue;
    flag(begin, at, RULED);
    begin = at + 1;
  }
}

/**
 * Keeps all entries of a member's name, those that depend on one of them, and so on through packages from outside, members not. False
 * where a line is not as Yarn writes it.
 */
export function reachFrom(place: i32): boolean {
  const row = rowOf(place);
  if (!followOnce(read(row, START) + 1, read(row, NAME_END))) return false;
  for (; passed < queued; passed++) {
    const entry = entries + <usize>load<i32>(queue + <usize>passed * 4) * ENTRY;
    for (let at = load<i32>(entry + NODES); at < load<i32>(entry + NODES_TO); at++) {
      const node = keys + <usize>at * NODE;
      if (!followOnce(read(node, BEGIN), read(node, NAME_TO))) return false;
    }
  }
  return true;
}

function followOnce(name: usize, end: usize): boolean {
  const flags = flagsOf(name, end);
  if ((flags & FOLLOWED) !== 0) return true;
  // A line that has such a name is not cut where the name ends.
  if (holds(name, end, COLON, QUOTE)) return false;
  const before = leftCount;
  const isPatched = keepNamed(name, end);
  const isRuled = isPatched || (flags & RULED) !== 0;
  for (let node = firstOf(name, end, LINES); node !== 0; node = nextOf(node, name, end)) {
    keep(load<i32>(node + OWNER));
    if (!addLine(node, isRuled)) return false;
  }
  flag(name, end, isPatched || leftCount > before ? FOLLOWED | LEFT : FOLLOWED);
  return true;
}

/** Keeps the entries of a name; whether one of them is patched, so that a line may lead to more than the key it names. */
function keepNamed(name: usize, end: usize): boolean {
  let isPatched = false;
  for (let node = firstOf(name, end, KEYS); node !== 0; node = nextOf(node, name, end)) {
    keep(load<i32>(node + OWNER));
    if (isText(read(node, NAME_TO), '@patch:')) isPatched = true;
  }
  return isPatched;
}

function keep(number: i32): void {
  const entry = entries + <usize>number * ENTRY;
  if (load<i32>(entry + STATE) === KEPT) return;
  store<i32>(entry + STATE, KEPT);
  keptCount++;
  if (load<i32>(entry + MEMBER) !== -1) return;
  store<i32>(queue + <usize>queued * 4, number);
  queued++;
}

/** Adds the way over a line, or leaves the line. False where it is not as Yarn writes it, or two entries have what it asks for. */
function addLine(node: usize, isRuled: boolean): boolean {
  const begin = read(node, BEGIN);
  const isQuoted = byteAt(begin - 1) === QUOTE;
  if (!readPair(isQuoted ? begin - 5 : begin - 4) || !(isQuoted || isPlainText(begin, read(node, NAME_TO)))) return false;
  if (byteAt(range - 1) !== QUOTE && !isPlainText(range, rangeEnd)) return false;
  if (holds(range, rangeEnd, COMMA, COMMA)) return false;
  let to = isRuled ? NOBODY : findOwner(node, 0);
  if (to === NOBODY && !isRuled && !holds(range, rangeEnd, COLON, COLON)) to = findOwner(node, 4);
  if (to === SEVERAL) return false;
  const from = load<i32>(node + OWNER);
  if (to === NOBODY) addLeft(from, begin);
  else addWay(to, from);
  return true;
}

function addWay(to: i32, from: i32): void {
  const way = ways + <usize>wayCount * PAIR;
  store<i32>(way, to);
  store<i32>(way + 4, from);
  wayCount++;
}

function addLeft(from: i32, begin: usize): void {
  const line = left + <usize>leftCount * PAIR;
  store<i32>(line, from);
  store<u32>(line + 4, <u32>(begin - text));
  leftCount++;
}

/** The entry that has the range of the last line in its key under the name of a node, behind so many bytes of `npm:`. */
function findOwner(line: usize, prefix: usize): i32 {
  const name = read(line, BEGIN);
  const end = read(line, NAME_TO);
  let owner = NOBODY;
  for (let node = firstOf(name, end, KEYS); node !== 0; node = nextOf(node, name, end)) {
    if (!isFor(read(node, NAME_TO) + 1, prefix)) continue;
    if (owner !== NOBODY) return SEVERAL;
    owner = load<i32>(node + OWNER);
  }
  return owner;
}

/** Whether the range of a key is that of the last line. */
function isFor(from: usize, prefix: usize): boolean {
  const size = rangeEnd - range;
  const end = byteAt(from + prefix + size);
  return (end === QUOTE || end === COMMA) && (prefix === 0 || isText(from, 'npm:')) && isSame(from + prefix, range, size);
}

function firstOf(name: usize, end: usize, chain: usize): usize {
  return fitting(<usize>load<u32>(chainOf(name, end) + chain), name, end);
}

function nextOf(node: usize, name: usize, end: usize): usize {
  return fitting(<usize>load<u32>(node + NEXT), name, end);
}

/** The first node from one on that has a name, or 0. */
function fitting(node: usize, name: usize, end: usize): usize {
  const size = end - name;
  let at = node;
  while (at !== 0 && (read(at, NAME_TO) - read(at, BEGIN) !== size || !isSame(read(at, BEGIN), name, size)))
    at = <usize>load<u32>(at + NEXT);
  return at;
}

/** What is known of a name stands in the first of its nodes. */
function flagsOf(name: usize, end: usize): u32 {
  const node = firstOf(name, end, KEYS);
  return node === 0 ? 0 : load<u32>(node + FLAGS);
}

function flag(name: usize, end: usize, flags: u32): void {
  const node = firstOf(name, end, KEYS);
  if (node !== 0) store<u32>(node + FLAGS, load<u32>(node + FLAGS) | flags);
}

/** Numbers the entries that are kept in their order, by which ways and lines then tell them. */
export function numberKept(): void {
  let count = 0;
  for (let at = 0; at < entryCount; at++) {
    const entry = entries + <usize>at * ENTRY;
    if (load<i32>(entry + STATE) !== KEPT) continue;
    const row = kept + <usize>count * KEPT_ROW;
    // Where key and locator begin and end, and which member it is.
    memory.copy(row, entry + KEY, 20);
    store<i32>(row + 20, hasLeft(entry) ? 1 : 0);
    store<i32>(entry + STATE, count);
    count++;
  }
  for (let at = 0; at < wayCount; at++) {
    const way = ways + <usize>at * PAIR;
    renumber(way);
    renumber(way + 4);
  }
  for (let at = 0; at < leftCount; at++) renumber(left + <usize>at * PAIR);
}

function renumber(at: usize): void {
  store<i32>(at, load<i32>(entries + <usize>load<i32>(at) * ENTRY + STATE));
}

/** Whether a name of an entry is left to the caller: lines that have it, or what is patched. */
function hasLeft(entry: usize): boolean {
  for (let at = load<i32>(entry + NODES); at < load<i32>(entry + NODES_TO); at++) {
    const node = keys + <usize>at * NODE;
    if ((flagsOf(read(node, BEGIN), read(node, NAME_TO)) & LEFT) !== 0) return true;
  }
  return false;
}

import { memberCount } from './entries';
import { findName, NOBODY } from './names';
import {
  ASKED,
  ASKED_END,
  END,
  edges,
  FIRST,
  KEY_END,
  marks,
  NAME_END,
  odd,
  PAIR,
  PEERS,
  PEERS_END,
  read,
  rowOf,
  START,
  sorted,
  starts,
  text,
  textEnd,
} from './room';
import {
  BACKSLASH,
  byteAt,
  COLON,
  COMMA,
  find,
  findNameEnd,
  holds,
  isSame,
  isText,
  LINE_END,
  lineEnd,
  markOrEnd,
  QUOTE,
  SPACE,
} from './text';

/** What is known of a descriptor: a member asks for it, or a package from outside does. */
const INSIDE: u8 = 1;
const OUTSIDE: u8 = 2;

export let edgeCount: i32 = 0;
export let oddCount: i32 = 0;

// Of the line that was read last.
let name: usize = 0;
let nameEnd: usize = 0;
export let range: usize = 0;
export let rangeEnd: usize = 0;
let next: usize = 0;

/** Reads who asks for whom. False where a line is not as Yarn writes it, or a member asks for a workspace that is not there. */
export function readLines(): boolean {
  let behind = text;
  for (let place = 0; place < memberCount; place++) {
    const row = rowOf(place);
    if (!readOutside(behind, read(row, START))) return false;
    if (!readField(place, read(row, ASKED), read(row, ASKED_END), 0)) return false;
    if (!readField(place, read(row, PEERS), read(row, PEERS_END), 1)) return false;
    behind = read(row, END);
  }
  if (!readOutside(behind, textEnd)) return false;
  sortEdges();
  return true;
}

/** Reads the lines below a field. A peer is given by its name, whatever the range. */
function readField(place: i32, from: usize, end: usize, peer: i32): boolean {
  for (let at = from; at < end; at = next) {
    const start = at;
    if (!readPair(at)) return false;
    const to = findName(name, nameEnd);
    if (to === NOBODY) {
      if (isText(range, 'workspace:')) return false;
    } else if (to >= 0 && (peer === 1 || markInside(to))) addEdge(place, to, peer);
    else addOdd(place, start);
  }
  return true;
}

/** `    name: range`, with quotes about either, and none inside of them. False for every other line. */
export function readPair(at: usize): boolean {
  const isQuoted = byteAt(at + 4) === QUOTE;
  name = at + (isQuoted ? 5 : 4);
  const first = byteAt(name);
  if (first === SPACE || first === QUOTE || first === COLON || first === LINE_END) return false;
  nameEnd = findNameEnd(name + 1);
  const colon = isQuoted ? nameEnd + 1 : nameEnd;
  return byteAt(nameEnd) === (isQuoted ? QUOTE : COLON) && isText(colon, ': ') && readRange(colon + 2);
}

function readRange(from: usize): boolean {
  const end = lineEnd(from);
  next = end + 1;
  range = from;
  rangeEnd = end;
  if (byteAt(from) !== QUOTE) return end > from;
  range = from + 1;
  rangeEnd = end - 1;
  return rangeEnd >= range && byteAt(rangeEnd) === QUOTE && !holds(range, rangeEnd, QUOTE, BACKSLASH);
}

/** Lines of entries from outside, of whatever field, that name a member. False for one that could, and is not as Yarn writes it. */
function readOutside(from: usize, end: usize): boolean {
  for (let at = from; at < end; at = lineEnd(at) + 1) {
    if (!isText(at, '    ') || byteAt(at + 4) === SPACE) continue;
    if (readPair(at)) markOutside(findName(name, nameEnd));
    else if (mayBePair(at)) return false;
  }
  return true;
}

/** Whether there is anything in a line that could stand between a name and a range. */
function mayBePair(from: usize): boolean {
  let at = find(from, COLON, LINE_END);
  while (byteAt(at) === COLON && byteAt(at + 1) !== SPACE) at = find(at + 1, COLON, LINE_END);
  return byteAt(at) === COLON;
}

/** Marks the descriptor that the line of a member means, if there is one. Before Yarn 4 ranges stood there without their `npm:`. */
function markInside(place: i32): boolean {
  return mark(place, INSIDE, 0) || mark(place, INSIDE, 4);
}

/** From outside either may be meant. */
function markOutside(place: i32): void {
  if (place < 0) return;
  mark(place, OUTSIDE, 0);
  mark(place, OUTSIDE, 4);
}

/** Marks a descriptor whose range, behind so many bytes of `npm:`, is that of the last line. */
function mark(place: i32, what: u8, prefix: usize): boolean {
  const row = rowOf(place);
  const size = read(row, NAME_END) - read(row, START);
  const last = read(row, KEY_END);
  let at = marks + <usize>load<u32>(row + FIRST);
  let found = false;
  for (let begin = read(row, START) + 1; begin < last; at++) {
    const from = begin + size;
    const end = find(from, COMMA, QUOTE);
    if (isAsked(from, end, prefix)) {
      store<u8>(at, load<u8>(at) | what);
      found = true;
    }
    begin = end + 2;
  }
  return found;
}

function isAsked(from: usize, end: usize, prefix: usize): boolean {
  const size = rangeEnd - range;
  return end - from === prefix + size && (prefix === 0 || isText(from, 'npm:')) && isSame(from + prefix, range, size);
}

function addEdge(from: i32, to: i32, peer: i32): void {
  if (from === to) return;
  const edge = edges + <usize>edgeCount * PAIR;
  store<i32>(edge, to);
  store<i32>(edge + 4, from * 2 + peer);
  edgeCount++;
}

function addOdd(from: i32, line: usize): void {
  const pair = odd + <usize>oddCount * PAIR;
  store<i32>(pair, from);
  store<u32>(pair + 4, <u32>(line - text));
  oddCount++;
}

/** Puts those that lead to one member side by side; `starts` then tells where those of each begin. */
function sortEdges(): void {
  for (let at = 0; at < edgeCount; at++) count(load<i32>(edges + <usize>at * PAIR), 1);
  let before = 0;
  for (let place = 0; place <= memberCount; place++) before = count(place, before);
  // From the last to the first, each in front of those that are there already.
  for (let at = edgeCount - 1; at >= 0; at--) {
    const edge = edges + <usize>at * PAIR;
    const place = count(load<i32>(edge), -1);
    store<i32>(sorted + <usize>place * 4, load<i32>(edge + 4));
  }
}

/** Adds to a number of `starts`, and gives the sum. */
function count(place: i32, more: i32): i32 {
  const at = starts + <usize>place * 4;
  const sum = load<i32>(at) + more;
  store<i32>(at, sum);
  return sum;
}

/**
 * Whether a package that is no member may ask for a member: it has a line for one of the descriptors, or nobody has, so that it stands in
 * the key for somebody who cannot be seen.
 */
export function isAskedOutside(place: i32): boolean {
  const row = rowOf(place);
  const last = read(row, KEY_END);
  let at = marks + <usize>load<u32>(row + FIRST);
  for (let begin = read(row, START) + 1; begin < last; at++) {
    const what = load<u8>(at);
    const end = find(begin, COMMA, QUOTE);
    if ((what & OUTSIDE) !== 0 || ((what & INSIDE) === 0 && markOrEnd(begin) > end)) return true;
    begin = end + 2;
  }
  return false;
}

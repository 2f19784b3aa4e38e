import { memberCount } from './entries';
import { behindMetadata } from './plain';
import {
  BEGIN,
  CHAIN,
  chainCount,
  chains,
  ENTRY,
  entries,
  entryRoom,
  KEY,
  KEY_TO,
  KEYS,
  keys,
  LINES,
  LOCATOR,
  LOCATOR_TO,
  lines,
  MEMBER,
  NAME_TO,
  NEXT,
  NODE,
  NODES,
  NODES_TO,
  nodeRoom,
  OWNER,
  read,
  rowOf,
  START,
  text,
  textEnd,
  write,
} from './room';
import {
  AT,
  byteAt,
  COMMA,
  find,
  findNameEnd,
  gapOrField,
  HASH,
  hashOf,
  isSame,
  isText,
  LINE_END,
  lineEnd,
  QUESTION,
  QUOTE,
  SPACE,
} from './text';

const FOUR_SPACES: u32 = 0x20202020;
const NOWHERE: usize = 0;

export let entryCount: i32 = 0;
let keyCount: i32 = 0;
let lineCount: i32 = 0;
let nextMember: i32 = 0;

/**
 * Notes all entries, what their keys have and what they depend on, by name. The text has to be plain. False where an entry is otherwise
 * than Yarn writes it, a patch has another name than what it is applied to, or there are more than there is room for.
 */
export function noteEntries(): boolean {
  // They can be noted once.
  let at = entryCount === 0 && isTopPlain() ? behindMetadata() : NOWHERE;
  while (at < textEnd && at !== NOWHERE) at = noteEntry(at);
  return at !== NOWHERE;
}

/** Whether nothing but comments stands in front of `__metadata`, and that begins with a version. */
function isTopPlain(): boolean {
  let at = text;
  while (byteAt(at) === HASH || (byteAt(at) === LINE_END && at < textEnd)) at = lineEnd(at) + 1;
  if (!isText(at, '__metadata:\n  version: ')) return false;
  const end = lineEnd(at + 12);
  for (at += 23; at < end; at++) if (byteAt(at) < 0x30 || byteAt(at) > 0x39) return false;
  return byteAt(end - 1) !== SPACE;
}

/** Where the next one begins. */
function noteEntry(start: usize): usize {
  if (entryCount === entryRoom) return NOWHERE;
  const isLong = byteAt(start) === QUESTION;
  const key = isLong ? start + 3 : start + 1;
  const keyEnd = find(key, QUOTE, LINE_END);
  if (byteAt(key - 1) !== QUOTE || !isText(keyEnd, isLong ? '"\n:\n' : '":\n')) return NOWHERE;
  let at = keyEnd + (isLong ? 4 : 3);
  if (isText(at, '  version: ')) at = lineEnd(at) + 1;
  const locatorEnd = find(at + 15, QUOTE, LINE_END);
  if (!isText(at, '  resolution: "') || !isText(locatorEnd, '"\n')) return NOWHERE;
  const row = entries + <usize>entryCount * ENTRY;
  write(row, KEY, key);
  write(row, KEY_TO, keyEnd);
  write(row, LOCATOR, at + 15);
  write(row, LOCATOR_TO, locatorEnd);
  store<i32>(row + MEMBER, memberAt(start));
  store<i32>(row + NODES, keyCount);
  if (!noteKey(key, keyEnd)) return NOWHERE;
  store<i32>(row + NODES_TO, keyCount);
  const end = noteLines(locatorEnd + 2);
  entryCount++;
  return end === NOWHERE ? NOWHERE : passFields(end);
}

/** The member whose entry begins here, or -1. */
function memberAt(start: usize): i32 {
  if (nextMember === memberCount || read(rowOf(nextMember), START) !== start) return -1;
  nextMember++;
  return nextMember - 1;
}

/** Notes the descriptors of a key. False where they are not divided by a comma and a space. */
function noteKey(from: usize, end: usize): boolean {
  for (let begin = from; begin < end; ) {
    const descriptorEnd = find(begin, COMMA, QUOTE);
    if (byteAt(begin) === SPACE || byteAt(descriptorEnd - 1) === SPACE || !noteDescriptor(begin, descriptorEnd)) return false;
    if (descriptorEnd === end) return true;
    if (byteAt(descriptorEnd + 1) !== SPACE) return false;
    begin = descriptorEnd + 2;
  }
  return false;
}

function noteDescriptor(begin: usize, end: usize): boolean {
  const nameEnd = find(begin + 1, AT, QUOTE);
  if (nameEnd >= end || keyCount === nodeRoom) return false;
  if (isText(nameEnd, '@patch:')) {
    const size = nameEnd - begin;
    if (!isSame(begin, nameEnd + 7, size) || byteAt(nameEnd + 7 + size) !== AT) return false;
  }
  noteNode(keys + <usize>keyCount * NODE, begin, nameEnd, KEYS);
  keyCount++;
  return true;
}

/** Notes the dependencies, if there are any, and says where the next field begins. */
function noteLines(from: usize): usize {
  if (!isText(from, '  dependencies:\n')) return from;
  let at = from + 16;
  while (load<u32>(at) === FOUR_SPACES) {
    const begin = byteAt(at + 4) === QUOTE ? at + 5 : at + 4;
    if (byteAt(begin) === SPACE || byteAt(begin) === LINE_END) return NOWHERE;
    const nameEnd = findNameEnd(begin + 1);
    const end = lineEnd(nameEnd);
    // Shorter than any line with a name and a range.
    if (end < at + 8 || lineCount === nodeRoom) return NOWHERE;
    const node = lines + <usize>lineCount * NODE;
    noteNode(node, begin, nameEnd, LINES);
    lineCount++;
    at = end + 1;
  }
  return at;
}

/** Puts a node behind all others of its chain. */
function noteNode(node: usize, begin: usize, nameEnd: usize, chain: usize): void {
  write(node, BEGIN, begin);
  write(node, NAME_TO, nameEnd);
  store<i32>(node + OWNER, entryCount);
  const ends = chainOf(begin, nameEnd) + chain;
  const last = <usize>load<u32>(ends + 4);
  store<u32>(last === 0 ? ends : last + NEXT, <u32>node);
  store<u32>(ends + 4, <u32>node);
}

export function chainOf(name: usize, end: usize): usize {
  return chains + <usize>(hashOf(name, end) & (chainCount - 1)) * CHAIN;
}

/** Where the entry behind begins whose other fields these are; the last of them has to be the type of the link. */
function passFields(from: usize): usize {
  let at = gapOrField(from - 1);
  while (byteAt(at + 1) !== LINE_END) {
    if (isText(at + 1, '  dependencies:')) return NOWHERE;
    at = gapOrField(at + 1);
  }
  const type = at - 16;
  if (type < from || byteAt(type - 1) !== LINE_END) return NOWHERE;
  return isText(type, '  linkType: hard') || isText(type, '  linkType: soft') ? at + 2 : NOWHERE;
}

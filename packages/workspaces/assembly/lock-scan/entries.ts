import {
  ASKED,
  ASKED_END,
  END,
  FIRST,
  KEY_END,
  NAME_END,
  PATH,
  PATH_END,
  PEERS,
  PEERS_END,
  rowOf,
  START,
  text,
  textEnd,
  write,
} from './room';
import {
  AT,
  BACKSLASH,
  byteAt,
  COLON,
  COMMA,
  DOT,
  find,
  HASH,
  hasOther,
  holds,
  isSame,
  isText,
  LINE_END,
  lineEnd,
  QUESTION,
  QUOTE,
  SLASH,
  SPACE,
} from './text';

const FOUR_SPACES: u32 = 0x20202020;

// No entry begins at the first byte of memory: in place of a place it says that something is not as Yarn writes it.
const UNUSUAL: usize = 0;

export let memberCount: i32 = 0;
let descriptorCount: i32 = 0;

/** Notes the entries of all workspaces. False where one of them, or a line that no entry has, is not as Yarn writes it. */
export function readEntries(): boolean {
  let hasMetadata = false;
  for (let at = text; at < textEnd; ) {
    const first = byteAt(at);
    const end = lineEnd(at);
    if ((first === QUOTE || first === QUESTION) && holdsMark(at, end)) {
      at = readEntry(at, end);
      if (at === UNUSUAL) return false;
      continue;
    }
    if (first === 0x5f && isText(at, '__metadata:\n')) hasMetadata = true;
    else if (!mayBegin(first)) return false;
    at = end + 1;
  }
  return hasMetadata && !hasOther(text, textEnd);
}

/** A line of an entry, a key, the second line of a long key, a comment or nothing; a conflict of a merge is none of these. */
function mayBegin(byte: i32): boolean {
  return byte === SPACE || byte === QUOTE || byte === QUESTION || byte === COLON || byte === HASH || byte === LINE_END;
}

function holdsMark(from: usize, end: usize): boolean {
  for (let at = find(from, AT, LINE_END); at < end; at = find(at + 1, AT, LINE_END)) if (isText(at, '@workspace:')) return true;
  return false;
}

/** Reads an entry, and says where its last line ends. */
function readEntry(start: usize, keyEnd: usize): usize {
  const row = rowOf(memberCount);
  store<i32>(row + FIRST, descriptorCount);
  const nameEnd = readKey(start, keyEnd);
  if (nameEnd === UNUSUAL) return UNUSUAL;
  let at = keyEnd + 1;
  if (isText(at, '  version: ')) at = lineEnd(at) + 1;
  const path = readResolution(at, start + 1, nameEnd);
  if (path === UNUSUAL) return UNUSUAL;
  write(row, START, start);
  write(row, NAME_END, nameEnd);
  write(row, KEY_END, keyEnd - 2);
  write(row, PATH, path);
  at = lineEnd(at);
  write(row, PATH_END, at - 1);
  at = passField(at + 1, '  dependencies:\n', row, ASKED, ASKED_END);
  at = passField(at, '  peerDependencies:\n', row, PEERS, PEERS_END);
  at = passRest(at);
  write(row, END, at);
  memberCount++;
  return at;
}

/** Where the name ends in a key whose descriptors all have the same one. */
function readKey(start: usize, end: usize): usize {
  const name = start + 1;
  const last = end - 2;
  if (byteAt(start) !== QUOTE || last <= name || byteAt(last) !== QUOTE || byteAt(last + 1) !== COLON) return UNUSUAL;
  if (holds(name, last, QUOTE, BACKSLASH)) return UNUSUAL;
  const nameEnd = find(name + 1, AT, QUOTE);
  const size = nameEnd - name;
  for (let begin = name; begin < last; ) {
    const rangeEnd = find(begin, COMMA, QUOTE);
    if (begin + size + 1 >= rangeEnd || !isSame(name, begin, size) || byteAt(begin + size) !== AT) return UNUSUAL;
    descriptorCount++;
    if (rangeEnd === last) return nameEnd;
    if (byteAt(rangeEnd + 1) !== SPACE) return UNUSUAL;
    begin = rangeEnd + 2;
  }
  return UNUSUAL;
}

/** Where the path begins in the line `resolution`, which has to have the name of the key. */
function readResolution(at: usize, name: usize, nameEnd: usize): usize {
  if (!isText(at, '  resolution: "')) return UNUSUAL;
  const end = lineEnd(at) - 1;
  const size = nameEnd - name;
  const own = at + 15;
  const path = own + size + 11;
  if (path >= end || !isSame(own, name, size) || !isText(own + size, '@workspace:') || byteAt(end) !== QUOTE) return UNUSUAL;
  return isFolder(path, end) ? path : UNUSUAL;
}

/** `.`, or names of folders of which none begins with a dot. */
function isFolder(from: usize, end: usize): boolean {
  if (end - from === 1 && byteAt(from) === DOT) return true;
  if (holds(from, end, COLON, BACKSLASH) || holds(from, end, QUOTE, QUOTE)) return false;
  for (let at = from; at <= end; at = find(at, SLASH, QUOTE) + 1)
    if (byteAt(at) === SLASH || byteAt(at) === DOT || byteAt(at) === QUOTE) return false;
  return true;
}

/** Notes where the lines below a field begin and end, and says the latter; without the field there are none. */
function passField(at: usize, field: string, row: usize, begins: usize, ends: usize): usize {
  const begin = isText(at, field) ? at + <usize>field.length : at;
  const end = begin > at ? passNested(begin) : at;
  write(row, begins, begin);
  write(row, ends, end);
  return end;
}

function passNested(from: usize): usize {
  let at = from;
  while (load<u32>(at) === FOUR_SPACES) at = lineEnd(at) + 1;
  return at;
}

/** Other fields up to `linkType`, behind which nothing may stand but an empty line. */
function passRest(from: usize): usize {
  let at = from;
  while (isText(at, '  ')) {
    if (isText(at, '  linkType: soft\n')) {
      const end = at + 16;
      return end + 1 >= textEnd || byteAt(end + 1) === LINE_END ? end : UNUSUAL;
    }
    if (byteAt(at + 2) === SPACE || isText(at, '  linkType:') || isText(at, '  dependencies:') || isText(at, '  peerDependencies:'))
      return UNUSUAL;
    at = passNested(lineEnd(at) + 1);
  }
  return UNUSUAL;
}

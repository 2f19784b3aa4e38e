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
  GREATER,
  holds,
  isPrintable,
  isSame,
  isText,
  LESS,
  LINE_END,
  lineEnd,
  markOrEnd,
  QUOTE,
  SLASH,
  SPACE,
} from './text';

const FOUR_SPACES: u32 = 0x20202020;

// No entry begins at the first byte of memory: in place of a place it says that something is not as Yarn writes it.
const UNUSUAL: usize = 0;

export let memberCount: i32 = 0;
let descriptorCount: i32 = 0;

/** Notes the entries of all workspaces. False where one of them is not as Yarn writes it, or a merge may have left a conflict. */
export function readEntries(): boolean {
  // An entry, and a line below one, has the end of another line before it.
  if (byteAt(text) === QUOTE || byteAt(text) === SPACE) return false;
  let hasMetadata = false;
  for (let at = text; at < textEnd; ) {
    const first = byteAt(at);
    const end = markOrEnd(at);
    if (byteAt(end) === AT) {
      at = readEntry(at, lineEnd(end));
      if (at === UNUSUAL) return false;
      continue;
    }
    if (first === 0x5f && isText(at, '__metadata:\n')) hasMetadata = true;
    else if (first === LESS || first === GREATER) return false;
    at = end + 1;
  }
  return hasMetadata && isPrintable(text, textEnd);
}

/** Reads the entry of a workspace, the only one that may have a line with `@workspace:`, and says where its last line ends. */
function readEntry(start: usize, keyEnd: usize): usize {
  const row = rowOf(memberCount);
  store<i32>(row + FIRST, descriptorCount);
  const nameEnd = readKey(start, keyEnd);
  if (nameEnd === UNUSUAL) return UNUSUAL;
  let at = keyEnd + 1;
  if (isText(at, '  version: ') && byteAt(at + 11) !== LINE_END) at = lineEnd(at) + 1;
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
  if (byteAt(name) === AT && size === 1) return UNUSUAL;
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

/** `.`, or names of folders of which none begins with a dot, and the first with a letter, a digit, `_` or `@`. */
function isFolder(from: usize, end: usize): boolean {
  if (end - from === 1 && byteAt(from) === DOT) return true;
  if (!isWord(byteAt(from)) || holds(from, end, COLON, BACKSLASH) || holds(from, end, QUOTE, QUOTE)) return false;
  for (let at = from; at <= end; at = find(at, SLASH, QUOTE) + 1)
    if (byteAt(at) === SLASH || byteAt(at) === DOT || byteAt(at) === QUOTE) return false;
  return true;
}

function isWord(byte: i32): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte === AT;
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
  while (load<u32>(at) === FOUR_SPACES && byteAt(at + 4) !== LINE_END) at = lineEnd(at) + 1;
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
    const first = byteAt(at + 2);
    if (
      first === SPACE ||
      first === LINE_END ||
      isText(at, '  linkType:') ||
      isText(at, '  dependencies:') ||
      isText(at, '  peerDependencies:')
    )
      return UNUSUAL;
    const begin = lineEnd(at) + 1;
    at = passNested(begin);
    if (holdsWorkspaceRange(begin, at)) return UNUSUAL;
  }
  return UNUSUAL;
}

/** Whether something like a request for a workspace stands where none belongs. */
function holdsWorkspaceRange(from: usize, end: usize): boolean {
  for (let at = find(from, QUOTE, LINE_END); at < end; at = find(at + 1, QUOTE, LINE_END)) if (isText(at, '"workspace:')) return true;
  return false;
}

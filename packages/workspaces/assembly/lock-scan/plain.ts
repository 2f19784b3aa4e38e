import { text, textEnd } from './room';
import { BACKSLASH, byteAt, COLON, holds, isText, LINE_END, lineEnd, QUESTION, QUOTE, RETURN } from './text';

const EIGHT_SPACES: u64 = ((<u64>0x20202020) << 32) | 0x20202020;

/**
 * Whether all behind `__metadata` is written as Yarn writes it, so that no entry is more than it seems: one empty line in front of each and
 * nowhere else, one resolution in each, fields at two spaces and what they hold below them, nothing that needs an escape.
 */
export function isPlain(): boolean {
  if (textEnd === text || byteAt(textEnd - 1) !== LINE_END || holds(text, textEnd, BACKSLASH, RETURN)) return false;
  let at = behindMetadata();
  while (at !== 0 && at < textEnd) at = passEntry(at);
  return at !== 0;
}

/** Where the first entry begins; 0 if there is none. */
export function behindMetadata(): usize {
  let at = text;
  while (at < textEnd && !isText(at, '__metadata:\n')) at = lineEnd(at) + 1;
  while (at < textEnd && byteAt(at) !== LINE_END) at = lineEnd(at) + 1;
  return at < textEnd ? at + 1 : 0;
}

/** Where the next entry begins; 0 for one that is not plain. */
function passEntry(start: usize): usize {
  const first = byteAt(start);
  if (first !== QUOTE && !isText(start, '? ')) return 0;
  let at = lineEnd(start) + 1;
  if (first === QUESTION) {
    if (byteAt(at) !== COLON) return 0;
    at = lineEnd(at) + 1;
  }
  let resolutions = 0;
  for (; at < textEnd && byteAt(at) !== LINE_END; at = lineEnd(at) + 1) {
    if (!isIndented(at)) return 0;
    if (isText(at, '  resolution: ')) resolutions++;
  }
  if (resolutions !== 1) return 0;
  // The empty line in front of the next one; behind the last there is none.
  return at < textEnd && at + 1 >= textEnd ? 0 : at + 1;
}

/** By two, four or six spaces, with no key in its long form behind them. */
function isIndented(at: usize): boolean {
  const other = load<u64>(at) ^ EIGHT_SPACES;
  if (other === 0) return false;
  const spaces = <usize>ctz(other) >> 3;
  return spaces >= 2 && (spaces & 1) === 0 && byteAt(at + spaces) !== QUESTION;
}

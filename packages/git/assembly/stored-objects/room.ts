// Where everything lies in memory. Whatever is not as it should be ends the program (`unreachable`), which its caller sees as an exception.

const PAGE: usize = 65536;
/** The words of this program lie in front of it. */
const BEGIN: usize = 8192;
const MOST: usize = 384 * 1024 * 1024;

/** What is needed from outside: `needs.ts`. */
export const NEED: usize = BEGIN;
/** Room for the ids that are asked for. */
export const ID: usize = NEED + 64;
export const OTHER_ID: usize = ID + 32;
export const BASE_ID: usize = OTHER_ID + 32;
export const HASH: usize = BASE_ID + 32;
/** The words of a block of SHA-1. */
export const WORDS: usize = HASH + 32;
/** Of inflating: lengths of codes, the tables of both alphabets, and those of the fixed codes. */
export const CODE_LENGTHS: usize = WORDS + 512;
export const TABLES: usize = CODE_LENGTHS + 512;
export const FIXED_TABLES: usize = TABLES + 8192;
/** The deltas of a chain: where each lies, and its size. */
export const CHAIN: usize = FIXED_TABLES + 8192;
export const LONGEST_CHAIN: i32 = 4096;
/** The files that are read from. */
export const FILES: usize = CHAIN + 8 * 4096;
export const MOST_FILES: i32 = 128;
/** The trees under comparison, one for each level. */
export const FRAMES: usize = FILES + 128 * 64;
export const MOST_FRAMES: i32 = 512;
/** What differs: rows, and the text of their paths. */
export const ROWS: usize = FRAMES + 512 * 48;
export const ROW: usize = 56;
export const MOST_ROWS: usize = 20000;
export const PATHS: usize = ROWS + 56 * 20000;
export const PATHS_END: usize = PATHS + 2 * 1024 * 1024;
/** The path of the folder under comparison. */
export const FOLDER: usize = PATHS_END + 64;
export const FOLDER_SIZE: usize = 65536;

const FIRST_FREE: usize = FOLDER + FOLDER_SIZE + 64;

let free: usize = FIRST_FREE;

/** Takes room from a stack; thirty-two bytes behind it may be written and read too. */
export function take(size: usize): usize {
  const at = free;
  reserve(size);
  free = endOf(size);
  return at;
}

/** Growing takes the engine long, however much it is; what is never touched costs nothing. */
const STEP: i32 = 32;

/** Makes sure of room for so much, all at once. */
export function reserve(size: usize): void {
  if (size > MOST || endOf(size) > MOST) unreachable();
  const pages = <i32>((endOf(size) + PAGE) / PAGE);
  if (memory.size() < pages && memory.grow(pages - memory.size() + STEP) < 0) unreachable();
}

function endOf(size: usize): usize {
  return (free + size + 47) & ~(<usize>15);
}

/** The id of what is larger the caller proves: it does so faster, once it has loaded what it needs. */
export const LARGE: usize = 1024 * 1024;
export const LARGEST: usize = 64 * 1024 * 1024;

/** In front of the content of an object, for what its id is made of beside it. */
export const BEFORE: usize = 32;
/** Behind it, for the end of its last block. */
const BEHIND: usize = 128;

export function takeContent(size: usize): usize {
  return take(BEFORE + size + BEHIND) + BEFORE;
}

/** Where the stack ends. */
export function taken(): usize {
  return free;
}

/** Gives back what was taken since it ended there. */
export function giveBack(at: usize): void {
  free = at;
}

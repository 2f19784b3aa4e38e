/**
 * Reads objects out of the files of a repository, and compares trees, without git and without what Node has for inflating and hashing: in a
 * process of fifty milliseconds they take longer to be loaded and called than this does its work, and JavaScript is hardly compiled when it
 * is over.
 *
 * It reads no file itself: a function that gives false has said at `needAt` what it needs first, and is then to be called again. What is
 * not as it should be ends in an exception, after which `reset` is to be called. All answers are addresses and sizes.
 */
import { noteApart as note } from './stored-objects/chain';
import { noteRead } from './stored-objects/files';
import {
  hashObject,
  layBlob,
  measureObject,
  objectAt,
  objectSize,
  objectType,
  readObject,
  roomForFile,
  stopReading,
} from './stored-objects/object';
import { addPack as add, expectPacks as expect, isIndex as isHead } from './stored-objects/pack';
import { giveBack, HASH, ID, NEED, OTHER_ID, PATHS, ROWS, take, taken } from './stored-objects/room';
import { diff, rowCount, startDiff } from './stored-objects/tree-diff';

let bottom: usize = 0;

/** To be called before packs are added: how many there will be. */
export function expectPacks(count: u32): void {
  expect(count);
}

/**
 * Where the first 1032 bytes of the index of a further pack are to be laid. Its number as a file is even, that of the pack the
 * next. Of the size of the index only whether it is small is of interest.
 */
export function addPack(indexSize: u32): usize {
  const head = add(indexSize);
  bottom = taken();
  return head;
}

/** Whether what was laid there is the head of an index that can be read. */
export function isIndex(pack: i32): boolean {
  return isHead(pack);
}

/** To be called before each question; what was answered before is gone. */
export function reset(): void {
  if (bottom === 0) {
    take(0);
    bottom = taken();
  }
  giveBack(bottom);
  stopReading();
}

/** Where five numbers say what is needed: `needs.ts`. */
export function needAt(): usize {
  return NEED;
}

/** Where the id of an object is to be laid. */
export function idAt(): usize {
  return ID;
}

/** Where that of the second tree is to be laid. */
export function otherIdAt(): usize {
  return OTHER_ID;
}

/** So many bytes of a file were read to where they were needed. */
export function noteBytes(count: u32): void {
  noteRead(count);
}

/** The same of what was read apart. */
export function noteApart(count: usize): void {
  note(count);
}

/** Where so many bytes of a file with one object are to be laid. */
export function roomFor(size: usize): usize {
  return roomForFile(size);
}

/** Reads the object whose id was laid down. */
export function read(): boolean {
  return readObject(ID);
}

/** Finds out no more of the object whose id was laid down than its size. */
export function measure(): boolean {
  return measureObject(ID);
}

/** Where the content of a blob of so many bytes is to be laid, before `hashBlob`. */
export function roomForBlob(size: usize): usize {
  return layBlob(size);
}

/** Where the id of that blob lies. */
export function hashBlob(): usize {
  hashObject();
  return HASH;
}

export function typeOf(): u32 {
  return objectType;
}

export function contentAt(): usize {
  return objectAt;
}

export function contentSize(): usize {
  return objectSize;
}

/** To be called before `compare`. */
export function startComparing(): void {
  startDiff();
}

/** Compares the trees whose ids were laid down, the older one first. */
export function compare(): boolean {
  return diff();
}

/** For each file two modes, four bytes each, two ids, and where its path begins and ends at `pathsAt`. */
export function rowsAt(): usize {
  return ROWS;
}

export function countRows(): usize {
  return rowCount;
}

export function pathsAt(): usize {
  return PATHS;
}

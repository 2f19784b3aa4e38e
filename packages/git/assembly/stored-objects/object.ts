import { compareIds, word } from './bytes';
import { madeAt, madeSize, madeType, makeObject, measure, startChain } from './chain';
import { inflate } from './inflate';
import { LOOSE, need, PROVE } from './needs';
import { FOUND, find, foundAt, NEEDS, packCount, startFinding } from './pack';
import { giveBack, HASH, LARGE, LARGEST, take, takeContent, taken } from './room';
import { hash } from './sha1';

// An object by its id, out of a pack or a file of its own, held against that id.

const IDLE: i32 = 0;
const FINDING: i32 = 1;
const MAKING: i32 = 2;
const IN_FILE: i32 = 3;
const PROVING: i32 = 4;

export const TREE: u32 = 2;
const BLOB: u32 = 3;

/** What was read; the type is that of the entries of packs. */
export let objectType: u32 = 0;
export let objectAt: usize = 0;
export let objectSize: usize = 0;

let stage: i32 = IDLE;
let wanted: usize = 0;
let begin: usize = 0;
let tried: i32 = 0;
/** The pack that had the last object is likely to have the next. */
let first: i32 = 0;
// The file of an object that lies in one.
let file: usize = 0;
let fileSize: usize = 0;

export function stopReading(): void {
  stage = IDLE;
}

/** False if something is needed first: to be called again with the same id. The content stays on top of the stack. */
export function readObject(id: usize): boolean {
  if (stage === IDLE) start(id);
  if (stage === FINDING && !findObject()) return false;
  if (stage === MAKING) {
    if (!makeObject()) return false;
    keep(madeType, madeAt, madeSize);
    if (!prove()) return false;
  }
  if (stage === IN_FILE) {
    readLoose();
    if (!prove()) return false;
  }
  stage = IDLE;
  return true;
}

/** How large an object is, without reading it, and so without a proof. As `readObject`; there is no content. */
export function measureObject(id: usize): boolean {
  if (stage === IDLE) start(id);
  if (stage === FINDING && !findObject()) return false;
  if (stage === MAKING) {
    if (!measure()) return false;
    objectSize = madeSize;
  }
  if (stage === IN_FILE) readLooseHead();
  stage = IDLE;
  return true;
}

function start(id: usize): void {
  wanted = id;
  begin = taken();
  tried = 0;
  file = 0;
  stage = FINDING;
  startFinding();
}

function findObject(): boolean {
  for (; tried < packCount; tried++) {
    const pack = (first + tried) % packCount;
    const found = find(pack, wanted);
    if (found === NEEDS) return false;
    if (found === FOUND) {
      first = pack;
      stage = MAKING;
      startChain(pack, foundAt);
      return true;
    }
  }
  stage = IN_FILE;
  need(LOOSE, 0, 0, 0, wanted);
  return false;
}

/** Where the file of the object is to be laid. */
export function roomForFile(size: usize): usize {
  fileSize = size;
  file = take(size);
  return file;
}

const HEAD: usize = 32;
const COMM: u32 = 0x636f6d6d;
const IT_: u32 = 0x697420;
const TREE_NAME: u32 = 0x74726565;
const BLOB_NAME: u32 = 0x626c6f62;
const TAG_: u32 = 0x74616720;
const SPACE: u32 = 0x20;

/** An object in a file: `tree 123`, a zero, the content, all of it deflated. */
function readLoose(): void {
  const before = readLooseHead();
  const size = objectSize;
  const whole = take(before + size);
  if (inflate(file, file + fileSize, whole, before + size) !== before + size) unreachable();
  keep(objectType, whole + before, size);
}

/** Says how much comes before the content. */
function readLooseHead(): usize {
  if (file === 0) unreachable();
  const head = take(HEAD);
  memory.fill(head, 0, HEAD);
  inflate(file, file + fileSize, head, HEAD);
  objectType = typeAt(head);
  if (objectType === 0) unreachable();
  objectSize = readNumber(head + lengthOf(objectType) + 1);
  return numberEnd + 1 - head;
}

/** Zero if it is none. */
function typeAt(head: usize): u32 {
  const name = word(head);
  const rest = word(head + 4);
  if (name === TAG_) return 4;
  if (name === COMM) return rest >> 8 === IT_ ? 1 : 0;
  if (rest >> 24 !== SPACE) return 0;
  return name === TREE_NAME ? TREE : name === BLOB_NAME ? BLOB : 0;
}

let numberEnd: usize = 0;

function readNumber(from: usize): usize {
  let number: usize = 0;
  let at = from;
  for (; load<u8>(at) !== 0; at++) {
    const digit = <usize>load<u8>(at) - 0x30;
    if (digit > 9 || number > LARGEST) unreachable();
    number = number * 10 + digit;
  }
  if (at === from || number > LARGEST) unreachable();
  numberEnd = at;
  return number;
}

/** All that was needed to make it is given back. */
function keep(type: u32, at: usize, size: usize): void {
  giveBack(begin);
  objectType = type;
  objectAt = takeContent(size);
  objectSize = size;
  memory.copy(objectAt, at, size);
}

/** Ends the program if the id is not that of the object. */
function prove(): boolean {
  if (objectSize > LARGE) {
    // Asked once; who comes back has found it right.
    stage = PROVING;
    need(PROVE, <i32>objectType, <u64>wanted, objectSize, objectAt);
    return false;
  }
  hashObject();
  if (compareIds(HASH, wanted) !== 0) unreachable();
  return true;
}

/** Where the content of a blob is to be laid whose id is asked for: `hashObject`. */
export function layBlob(size: usize): usize {
  objectType = BLOB;
  objectAt = takeContent(size);
  objectSize = size;
  return objectAt;
}

/** Writes the id of the object that lies there to `HASH`. */
export function hashObject(): void {
  const from = writeHead();
  hash(from, objectAt + objectSize - from);
}

/** Writes what belongs to the object in front of its content, and says where it begins. */
function writeHead(): usize {
  let at = objectAt - 1;
  store<u8>(at, 0);
  let number = objectSize;
  do {
    store<u8>(--at, <u8>(0x30 + (number % 10)));
    number /= 10;
  } while (number > 0);
  store<u8>(--at, 0x20);
  at -= lengthOf(objectType);
  store<u32>(at, bswap(objectType === 1 ? COMM : objectType === TREE ? TREE_NAME : objectType === BLOB ? BLOB_NAME : TAG_));
  if (objectType === 1) store<u16>(at + 4, 0x7469);
  return at;
}

function lengthOf(type: u32): usize {
  return type === 1 ? 6 : type === 4 ? 3 : 4;
}

import type { ObjectId } from '@tributary/model/ids';
import { hashObject, type ObjectType } from '../object-id.js';
import type { RawChange } from '../parse.js';
import { OpenFiles, objectFolders, packsIn, readLoose, sizeOf } from './files.js';
import { type Machine, startMachine } from './machine.js';
import { NotPlain } from './not-plain.js';

/** An object without its id. */
export interface Stored {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** By the numbers that they have in packs. */
const TYPES: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
/** What `assembly/stored-objects/needs.ts` asks for. */
const [READ, LOOSE, APART, PROVE] = [1, 2, 3, 4];
/** From here on `node:crypto` is faster, even if it has to be loaded. */
const LARGE = 512 * 1024;
/** Opening more packs takes longer than git does. */
const MANY_PACKS = 60;
const INDEX_HEAD = 8 + 256 * 4;
/** The numbers of a row in `assembly/stored-objects/tree-diff.ts`. */
const ROW = 56;
const [OLD_ID, NEW_ID, PATH, PATH_END] = [8, 28, 48, 52];

/**
 * Reads objects straight out of the files of a repository, for a program that needs a dozen: starting git takes longer than all of it.
 * Each object is held against its id, so that a mistake of this reader, or of the disk, cannot become a wrong answer.
 * Everything throws `NotPlain`, or what a broken file leads to.
 */
export class StoredObjects {
  private readonly folders: readonly string[];
  private readonly files = new OpenFiles();
  private readonly machine: Machine;
  private bytes: Buffer;

  /** `commonDir` is the folder of the repository that holds `objects`. SHA-1 only. */
  constructor(commonDir: string) {
    this.folders = objectFolders(commonDir);
    const packs = packsIn(this.folders);
    if (packs.length > MANY_PACKS) throw new NotPlain('many packs');
    this.machine = startMachine();
    this.machine.expectPacks(packs.length);
    this.bytes = Buffer.from(this.machine.memory.buffer);
    for (const [number, pack] of packs.entries()) this.addPack(number, pack);
  }

  read(id: ObjectId): Stored {
    const { machine } = this;
    machine.reset();
    this.memory().write(id, machine.idAt(), 'hex');
    while (machine.read() === 0) this.serve();
    const at = machine.contentAt();
    // A copy: the memory is used again for the next.
    const content = Buffer.allocUnsafe(machine.contentSize());
    content.set(new Uint8Array(machine.memory.buffer, at, content.length));
    return { type: typeOf(machine.typeOf()), content };
  }

  /** The same of an object that must be of this type. */
  readAs(type: ObjectType, id: ObjectId): Buffer {
    const object = this.read(id);
    if (object.type !== type) throw new NotPlain(`a ${object.type} in place of a ${type}`);
    return object.content;
  }

  /** How large an object is, as it says itself: without a proof. */
  sizeOf(id: ObjectId): number {
    const { machine } = this;
    machine.reset();
    this.memory().write(id, machine.idAt(), 'hex');
    while (machine.measure() === 0) this.serve();
    return machine.contentSize();
  }

  /** The id that a blob has, or would have. */
  idOf(content: Buffer): ObjectId {
    if (content.length > LARGE) return hashObject('sha1', 'blob', content);
    const { machine } = this;
    machine.reset();
    const at = machine.roomForBlob(content.length);
    this.memory().set(content, at);
    return idAt(this.memory(), machine.hashBlob());
  }

  /** What differs between two trees, as `diff-tree -r --raw --no-renames` says it. */
  diffTrees(from: ObjectId, to: ObjectId): readonly RawChange[] {
    const { machine } = this;
    machine.reset();
    this.memory().write(from, machine.idAt(), 'hex');
    this.memory().write(to, machine.otherIdAt(), 'hex');
    machine.startComparing();
    while (machine.compare() === 0) this.serve();
    const rows = machine.rowsAt();
    const [memory, numbers] = [this.memory(), this.numbers()];
    return Array.from({ length: machine.countRows() }, (_, row) =>
      changeAt(memory, numbers, { at: rows + row * ROW, paths: machine.pathsAt() }),
    );
  }

  private addPack(number: number, path: string): void {
    const index = `${path}.idx`;
    const head = this.machine.addPack(sizeOf(index));
    this.files.add(index);
    this.files.add(`${path}.pack`);
    const count = this.files.read(2 * number, 0, { to: this.memory(), at: head, size: INDEX_HEAD });
    if (count !== INDEX_HEAD || this.machine.isIndex(number) === 0) throw new NotPlain('an index of another version');
  }

  /** When the memory grows, there is another buffer in place of the one before. */
  private memory(): Buffer {
    const { buffer } = this.machine.memory;
    if (this.bytes.buffer !== buffer) this.bytes = Buffer.from(buffer);
    return this.bytes;
  }

  private numbers(): DataView {
    return new DataView(this.machine.memory.buffer);
  }

  /** Does what the machine has to have done before it can go on. */
  private serve(): void {
    const memory = this.memory();
    const [kind = 0, file = 0, place = 0, size = 0, at = 0] = new Float64Array(memory.buffer, this.machine.needAt(), 5);
    const part = { to: memory, at, size };
    if (kind === READ) this.machine.noteBytes(this.files.read(file, place, part));
    else if (kind === APART) this.machine.noteApart(this.files.read(file, place, part));
    else if (kind === LOOSE) this.layDownFile(idAt(memory, part.at));
    else if (kind === PROVE) prove(idAt(memory, place), typeOf(file), memory.subarray(part.at, part.at + part.size));
    else throw new NotPlain('an unknown need');
  }

  private layDownFile(id: ObjectId): void {
    const file = readLoose(this.folders, id);
    const at = this.machine.roomFor(file.length);
    this.memory().set(file, at);
  }
}

function typeOf(number: number): ObjectType {
  const type = TYPES[number];
  if (type === undefined) throw new NotPlain(`an object of type ${number}`);
  return type;
}

function prove(id: ObjectId, type: ObjectType, content: Buffer): void {
  if (hashObject('sha1', type, content) !== id) throw new NotPlain('an object that is not what its id says');
}

function changeAt(memory: Buffer, numbers: DataView, row: { readonly at: number; readonly paths: number }): RawChange {
  const numberAt = (place: number): number => numbers.getUint32(row.at + place, true);
  return {
    oldMode: modeOf(numberAt(0)),
    newMode: modeOf(numberAt(4)),
    oldId: idAt(memory, row.at + OLD_ID),
    newId: idAt(memory, row.at + NEW_ID),
    path: memory.toString('utf8', row.paths + numberAt(PATH), row.paths + numberAt(PATH_END)),
  };
}

function idAt(memory: Buffer, at: number): ObjectId {
  return memory.toString('hex', at, at + 20) as ObjectId;
}

function modeOf(number: number): string {
  return number.toString(8).padStart(6, '0');
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { ObjectId } from '@tributary/model/ids';
import { hashObject, type ObjectType } from '../object-id.js';
import { NotPlain } from './not-plain.js';
import { PackFile, type Stored } from './pack-file.js';

/**
 * Reads objects straight out of the files of a repository, for a program that needs a dozen: starting git takes longer than all of it.
 * Each object is held against its id, so that a mistake of this reader, or of the disk, cannot become a wrong answer.
 */
export class StoredObjects {
  private readonly folders: readonly string[];
  private packs: readonly PackFile[] | undefined;

  /** `commonDir` is the folder of the repository that holds `objects`. SHA-1 only. */
  constructor(commonDir: string) {
    this.folders = withAlternates(join(commonDir, 'objects'), 0);
  }

  /** Throws `NotPlain`, or what a broken file leads to. */
  read(id: ObjectId): Stored {
    const object = this.readPacked(id) ?? this.readLoose(id);
    if (object === undefined) throw new NotPlain('an object that is not here');
    if (hashObject('sha1', object.type, object.content) !== id) throw new NotPlain('an object that is not what its id says');
    return object;
  }

  /** The same of an object that must be of this type. */
  readAs(type: ObjectType, id: ObjectId): Buffer {
    const object = this.read(id);
    if (object.type !== type) throw new NotPlain(`a ${object.type} in place of a ${type}`);
    return object.content;
  }

  private readLoose(id: ObjectId): Stored | undefined {
    for (const folder of this.folders) {
      const bytes = readIfThere(join(folder, id.slice(0, 2), id.slice(2)));
      if (bytes === undefined) continue;
      const content = inflateSync(bytes);
      const end = content.indexOf(0);
      const type = content.toString('latin1', 0, content.indexOf(0x20)) as ObjectType;
      return { type, content: content.subarray(end + 1) };
    }
    return undefined;
  }

  private readPacked(id: ObjectId): Stored | undefined {
    this.packs ??= this.folders.flatMap(packsIn);
    for (const pack of this.packs) {
      const offset = pack.find(id);
      if (offset !== undefined) return pack.read(offset, (base) => this.read(base));
    }
    return undefined;
  }
}

function packsIn(folder: string): readonly PackFile[] {
  const packs = join(folder, 'pack');
  if (!existsSync(packs)) return [];
  const names = readdirSync(packs).filter((name) => name.endsWith('.idx'));
  // Opening that many takes longer than git does.
  if (names.length > MANY_PACKS) throw new NotPlain('many packs');
  return names.map((name) => new PackFile(join(packs, name.slice(0, -'.idx'.length))));
}

const MANY_PACKS = 60;
/** As many as git follows. */
const DEEPEST_ALTERNATE = 5;

/** The folder itself and those that it borrows from. */
function withAlternates(folder: string, depth: number): readonly string[] {
  if (depth > DEEPEST_ALTERNATE) throw new NotPlain('alternates of alternates');
  const lines = readIfThere(join(folder, 'info/alternates'))?.toString('utf8').split('\n') ?? [];
  const others = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (others.some((line) => line.startsWith('"'))) throw new NotPlain('a quoted path');
  return [folder, ...others.flatMap((line) => withAlternates(resolve(folder, line), depth + 1))];
}

export function readIfThere(path: string): Buffer | undefined {
  // Asked first: an exception takes longer than all else here.
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : undefined;
}

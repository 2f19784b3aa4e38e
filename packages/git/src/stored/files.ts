import { existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NotPlain } from './not-plain.js';

/** The folders that hold the objects of a repository: its own and those it borrows from. */
export function objectFolders(commonDir: string): readonly string[] {
  return withAlternates(join(commonDir, 'objects'), 0);
}

/** The packs in such folders: their paths without `.idx`. Throws `NotPlain` for a folder with very many. */
export function packsIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => {
    const packs = join(folder, 'pack');
    if (!existsSync(packs)) return [];
    const names = readdirSync(packs).filter((name) => name.endsWith('.idx'));
    return names.map((name) => join(packs, name.slice(0, -'.idx'.length)));
  });
}

/** The file of an object that is in no pack. */
export function readLoose(folders: readonly string[], id: string): Buffer {
  for (const folder of folders) {
    const bytes = readIfThere(join(folder, id.slice(0, 2), id.slice(2)));
    if (bytes !== undefined) return bytes;
  }
  throw new NotPlain('an object that is not here');
}

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

/** Zero if it is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Where bytes go to. */
interface Part {
  readonly to: Buffer;
  readonly at: number;
  readonly size: number;
}

/** Files that are opened when they are first read from. */
export class OpenFiles {
  private readonly paths: string[] = [];
  private readonly files: (number | undefined)[] = [];

  add(path: string): void {
    this.paths.push(path);
  }

  /** Reads so much from a place on, or as much as there is, and says how much. */
  read(number: number, place: number, { to, at, size }: Part): number {
    const path = this.paths[number];
    if (path === undefined) throw new NotPlain('a file without a name');
    const file = this.files[number] ?? openSync(path, 'r');
    this.files[number] = file;
    return readSync(file, to, at, size, place);
  }
}

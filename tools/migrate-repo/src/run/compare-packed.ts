import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, isInside, parseAbsolutePath, relativeTo } from '@tributary/model/paths';
import type { ImportedPackage, TreeFiles } from '../align/project.js';
import { comparePackedFiles, type PackedFilesFinding } from '../carry-over/packed-files.js';
import { listPackedFiles } from '../io/packed-files.js';
import type { Message } from '../message.js';

/** What npm would publish of a package, before and after. */
export interface PackedPackage extends Pick<PackedFilesFinding, 'decision'> {
  readonly name: WorkspaceName;
  /** `undefined`: it is not known. */
  readonly done: Message | undefined;
}

/** The same packages before and after the alignment. */
export interface Repacked {
  readonly importedPackages: readonly ImportedPackage[];
  readonly before: TreeFiles;
  readonly after: TreeFiles;
  /** Empty. */
  readonly folder: AbsolutePath;
  readonly signal: AbortSignal;
}

/** Asks npm which files it would publish of each package that is published, before and after. Without npm nothing is known, which is said. */
export async function comparePacked({ importedPackages, before, after, folder, signal }: Repacked): Promise<readonly PackedPackage[]> {
  const published = importedPackages.filter(({ manifest }) => !manifest.private);
  const folders = published.map(({ path }) => path);
  try {
    const was = await listPackedFiles({ files: before, folders, as: 'alone', scratch: emptyIn(folder, 'before'), signal });
    const is = await listPackedFiles({ files: after, folders, as: 'workspace', scratch: emptyIn(folder, 'after'), signal });
    return published.map(({ name, path }) => {
      const present = after.paths.filter((file) => isInside(file, path)).map((file) => relativeTo(path, file));
      return { name, ...comparePackedFiles({ before: was.get(path) ?? [], after: is.get(path) ?? [], present }) };
    });
  } catch (error) {
    if (!isToolError(error) || (error.code !== 'PROGRAM_MISSING' && error.code !== 'PROGRAM_FAILED')) throw error;
    const decision = {
      text: 'Whether npm would publish the same files as before is not known: npm could not be asked.',
      detail: error.message,
    };
    return published.map(({ name }) => ({ name, done: undefined, decision }));
  }
}

function emptyIn(folder: AbsolutePath, name: string): AbsolutePath {
  const path = parseAbsolutePath(join(folder, name));
  mkdirSync(path, { recursive: true });
  return path;
}

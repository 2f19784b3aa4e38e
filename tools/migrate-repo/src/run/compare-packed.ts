import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, isInside, parseAbsolutePath, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { ImportedPackage, TreeFiles } from '../align/project.js';
import type { PackedPackage } from '../alignment.js';
import { comparePackedFiles, type PackerName } from '../carry-over/packed-files.js';
import type { Yarn } from '../io/find-yarn.js';
import { listPackedFiles, type PackedQuestion } from '../io/packed-files.js';
import { listYarnPackedFiles } from '../io/yarn-packed-files.js';

/** Packages to pack before and after the alignment. */
export interface Repacked {
  readonly importedPackages: readonly ImportedPackage[];
  /** Returns the program that packs the package in a folder. */
  readonly packerOf: (path: RepoPath) => PackerName;
  /** The monorepo's Yarn; `undefined` if it is unknown. */
  readonly yarn: Yarn | undefined;
  readonly before: TreeFiles;
  readonly after: TreeFiles;
  /** An empty folder. */
  readonly folder: AbsolutePath;
  readonly signal: AbortSignal;
}

/**
 * Compares the files that would be published, before and after, by asking the program that packs each package. If it
 * cannot be asked, the result is unknown, and says so.
 */
export async function comparePacked(repacked: Repacked): Promise<readonly PackedPackage[]> {
  const published = repacked.importedPackages.filter(({ manifest }) => !manifest.private);
  const ofPacker = (packer: PackerName): readonly ImportedPackage[] => published.filter(({ path }) => repacked.packerOf(path) === packer);
  const packed = [...(await compareWith('npm', ofPacker('npm'), repacked)), ...(await compareWith('Yarn', ofPacker('Yarn'), repacked))];
  return published.flatMap(({ name }) => packed.filter((one) => one.name === name));
}

async function compareWith(
  packer: PackerName,
  packages: readonly ImportedPackage[],
  { yarn, before, after, folder, signal }: Repacked,
): Promise<readonly PackedPackage[]> {
  const folders = packages.map(({ path }) => path);
  const list = async (question: Pick<PackedQuestion, 'files' | 'as'>): Promise<ReadonlyMap<RepoPath, readonly string[]>> => {
    const whole = { ...question, folders, scratch: emptyIn(folder, `${packer}-${question.as}`), signal };
    return packer === 'npm' ? listPackedFiles(whole) : listYarnPackedFiles(whole, yarn);
  };
  try {
    const was = await list({ files: before, as: 'alone' });
    const is = await list({ files: after, as: 'workspace' });
    return packages.map(({ name, path }) => {
      const present = after.paths.filter((file) => isInside(file, path)).map((file) => relativeTo(path, file));
      return { name, ...comparePackedFiles({ packer, before: was.get(path) ?? [], after: is.get(path) ?? [], present }) };
    });
  } catch (error) {
    if (!isToolError(error) || (error.code !== 'PROGRAM_MISSING' && error.code !== 'PROGRAM_FAILED')) throw error;
    return packages.map(({ name }) => unknown(name, packer, error.message));
  }
}

function unknown(name: WorkspaceName, packer: PackerName, why: string): PackedPackage {
  const text = `It is unknown whether ${packer} would publish the same files as before: ${packer} could not list them.`;
  return { name, done: undefined, decision: { text, detail: why } };
}

function emptyIn(folder: AbsolutePath, name: string): AbsolutePath {
  const path = parseAbsolutePath(join(folder, name));
  mkdirSync(path, { recursive: true });
  return path;
}

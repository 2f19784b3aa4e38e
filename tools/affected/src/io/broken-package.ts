import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A package whose modules fail. `kept`: where its own folder lies meanwhile. */
export interface BrokenPackage {
  readonly folder: string;
  readonly kept: string;
}

/**
 * Returns the folder of a package without links. `undefined` if it is not in a node_modules of the project: others may use it, or it is a
 * workspace.
 */
export function ownPackageFolder(project: string, name: string): string | undefined {
  const named = join(project, 'node_modules', name);
  if (!existsSync(named)) return undefined;
  const folder = realpathSync.native(named);
  const [first, ...names] = relative(realpathSync.native(project), folder).split(/[\\/]/);
  return first !== '..' && [first, ...names].includes('node_modules') ? folder : undefined;
}

/**
 * Makes each module of a package fail when it is loaded, as those of a version with a defect. Its files may be hard links into a store of the
 * user's, so it writes into none of them: it moves the folder to `kept`, and changes a copy. The folder must have no links.
 */
export function breakPackage(folder: string, kept: string): BrokenPackage {
  renameSync(folder, kept);
  cpSync(kept, folder, { recursive: true, verbatimSymlinks: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name) || path.slice(folder.length).includes('node_modules')) continue;
    rmSync(path);
    writeFileSync(path, "throw new Error('mutant');\n");
  }
  return { folder, kept };
}

/** Puts the package's own folder back. */
export function mendPackage({ folder, kept }: BrokenPackage): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(kept, folder);
}

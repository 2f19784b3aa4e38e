import type { Git } from '@tributary/git/git';
import { splitNul } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import { isInside, type RepoPath } from '@tributary/model/paths';

/** The files that a branch changes. */
export interface ChangedFiles {
  /** The number of files of the package. */
  readonly inside: number;
  /** All other files, relative to the root of the repository. */
  readonly outside: readonly string[];
}

/** Returns the files that differ between two revisions, sorted into those of a folder and others. Throws `GIT_FAILED`. */
export async function listChangedFiles(
  git: Git,
  { from, to }: { readonly from: string; readonly to: string },
  folder: RepoPath,
): Promise<ChangedFiles> {
  const output = await git.bytes(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]);
  const files = splitNul(output.toString('latin1')).map(nameAsText);
  const outside = files.filter((file) => !isInside(file, folder));
  return { inside: files.length - outside.length, outside };
}

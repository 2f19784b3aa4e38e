import type { Git } from '@tributary/git/git';
import { streamObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';

/** A file or a symbolic link of a commit. */
export interface TrackedFile {
  /** From the root of the project. */
  readonly path: RepoPath;
  readonly kind: 'file' | 'link';
  readonly id: ObjectId;
}

/** What is tracked below a project at a commit or tree, in the order of git; submodules are left out. Throws `GIT_FAILED`. */
export async function listTracked(git: Git, commit: string, project: RepoFolder): Promise<readonly TrackedFile[]> {
  return parseTracked((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('utf8'), project);
}

/** The same out of what `git ls-tree -r -z --full-tree` prints; with `isWanted` only the files whose paths from the top match. */
export function parseTracked(listing: string, project: RepoFolder, isWanted?: RegExp): readonly TrackedFile[] {
  const files: TrackedFile[] = [];
  // A listing may have a hundred thousand lines `<mode> <type> <id>\t<path>`: nothing is cut out that is not kept.
  for (let at = 0; at < listing.length; ) {
    const tab = listing.indexOf('\t', at);
    const end = listing.indexOf('\0', tab);
    const path = listing.slice(tab + 1, end);
    if (isWanted?.test(path) !== false && !listing.startsWith(SUBMODULE, at) && isInside(path, project)) {
      const id = listing.slice(listing.lastIndexOf(' ', tab) + 1, tab) as ObjectId;
      files.push({ path: relativeTo(project, path) as RepoPath, kind: listing.startsWith(LINK, at) ? 'link' : 'file', id });
    }
    at = end + 1;
  }
  return files;
}

const SUBMODULE = '160000';
const LINK = '120000';

/** What is larger was made by a program, and would cost more than it tells. */
const LARGEST = 2_000_000;

/**
 * The texts of files, one after the other in their order, so that never all are in memory; `undefined` for one that is larger than two
 * megabytes. Throws `GIT_FAILED`.
 */
export async function* streamTexts(
  git: Git,
  files: readonly TrackedFile[],
): AsyncGenerator<{ readonly file: TrackedFile; readonly text: string | undefined }> {
  let at = 0;
  for await (const group of streamObjects(
    git,
    files.map(({ id }) => id),
  )) {
    for (const { content } of group) {
      const file = files[at++];
      if (file !== undefined) yield { file, text: content.length > LARGEST ? undefined : content.toString('utf8') };
    }
  }
}

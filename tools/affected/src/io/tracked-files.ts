import type { Git } from '@tributary/git/git';
import { streamObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';

/** A file or symbolic link of a commit. */
export interface TrackedFile {
  /** Relative to the project's root. */
  readonly path: RepoPath;
  readonly kind: 'file' | 'link';
  readonly id: ObjectId;
}

/** Returns the tracked files of a project at a commit or tree, in git's order, without submodules. Throws `GIT_FAILED`. */
export async function listTracked(git: Git, commit: string, project: RepoFolder): Promise<readonly TrackedFile[]> {
  return parseTracked((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('utf8'), project);
}

/** Parses the output of `git ls-tree -r -z --full-tree`; with `isWanted` only files whose paths, relative to the repository, match. */
export function parseTracked(listing: string, project: RepoFolder, isWanted?: RegExp): readonly TrackedFile[] {
  const files: TrackedFile[] = [];
  // A listing may have a hundred thousand lines `<mode> <type> <id>\t<path>`, so it copies only the parts that it keeps.
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

/** In bytes. Reading a file takes about 10 ms a megabyte; a larger one counts as a place that may read anything. */
const LARGEST = 8_000_000;

/** Text is `undefined` for a file that is not read: it is missing, or larger than eight megabytes. */
export interface StreamedText {
  readonly file: TrackedFile;
  readonly text: string | undefined;
}

/**
 * Streams the texts of files in order, so that they are never all in memory. `missing`: the objects that this clone is known to lack. Throws
 * `GIT_FAILED` for any other that it lacks.
 */
export async function* streamTexts(
  git: Git,
  files: readonly TrackedFile[],
  missing: ReadonlySet<ObjectId> = new Set(),
): AsyncGenerator<StreamedText> {
  const present = files.filter(({ id }) => !missing.has(id));
  let at = 0;
  for await (const group of streamObjects(
    git,
    present.map(({ id }) => id),
  )) {
    for (const { content } of group) {
      for (let file = files[at++]; file !== undefined; file = files[at++]) {
        const isMissing = missing.has(file.id);
        yield { file, text: isMissing || content.length > LARGEST ? undefined : content.toString('utf8') };
        if (!isMissing) break;
      }
    }
  }
  for (const file of files.slice(at)) yield { file, text: undefined };
}

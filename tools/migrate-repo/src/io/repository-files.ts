import { isUtf8 } from 'node:buffer';
import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { type ListedFile, parseListedFiles } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';

/** The files of a repository at a commit. Paths are relative to its root, and sorted. */
export interface RepositoryFiles {
  readonly modes: ReadonlyMap<RepoPath, string>;
  /** The requested files that are text. */
  readonly texts: ReadonlyMap<RepoPath, string>;
  /** The targets of the requested symbolic links. */
  readonly links: ReadonlyMap<RepoPath, string>;
}

/** The size limit in bytes. No source file or setting is larger, but a lockfile may be large. */
const LARGEST = 64 * 1024 * 1024;

/** Lists the files of a commit, and reads those that `isWanted` selects. Submodules and files that are not UTF-8 are only listed. */
export async function readRepositoryFiles(git: Git, commit: CommitId, isWanted: (path: RepoPath) => boolean): Promise<RepositoryFiles> {
  const listed = parseListedFiles((await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('latin1'))
    .map((file): Listed => ({ ...file, path: nameAsText(file.path) as RepoPath }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = listed.filter(({ mode, path }) => mode !== SUBMODULE && isWanted(path));
  const objects = await readObjects(
    git,
    wanted.map(({ id }) => id),
  );
  const read = wanted.flatMap(({ mode, path }, place) => {
    const content = objects[place]?.content;
    return content === undefined || !isText(content) ? [] : [{ isLink: mode === LINK, entry: [path, content.toString('utf8')] as const }];
  });
  const textsOf = (kind: boolean): ReadonlyMap<RepoPath, string> =>
    new Map(read.filter(({ isLink }) => isLink === kind).map(({ entry }) => entry));
  return { modes: new Map(listed.map(({ path, mode }) => [path, mode])), texts: textsOf(false), links: textsOf(true) };
}

export const SUBMODULE = '160000';

const LINK = '120000';

interface Listed extends Omit<ListedFile, 'path'> {
  readonly path: RepoPath;
}

function isText(content: Buffer): boolean {
  return content.length <= LARGEST && !content.includes(0) && isUtf8(content);
}

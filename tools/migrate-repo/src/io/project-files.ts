import { isUtf8 } from 'node:buffer';
import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { type ListedFile, parseListedFiles } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import type { CommitId } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath, seenFrom } from '@tributary/model/paths';

/** The files of a project at a commit. Paths are from the folder of the root package.json, sorted. */
export interface ProjectFiles {
  readonly modes: ReadonlyMap<RepoPath, string>;
  /** Of those that were asked for, and are text. */
  readonly texts: ReadonlyMap<RepoPath, string>;
}

/** Beyond this no source and no setting is read; a lockfile may be large. */
const LARGEST = 64 * 1024 * 1024;

/** Lists the files of a project and reads those that `isWanted` says; links, submodules and what is no UTF-8 are listed alone. */
export async function readProjectFiles(
  git: Git,
  at: { readonly commit: CommitId; readonly root: RepoFolder },
  isWanted: (path: RepoPath) => boolean,
): Promise<ProjectFiles> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', at.commit, ...(at.root === '' ? [] : ['--', `${at.root}/`])];
  const listed = parseListedFiles((await git.bytes(args)).toString('latin1')).flatMap((file): readonly Listed[] => {
    const path = nameAsText(file.path);
    return isInside(path, at.root) ? [{ ...file, path: (at.root === '' ? path : seenFrom(at.root, path)) as RepoPath }] : [];
  });
  const wanted = listed.filter(({ mode, path }) => mode.startsWith('100') && isWanted(path));
  const objects = await readObjects(
    git,
    wanted.map(({ id }) => id),
  );
  const texts = wanted.flatMap(({ path }, place): readonly (readonly [RepoPath, string])[] => {
    const content = objects[place]?.content;
    return content === undefined || !isText(content) ? [] : [[path, content.toString('utf8')]];
  });
  const sorted = listed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { modes: new Map(sorted.map(({ path, mode }) => [path, mode])), texts: new Map(texts) };
}

interface Listed extends Omit<ListedFile, 'path'> {
  readonly path: RepoPath;
}

function isText(content: Buffer): boolean {
  return content.length <= LARGEST && !content.includes(0) && isUtf8(content);
}

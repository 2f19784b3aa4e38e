import { ToolError } from '@tributary/model/errors';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { Git } from './git.js';

/** Pictures, fonts and archives, which contain no code. A clone may lack them, and git would stop at the first missing one. */
const NOT_TEXT = ['gif', 'gz', 'ico', 'jpeg', 'jpg', 'mp4', 'pdf', 'png', 'svg', 'tgz', 'ttf', 'webm', 'webp', 'woff', 'woff2', 'zip'];

/** Paths relative to the project root. */
export interface Searched {
  readonly files: readonly RepoPath[];
  /** Files that the clone lacks, whose content is unknown. */
  readonly unreadable: readonly RepoPath[];
}

export interface SearchedFor {
  readonly words: readonly string[];
  readonly project: RepoFolder;
  /** Globs of the files to search, relative to the project root (default: all). */
  readonly within?: readonly string[];
}

/**
 * Returns the files of a commit or tree that contain one of the words, found by `git grep`. Binary files are skipped. Throws `GIT_FAILED`.
 */
export async function findFilesWith(git: Git, tree: string, { words, project, within }: SearchedFor): Promise<Searched> {
  if (words.length === 0) return { files: [], unreadable: [] };
  await refusePartialClone(git);
  const top = project === '' ? '' : `${project}/`;
  const pathspecs = [
    ...(within === undefined ? [`:(top,literal)${project}`] : within.map((glob) => `:(top,glob)${top}${glob}`)),
    ...NOT_TEXT.map((ending) => `:(top,exclude,icase)*.${ending}`),
  ];
  const patterns = words.flatMap((word) => ['-e', word]);
  const { exit, stdout, stderr } = await git.attempt(['grep', '-l', '-z', '-I', '-F', ...patterns, tree, '--', ...pathspecs]);
  const messages = stderr.split('\n').filter((line) => line !== '');
  const unreadable = messages.map((line) => /^error: '(.*)': unable to read [0-9a-f]+$/s.exec(line)?.[1]);
  // Exit code 1: nothing was found.
  if ((exit !== 0 && exit !== 1) || unreadable.includes(undefined))
    throw new ToolError({ code: 'GIT_FAILED', message: `git grep failed: ${messages[0] ?? 'it gave no reason'}` });
  const below = (names: readonly (string | undefined)[]): readonly RepoPath[] =>
    [...new Set(names)]
      .flatMap((name) => (name === undefined || name === '' ? [] : [name.slice(tree.length + 1)]))
      .filter((path) => isInside(path, project))
      .map((path) => relativeTo(project, path) as RepoPath);
  return { files: below(stdout.toString('utf8').split('\0')), unreadable: below(unreadable) };
}

/** Throws for a partial clone, where git would fetch the files one by one. */
async function refusePartialClone(git: Git): Promise<void> {
  const { exit } = await git.attempt(['config', '--get-regexp', '^(remote\\..*\\.promisor|extensions\\.partialclone)$']);
  if (exit === 0) throw new ToolError({ code: 'GIT_FAILED', message: 'The files of a partial clone cannot be searched.' });
}

import type { Git } from '@tributary/git/git';
import { splitNul } from '@tributary/git/parse';
import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { RepoLocation } from './locate.js';

/**
 * Returns the files below the project that contain one of the texts in one of the trees, relative to the project's root, each once. It
 * skips Markdown, lockfiles, Yarn itself and pictures: no task reads a file because they name it. `undefined` if git cannot search every
 * file, as in a partial clone. Throws `GIT_FAILED` if git cannot run.
 */
export async function findMentions(
  { git, repository: { project } }: { readonly git: Git; readonly repository: Pick<RepoLocation, 'project'> },
  trees: readonly string[],
  texts: readonly string[],
): Promise<readonly RepoPath[] | undefined> {
  const promisor = await git.attempt(['config', '--get-regexp', '^(remote\\..*\\.promisor|extensions\\.partialclone)$']);
  // Git would fetch the files one by one.
  if (promisor.exit !== 1) return undefined;
  const { exit, stdout, stderr } = await git.attempt([
    ...['grep', '--null', '--fixed-strings', '--text', '--full-name', '--no-color', '--no-recurse-submodules', '--files-with-matches'],
    ...texts.flatMap((text) => ['-e', text]),
    ...new Set(trees),
    '--',
    `:(top)${project}`,
    ...PASSED_OVER.map((glob) => `:(top,exclude,icase,glob)**/${glob}`),
  ]);
  // 1: there are no matches. For git, a missing object is only a warning.
  if ((exit !== 0 && exit !== 1) || stderr !== '') return undefined;
  // `<tree>:<path>`
  const paths = splitNul(stdout.toString('utf8')).map((name) => name.slice(name.indexOf(':') + 1));
  return [...new Set(paths.flatMap((path) => (isInside(path, project) ? [relativeTo(project, path) as RepoPath] : [])))];
}

const PASSED_OVER = [
  '*.md',
  'yarn.lock',
  'package-lock.json',
  '.yarn/releases/**',
  ...'avif,bmp,eot,gif,gz,ico,jar,jpeg,jpg,mov,mp3,mp4,otf,pdf,png,svg,tgz,ttf,wasm,webm,webp,woff,woff2,zip'
    .split(',')
    .map((end) => `*.${end}`),
];

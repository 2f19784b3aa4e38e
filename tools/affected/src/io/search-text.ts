import type { Git } from '@tributary/git/git';
import { isInside, type RepoPath, relativeTo } from '@tributary/model/paths';
import type { RepoLocation } from './locate.js';

interface Where {
  readonly git: Git;
  readonly place: Pick<RepoLocation, 'project'>;
}

/**
 * Returns the files below the project that contain one of the texts in one of the trees, relative to the project's root, each once. It
 * skips Markdown, lockfiles, Yarn itself and pictures: no task reads a file because they name it. `undefined` if git cannot search every
 * file, as in a partial clone. Throws `GIT_FAILED` if git cannot run.
 */
export async function findMentions(
  where: Where,
  trees: readonly string[],
  texts: readonly string[],
): Promise<readonly RepoPath[] | undefined> {
  const found = await grep(where, ['--files-with-matches', ...patterns(texts), ...new Set(trees)]);
  const names = found?.split('\0').slice(0, -1);
  return names && [...new Set(names.flatMap((name) => pathOf(where, name)))];
}

/** Returns the lines with one of the words, each with the following ones, as a text per file and tree; otherwise like `findMentions`. */
export async function findLines(
  where: Where,
  trees: readonly string[],
  words: readonly string[],
): Promise<readonly { readonly path: RepoPath; readonly text: string }[] | undefined> {
  const found = await grep(where, ['--word-regexp', '--after-context=5', ...patterns(words), ...new Set(trees)]);
  if (found === undefined) return undefined;
  const lines = new Map<string, string[]>();
  for (const line of found.split('\n')) {
    const end = line.indexOf('\0');
    const name = line.slice(0, end);
    if (end > 0) lines.set(name, [...(lines.get(name) ?? []), line.slice(end + 1)]);
  }
  return [...lines].flatMap(([name, texts]) => pathOf(where, name).map((path) => ({ path, text: texts.join('\n') })));
}

function patterns(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => ['-e', text]);
}

/** `<tree>:<path>` */
function pathOf({ place }: Where, name: string): readonly RepoPath[] {
  const path = name.slice(name.indexOf(':') + 1);
  return isInside(path, place.project) ? [relativeTo(place.project, path) as RepoPath] : [];
}

async function grep({ git, place }: Where, args: readonly string[]): Promise<string | undefined> {
  const promisor = await git.attempt(['config', '--get-regexp', '^(remote\\..*\\.promisor|extensions\\.partialclone)$']);
  // Git would fetch the files one by one.
  if (promisor.exit !== 1) return undefined;
  const { exit, stdout, stderr } = await git.attempt([
    ...['grep', '--null', '--fixed-strings', '--text', '--full-name', '--no-color', '--no-line-number', '--no-recurse-submodules'],
    ...args,
    '--',
    `:(top)${place.project}`,
    ...PASSED_OVER.map((glob) => `:(top,exclude,icase,glob)**/${glob}`),
  ]);
  // 1: there are no matches. For git, a missing object is only a warning.
  return (exit === 0 || exit === 1) && stderr === '' ? stdout.toString('utf8') : undefined;
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

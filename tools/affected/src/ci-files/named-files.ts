import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import { isWorkflow, typeOf } from './file-types.js';
import { type CiTree, STANDS_FOR_FOLDER } from './tree.js';
import type { WorkflowLine } from './workflow-lines.js';

/**
 * Returns the files that lines name, as far as text tells: by a path, by the end of one, by the folder of an action. A workflow or action
 * whose text a program may read is also returned by `textOf`. `path`: the file with the lines.
 */
export function namedFiles(tree: CiTree, path: string, lines: readonly WorkflowLine[]): ReadonlySet<string> {
  const found = new Set<string>();
  const isStarting = lines.some(({ text }) => STARTS_WORKFLOWS.test(text));
  for (const { text, kind } of lines) {
    for (const file of kind === 'uses' ? usedFiles(tree, text) : []) found.add(file);
    for (const word of kind === 'uses' ? [] : wordsOf(text)) {
      // The bare name of a workflow is an ordinary word, unless a command starts it.
      const files = filesAt(tree, path, word).filter((file) => isStarting || word.includes('/') || !isWorkflow(file));
      for (const file of files) found.add(file);
      // The value of a variable or an input is mostly a filter, or part of the key of a cache.
      if (!/\.ya?ml$/.test(word) || (kind === 'value' && typeOf(path) === 'workflow')) continue;
      for (const file of files) if (typeOf(file) === 'workflow') found.add(textOf(file));
    }
  }
  found.delete(path);
  return found;
}

/** Commands that start a GitHub workflow name it without its folder. */
const STARTS_WORKFLOWS = /workflow\s+run|dispatch/i;

/** Stands for a workflow or action of which a program may read every letter. */
export function textOf(path: string): string {
  return `${path}#=`;
}

/** Returns what `uses` names here: a path, which may stand behind the name of this repository, which is unknown. */
function usedFiles({ files }: CiTree, uses: string): readonly string[] {
  const used = uses.trim().replace(/@.*$/, '');
  const path = (used.startsWith('./') ? used.slice(2) : used.split('/').slice(2).join('/')).replace(/\/+$/, '');
  return ['', 'action.yml', 'action.yaml', 'Dockerfile']
    .map((name) => [path, name].filter((part) => part !== '').join('/'))
    .filter((file) => files.has(file));
}

/** Returns everything that may be a path. A backslash is a slash on Windows; elsewhere it starts something else. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const one of new Set([text, text.replaceAll('\\', '/')])) {
    for (const word of one.match(/[\w.@+~/-]+/g) ?? []) {
      words.add(word);
      if (word.includes('@')) for (const part of word.split('@')) words.add(part);
    }
  }
  return words;
}

/** A name that more files share is not specific enough. */
const MOST_NAMESAKES = 20;

/** Returns the files that a word names. `from`: the file with the word. */
export function filesAt(tree: CiTree, from: string, word: string): readonly string[] {
  const isCode = typeOf(from) === 'code';
  // Code contains many words. Its imports begin with a dot, and the files that it runs have an ending.
  if (isCode && !/^\.{1,2}\//.test(word) && !/\.(?:sh|bash|ps1|py|[cm]?[jt]s|ya?ml)$/.test(word)) return [];
  const bare = word.replace(/^(?:\.{0,2}\/+)+|^\.$/, '').replace(/\/+$/, '');
  const known = tree.byName.get(bare.slice(bare.lastIndexOf('/') + 1)) ?? [];
  if (known.length === 0) return [];
  const folder = from.slice(0, Math.max(from.lastIndexOf('/'), 0)) as RepoFolder;
  const places = [resolveFolder(folder, word), resolveFolder('', word), bare];
  const exact = known.filter((path) => places.some((place) => place !== undefined && isAt(path, place, word)));
  const namesakes = known.filter((path) => path.endsWith(`/${bare}`) || bare.endsWith(`/${path}`));
  const isTelling = bare.includes('/') || (bare !== '' && exact.length === 0 && !STANDS_FOR_FOLDER.test(bare));
  const others = isTelling && namesakes.length <= MOST_NAMESAKES ? namesakes : [];
  return [...exact, ...others].filter((path) => !(isCode && tree.isWorkspaceFile(path)));
}

/** Tells whether a word names a path: `lib/a.js` also matches `lib/a`, and `lib/index.js` matches `lib`. */
function isAt(path: string, place: string, word: string): boolean {
  if (!path.startsWith(place)) return false;
  const rest = path.slice(place.length);
  return (
    rest === '' ||
    (word.includes('/') && /^\.[cm]?[jt]sx?$/.test(rest)) ||
    STANDS_FOR_FOLDER.test(place === '' ? rest : rest.startsWith('/') ? rest.slice(1) : '')
  );
}

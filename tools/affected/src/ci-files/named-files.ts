import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import { ACTIONS, actionFolder, isWorkflow, typeOf } from './file-types.js';
import { type CiTree, STANDS_FOR_FOLDER } from './tree.js';
import type { WorkflowLine } from './workflow-text.js';

/** A CI file, or the folder of an action, with the patterns to find its name in a text. */
export interface NamedFile {
  readonly target: string;
  /** The last segment of its path, which every matching text contains. */
  readonly name: string;
  /** Includes the parent folder if the name alone is too common. */
  readonly pattern: RegExp;
  /** The files that count if it is named. */
  readonly files: readonly string[];
}

/** Prepares the search for names of CI files in texts. `paths`: the CI files of the tree. */
export function buildMentions(tree: Pick<CiTree, 'files'>, paths: readonly string[]): readonly NamedFile[] {
  const targets = new Map<string, string[]>();
  for (const path of paths) {
    const folder = actionFolder(path, (one) => tree.files.has(one));
    const target = folder === undefined || folder === ACTIONS ? path : folder;
    targets.set(target, [...(targets.get(target) ?? []), path]);
  }
  return [...targets].map(([target, files]) => ({ target, ...mentionOf(target), files }));
}

/** Returns `actions/setup` for the folder of an action, and `ci.yml` for a file. Common names include the parent folder. */
function mentionOf(path: string): Pick<NamedFile, 'name' | 'pattern'> {
  const [folder = '', last = ''] = path.includes('/') ? path.split('/').slice(-2) : ['', path];
  const isCommon =
    isWorkflow(path) || !last.includes('.') || /^(?:index|main|config|action|pipeline|settings|setup|run|utils?)\./.test(last);
  const above = isCommon && folder !== '' ? `(?:${escaped(folder)}|\\.\\.)/` : '';
  // Code imports files without their ending.
  const name = last.replace(/\.[cm]?[jt]s$/, '');
  const ending = name === last ? '' : '(?:\\.\\w+)?';
  return { name, pattern: new RegExp(`(?<![\\w.-])${above}${escaped(name)}${ending}(?![\\w-]|\\.\\w)`) };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * Returns the files that lines name, as far as text tells: by a path, by the end of one, by the folder of an action. `path`: the file with
 * the lines.
 */
export function namedFiles(
  tree: CiTree,
  mentions: readonly NamedFile[],
  path: string,
  lines: readonly WorkflowLine[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const isStarting = lines.some(({ text }) => STARTS_WORKFLOWS.test(text));
  for (const line of lines) {
    const text = line.text.replaceAll('\\', '/');
    const isHit = line.kind === 'uses' ? usedBy(text) : mentionedIn(text, isStarting);
    for (const mention of mentions) if (isHit(mention)) for (const file of mention.files) found.add(file);
    for (const word of wordsOf(line.text, text)) for (const file of filesAt(tree, path, word)) found.add(file);
  }
  // Its path may be empty (`uses: ./`), or the name of the repository itself.
  if (typeOf(path) === 'workflow') for (const file of ['action.yml', 'action.yaml']) if (tree.files.has(file)) found.add(file);
  found.delete(path);
  return found;
}

/** Commands that start a GitHub workflow name it without its folder. */
const STARTS_WORKFLOWS = /workflow\s+run|dispatch/i;

function mentionedIn(text: string, isStarting: boolean): (mention: NamedFile) => boolean {
  return ({ target, name, pattern }) => text.includes(name) && (pattern.test(text) || (isStarting && isWorkflow(target)));
}

/**
 * Matches a `uses`, which is a whole path, with or without a repository before it: `actions/cache` is GitHub's, whatever is in
 * .github/actions.
 */
function usedBy(text: string): (mention: NamedFile) => boolean {
  const used = text.trim().replace(/@.*$/, '').replace(/^\.\//, '').replace(/\/+$/, '');
  return ({ target, files }) => [target, ...files].some((one) => used === one || used.endsWith(`/${one}`));
}

/** Returns everything that may be a path. A backslash is a slash on Windows; elsewhere it starts something else. */
function wordsOf(text: string, slashed: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const one of new Set([text, slashed])) {
    for (const word of one.match(/[\w.@+~/-]+/g) ?? []) {
      words.add(word);
      if (word.includes('@')) for (const part of word.split('@')) words.add(part);
    }
  }
  return words;
}

/** A name that more files share is not specific enough. */
const MOST_NAMESAKES = 20;

function filesAt(tree: CiTree, from: string, word: string): readonly string[] {
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
  // The bare name of a workflow is an ordinary word, unless a command starts it: see `mentionedIn`.
  return [...exact, ...others].filter((path) => !(isCode && tree.isWorkspaceFile(path)) && (bare.includes('/') || !isWorkflow(path)));
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

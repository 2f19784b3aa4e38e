import type { RepoPath } from '@tributary/model/paths';
import type { Member } from '@tributary/workspaces/dependency-graph';
import { parentFolder } from '@tributary/workspaces/folders';

/** Something of the root whose users are searched: a workspace that it depends on, a file or a script. */
export interface SearchSubject {
  /** Unique. */
  readonly id: string;
  readonly kind: 'workspace' | 'file' | 'folder' | 'script';
  /** The name of the workspace or script, or the path of the file. */
  readonly name: string;
  /** Every text that names it contains one of these. */
  readonly words: readonly string[];
  /** A shorter name that suffices for a file of the root in its own folder, and in commands, which can change the folder. */
  readonly near?: { readonly folder: string; readonly word: string };
  /**
   * Returns the first place in a text that names it; -1 if there is none. `file`: the file with the text; `names` ignores patterns that
   * match it.
   */
  readonly find: (text: string, file: RepoPath, what?: 'all' | 'names') => number;
}

/** A text that names a subject. */
export interface Mention {
  readonly subject: SearchSubject;
  readonly file: RepoPath;
  readonly text: string;
  /** The line of the first mention; `undefined` for a text that the clone lacks. */
  readonly line: number | undefined;
}

/**
 * Returns the subject of a workspace. It matches its name, its other names, the short forms that Babel, Jest and others use, and its folder,
 * unless a pattern follows, which would be about its files.
 */
export function workspaceSubject({ name, path }: Member, others: readonly string[]): SearchSubject {
  const words = [...new Set([name, ...others, ...shortNames(name)])];
  const find = (text: string): number => firstOf([...words.map((word) => findPackage(text, word)), text.search(folderPattern(path))]);
  return { id: `workspace ${name}`, kind: 'workspace', name, words: [...words, path], find };
}

function folderPattern(folder: string): RegExp {
  return new RegExp(`(?<![\\w-])${folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w-]|/[*{[])`);
}

/** Returns the short forms of a name: `jest-environment-jsdom` -> `jsdom`, `@babel/preset-env` -> `@babel/env`. */
function shortNames(name: string): readonly string[] {
  const short = name.replace(
    /(^|\/)(?:babel-(?:preset|plugin)|preset|plugin|jest-(?:environment|runner|watch)|coverage|postcss|gulp|grunt|karma)-/,
    '$1',
  );
  const unscoped = short.slice(short.lastIndexOf('/') + 1);
  return short === name ? [] : [short, unscoped];
}

/**
 * Excludes names such as `@types/semver` and `lib/semver`. Compared or matched text (`'^semver$'`) is not loaded: at most it says where a
 * name leads.
 */
function findPackage(text: string, word: string): number {
  return findWord(
    text,
    word,
    (before) =>
      /(?:[=!]==?|\bcase)\s*["'`]$|["'`/(]\^\(?$/.test(before) || (/[\w.@-]\/$/.test(before) && !/(?:node_modules|\.bin)\/$/.test(before)),
  );
}

function findWord(text: string, word: string, isOther: (before: string) => boolean = () => false): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(at - 40, 0), at);
    if (!(/[\w-]$/.test(before) && /^\w/.test(word)) && !/[\w-]/.test(text[at + word.length] ?? ' ') && !isOther(before)) return at;
  }
  return -1;
}

function firstOf(places: readonly number[]): number {
  const found = places.filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/**
 * Returns the subject of a root file. It matches the name without ending, as in imports. In another folder, the name needs its folder in
 * front; so does an `index`, which is named by its folder. A pattern for everything in one of its folders matches too.
 */
export function fileSubject(path: RepoPath): SearchSubject {
  const folder = parentFolder(path);
  const bare = withoutEndings(lastName(path));
  const base = bare === 'index' && folder !== '' ? lastName(folder) : bare;
  const above = bare === 'index' ? parentFolder(folder) : folder;
  const patterns = foldersAbove(path).flatMap(patternsOf);
  const find = (text: string, file: RepoPath, what: 'all' | 'names' = 'all'): number => {
    const isNear = above === '' || file.startsWith(`${above}/`) || (isCommands(file) && changesFolder(text));
    const named = isNear ? findWord(text, base) : findBelow(text, above, base);
    if (what === 'names') return named;
    return firstOf([named, ...patterns.filter((pattern) => text.includes(pattern)).map((pattern) => findPattern(text, pattern))]);
  };
  const words = above === '' ? ['/', "'", '"', '`', ' ', '='].map((sign) => `${sign}${base}`) : belowWords(lastName(above), base);
  return { id: `file ${path}`, kind: 'file', name: path, words: [...words, ...patterns], near: { folder: above, word: base }, find };
}

/** Returns `tests/helper`, and the same joined from separate strings. */
function belowWords(folder: string, base: string): readonly string[] {
  const joined = ["'", '"'].flatMap((quote) => [', ', ','].map((comma) => `${quote}${folder}${quote}${comma}${quote}${base}`));
  return [`${folder}/${base}`, ...joined];
}

export const COMMAND_FILES = ['package.json', 'Makefile', 'makefile', 'Dockerfile', '*.sh', '*.bash', '*.mk', '*.yml', '*.yaml'];

function isCommands(file: RepoPath): boolean {
  return /(^|\/)(package\.json|[Mm]akefile|Dockerfile)$|\.(sh|bash|mk|ya?ml)$/.test(file);
}

/** Tells whether commands change the folder, so that they can name a file without its folder. */
function changesFolder(text: string): boolean {
  return /\bcd\b|working-directory|WORKDIR|(?:^|\s)(?:-C|--cwd|--prefix)\b/.test(text);
}

function findBelow(text: string, folder: string, base: string): number {
  return firstOf(belowWords(lastName(folder), base).map((word) => findWord(text, word)));
}

/** Returns the texts that include a folder: `tests/**`, `tests/${name}`, or a folder that is extended, or read as a whole. */
function patternsOf(folder: string): readonly string[] {
  return [...['*', '{', '[', '$', '`', "'", '"'].map((sign) => `${folder}/${sign}`), ...['`', "'", '"'].map((sign) => `${folder}${sign}`)];
}

function findPattern(text: string, pattern: string): number {
  let at = text.indexOf(pattern);
  // `"types":` is a key.
  while (at > 0 && (/[\w-]/.test(text[at - 1] ?? '') || /^\s*:/.test(text.slice(at + pattern.length)))) at = text.indexOf(pattern, at + 1);
  return at;
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = parentFolder(path); folder !== ''; folder = parentFolder(folder)) folders.push(folder);
  return folders;
}

function lastName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}

/** Keeps the middle of `jest.config.mjs`, which is part of the name. */
function withoutEndings(name: string): string {
  return name.replace(/(\.d)?\.[A-Za-z]\w*$/, '') || name;
}

/** Returns the subject of a root folder. It matches its path, and its name in quotes. */
export function folderSubject(path: RepoPath): SearchSubject {
  const quoted = [`'${lastName(path)}'`, `"${lastName(path)}"`];
  const words = [`${path}/`, `${path}'`, `${path}"`, ` ${path}`, ...quoted];
  const isOther = (before: string): boolean => /[\w@-]\/$/.test(before) && !before.endsWith('../');
  const find = (text: string): number => firstOf([findWord(text, path, isOther), ...quoted.map((word) => findPattern(text, word))]);
  return { id: `folder ${path}`, kind: 'folder', name: path, words, find };
}

const CODE_COMMENT = /^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*)$/gm;
const COMMAND_COMMENT = /^[ \t]*#(?!!).*$/gm;

/** Removes lines that only hold comments, except those that tools read (`@jest-environment jsdom`, `<reference types>`). */
export function withoutComments(text: string, file: RepoPath): string {
  const comment = /\.[cm]?[jt]sx?$/.test(file) ? CODE_COMMENT : isCommands(file) ? COMMAND_COMMENT : undefined;
  const isRead = (line: string): boolean => /@\w|<\w/.test(line);
  return comment === undefined ? text : text.replace(comment, (lines) => lines.replace(/.+/g, (line) => (isRead(line) ? line : '')));
}

/** Returns the subject of a script. It matches `yarn docs`, `run -T docs`, `turbo run //#docs`. */
export function scriptSubject(name: string): SearchSubject {
  const find = (text: string): number => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const before = text.slice(Math.max(at - 60, 0), at);
      if (/(?:\b(?:yarn|npm|pnpm|run|turbo|lerna|nx)\b[^\n&|;]*\s|\/\/#)$/.test(before) && !/[\w:-]/.test(text[at + name.length] ?? ' '))
        return at;
    }
    return -1;
  };
  return { id: `script ${name}`, kind: 'script', name, words: [name], find };
}

import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { RepoPath } from '@tributary/model/paths';
import { isCodeFile, namesTestFolder } from '../check/file-kinds.js';
import { withoutComments } from '../root-uses/subject.js';
import { programFor } from './unread-causes.js';

/** A name by which other files may use a file. */
export interface EarlyName {
  readonly path: string;
  /** Every text that names it contains one of these. */
  readonly words: readonly string[];
  /** Tells whether a text may name it. The text has no comments and no imports that lead elsewhere. */
  readonly isIn: (text: string) => boolean;
  /** The folders of which any file may use it without a name. */
  readonly whole: readonly string[];
  /** Whether tests are named so: an import of a package with this name leads to that. */
  readonly isOfTest: boolean;
}

/**
 * Returns the names of a file outside workspaces: its own, those of all folders above, and a program that finds it. `isWhole`: tells whether
 * files of a folder go through it, so that whoever names one of them may use them all.
 */
export function namesOf(path: string, isWhole: (folder: string) => boolean = () => false): EarlyName {
  const parts = path.split('/');
  const name = parts.at(-1) ?? path;
  const stem = stemOf(name);
  const whole = foldersOf(path).filter(isWhole);
  const folders = parts.slice(0, -1).map((folder, at) => {
    const next = at + 2 === parts.length ? stem : (parts[at + 1] ?? '');
    const strict = whole.includes(parts.slice(0, at + 1).join('/'));
    return { folder, any: word(folder), pattern: strict ? word(folder) : folderPattern(folder, next) };
  });
  const program = programFor(name);
  const own = word(stem);
  return {
    path,
    words: [stem, ...folders.map(({ folder }) => folder), ...(program === undefined ? [] : [program])],
    isIn: (text) =>
      own.test(text) ||
      folders.some(({ any, pattern }) => pattern.test(text) || (any.test(text) && goesUp(text))) ||
      (program !== undefined && text.includes(program)),
    whole,
    isOfTest: false,
  };
}

/** Returns all folders above a path. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Tells whether a text may go to the folder of a file that it names. */
function goesUp(text: string): boolean {
  return /(?<!_)dirname|(?:(?<![./\w])\.\.\/?(?![./\w])|\w\/\.\.(?!\.))/.test(text);
}

/** Tells whether code may use files of its own folder without their names. */
export function goesThroughOwnFolder(text: string, path: RepoPath): boolean {
  return (isCodeFile(path) ? OWN_FOLDER : /[*$]/).test(withoutComments(text, path));
}

/** Some text of each of these is in every such file. */
export const OWN_FOLDER_WORDS = ['dir', 'glob', 'import.meta', 'cwd', './', 'context', '*', '$'];
const OWN_FOLDER = /dirname|readdir|opendir|glob|import\.meta|cwd|require\.context|(['"`])\.\/?\1|`\.\/[^`]*\$|['"]\.\/[^'"\n]*['"]\s*\+/;

/**
 * Returns the own name of a file that only tests use. Somebody who reads its folder as a whole does not run it, but an import whose name is
 * put together may.
 */
export function testNameOf(path: string): EarlyName {
  const stem = stemOf(posix.basename(path));
  const folder = posix.basename(posix.dirname(path));
  // A folder stands for its index.
  return stem === 'index'
    ? nameOf(path, folder, new RegExp(`${atStart(folder)}(?:/index(?![\\w-])|/?['"\`])`))
    : nameOf(path, stem, new RegExp(`${word(stem).source}|${atStart(folder)}/(?:["'\`]\\s*\\+|[^\\s"'\`]*\\$\\{)`), folder);
}

/** Returns the name of a folder. */
export function folderNameOf(path: string, folder: string): EarlyName {
  return nameOf(path, folder, word(folder));
}

function nameOf(path: string, name: string, pattern: RegExp, ...others: readonly string[]): EarlyName {
  return { path, words: [name, ...others], isIn: (text) => pattern.test(text), whole: [], isOfTest: true };
}

/** Not within another word, but after an option such as `-I`, or an escape such as `\\n`. */
const START = String.raw`(?:(?<![\w-])|(?<=\s-[A-Za-z])|(?<=\\[a-z]))`;

function word(name: string): RegExp {
  return new RegExp(`${atStart(name)}(?![\\w-])`);
}

/** Returns a pattern for a name at `START`. It begins with the name, because the search for a text is fast, and that for a place is not. */
function atStart(name: string): string {
  return `${escaped(name)}(?<=${START}${escaped(name)})`;
}

/** A folder, unless a literal path into something else follows, such as `tests/setup.ts` for `tests/helpers.ts`. */
function folderPattern(folder: string, next: string): RegExp {
  const starts = Array.from(next, (_, at) => escaped(next.slice(0, at + 1))).join('|');
  const elsewhere = `/(?!(?:${starts})(?:\\.\\w+)*['"\`/\\s])[\\w@-][\\w@.-]*(?=['"\`/\\s])(?!\\S*\\.\\.)`;
  return new RegExp(`${atStart(folder)}(?![\\w-]|${elsewhere})`);
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Tells whether the text of a file may name another one. `isPackage`: whether an import leads to a package of the lockfile. */
export function mayName(text: string, from: RepoPath, name: EarlyName, isPackage: (specifier: string) => boolean): boolean {
  const used = withoutComments(text, from);
  if (isCodeFile(from)) {
    const isOther = (specifier: string): boolean => (name.isOfTest && isPackage(specifier)) || !leadsTo(specifier, from, name);
    return name.isIn(used.replace(IMPORT, (all, _, called: string | undefined, __, named = '') => (isOther(called ?? named) ? '' : all)));
  }
  // The keys of a manifest name no file, and its scripts are called `test`.
  return name.isIn(/(^|\/)package\.json$/.test(from) ? used.replace(/"[\w:-]+"\s*:/g, '') : used);
}

/** An import whose name does not go on: nothing is added to the text in quotes. */
const IMPORT =
  /\b(?:import|require)\s*\(\s*(['"])([^'"\n]+)\1\s*[),]|\b(?:from|import)\s*(['"])([^'"\n]+)\3(?=[ \t]*(?:[;\r\n]|$|with\b|assert\b))/g;

/** Tells whether an import may lead to a file. Only a relative one and a module of Node are known to lead elsewhere. */
function leadsTo(specifier: string, from: string, { path, whole }: EarlyName): boolean {
  if (isBuiltin(specifier)) return false;
  if (!/^\.\.?(\/|$)/.test(specifier)) return true;
  const target = posix.join(posix.dirname(from), specifier).replace(/\/$/, '');
  const bare = stemOf(path);
  if (whole.some((folder) => target.startsWith(`${folder}/`))) return true;
  return [path, bare, posix.dirname(path)].includes(target) || stemOf(target) === bare;
}

/** Tells whether only a test runner or a linter starts a file. */
export function isForRunners(path: string): boolean {
  return SUITE.test(path) || SETTING.test(path);
}

const SUITE = /[.](test|spec|e2e|cy)\.[cm]?[jt]sx?$/;
const SETTING =
  /(^|\/)(\.(eslint|prettier|mocha|nyc|stylelint)rc|(jest|vitest|playwright|cypress|karma|ava|eslint|prettier|stylelint|oxlint|knip)\.config[\w.-]*)\.([cm]?[jt]s|json)$/;

/**
 * Tells whether a file is for tests, by its place in its workspace, or by its name. Something else may use it, if that names it. A script of
 * a shell is not, because others run all of a folder.
 */
export function isForTests(below: string): boolean {
  const isHelper = namesTestFolder(posix.dirname(below)) || /test-?(helper|util|support|setup)s?[^/]*$/i.test(below);
  return !below.startsWith('.') && (isForRunners(below) || (isHelper && isCodeFile(below as RepoPath)));
}

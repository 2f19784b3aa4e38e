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
}

/** Returns the names of a file outside workspaces: its own, those of all folders above, and a program that finds it. */
export function namesOf(path: string): EarlyName {
  const parts = path.split('/');
  const name = parts.at(-1) ?? path;
  const stem = stemOf(name);
  const folders = parts
    .slice(0, -1)
    .map((folder, at) => ({ folder, pattern: folderPattern(folder, at + 2 === parts.length ? stem : (parts[at + 1] ?? '')) }));
  const program = programFor(name);
  const own = word(stem);
  return {
    path,
    words: [stem, ...folders.map(({ folder }) => folder), ...(program === undefined ? [] : [program])],
    isIn: (text) =>
      own.test(text) || folders.some(({ pattern }) => pattern.test(text)) || (program !== undefined && text.includes(program)),
  };
}

/** Returns the own name of a file that only tests use. Somebody who reads its folder as a whole does not run it. */
export function testNameOf(path: string): EarlyName {
  const stem = stemOf(posix.basename(path));
  const folder = posix.basename(posix.dirname(path));
  // A folder stands for its index.
  return stem === 'index'
    ? nameOf(path, folder, new RegExp(`${START}${escaped(folder)}(?:/index(?![\\w-])|/?['"\`])`))
    : nameOf(path, stem, word(stem));
}

/** Returns the name of a folder. */
export function folderNameOf(path: string, folder: string): EarlyName {
  return nameOf(path, folder, word(folder));
}

function nameOf(path: string, name: string, pattern: RegExp): EarlyName {
  return { path, words: [name], isIn: (text) => pattern.test(text) };
}

/** Not within another word, but after an option such as `-I`. */
const START = String.raw`(?:(?<![\w-])|(?<=\s-[A-Za-z]))`;

function word(name: string): RegExp {
  return new RegExp(`${START}${escaped(name)}(?![\\w-])`);
}

/** A folder, unless a literal path into something else follows, such as `tests/setup.ts` for `tests/helpers.ts`. */
function folderPattern(folder: string, next: string): RegExp {
  const starts = Array.from(next, (_, at) => escaped(next.slice(0, at + 1))).join('|');
  const elsewhere = `/(?!(?:${starts})(?:\\.\\w+)*['"\`/\\s])[\\w@-][\\w@.-]*(?=['"\`/\\s])(?!\\S*\\.\\.)`;
  return new RegExp(`${START}${escaped(folder)}(?![\\w-]|${elsewhere})`);
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
  if (isCodeFile(from))
    return name.isIn(
      used.replace(IMPORT, (whole, _, specifier: string) => (!isPackage(specifier) && leadsTo(specifier, from, name.path) ? whole : '')),
    );
  // The keys of a manifest name no file, and its scripts are called `test`.
  return name.isIn(/(^|\/)package\.json$/.test(from) ? used.replace(/"[\w:-]+"\s*:/g, '') : used);
}

const IMPORT = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** Tells whether an import may lead to a file. Only a relative one and a module of Node are known to lead elsewhere. */
function leadsTo(specifier: string, from: string, path: string): boolean {
  if (isBuiltin(specifier)) return false;
  if (!/^\.\.?(\/|$)/.test(specifier)) return true;
  const target = posix.join(posix.dirname(from), specifier);
  const bare = stemOf(path);
  return [path, bare, posix.dirname(path)].includes(target) || stemOf(target) === bare;
}

/** Tells whether only a test runner or a linter starts a file. */
export function isForRunners(path: string): boolean {
  return SUITE.test(path) || SETTING.test(path);
}

const SUITE = /[.](test|spec|e2e|cy)\.[cm]?[jt]sx?$/;
const SETTING =
  /(^|\/)(\.(eslint|prettier|mocha|nyc|stylelint)rc|(jest|vitest|playwright|cypress|karma|ava|eslint|prettier|stylelint|oxlint|knip)\.config[\w.-]*)\.([cm]?[jt]s|json)$/;

/** Tells whether a file is for tests, by its place in its workspace, or by its name. Something else may use it, if that names it. */
export function isForTests(below: string): boolean {
  return (
    !below.startsWith('.') &&
    (isForRunners(below) || namesTestFolder(posix.dirname(below)) || /test-?(helper|util|support|setup)s?[^/]*$/i.test(below))
  );
}

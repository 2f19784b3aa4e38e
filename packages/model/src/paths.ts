import { ToolError } from './errors.js';

declare const absolute: unique symbol;
declare const repo: unique symbol;

/** A native path from the file system's root. */
export type AbsolutePath = string & { readonly [absolute]: true };

/** A path inside a git repository: from its root, `/` between names, never empty, never leaving it. */
export type RepoPath = string & { readonly [repo]: true };

/** The folder of the repository itself, where a `RepoPath` would be empty. */
export type RepoFolder = RepoPath | '';

/** Checks that `text` is absolute on any system, also `C:\mono` and `\\server\share`; it is not resolved and need not exist. Throws `USAGE`. */
export function parseAbsolutePath(text: string): AbsolutePath {
  if (!/^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\/])/.test(text) || text.includes('\0')) throw badPath(text, 'it is not an absolute path');
  return text as AbsolutePath;
}

/**
 * Checks and normalises a path below a repository's root: a trailing or doubled slash and `.` go away.
 * Throws `USAGE` for one that is absolute, leaves the repository or passes through `.git`.
 */
export function parseRepoPath(text: string): RepoPath {
  // Nearly all are like that, and a repository has thousands.
  if (PLAIN.test(text)) return text as RepoPath;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (text.startsWith('/') || /^[A-Za-z]:/.test(text))
    throw badPath(text, 'it is absolute; give it relative to the root of the repository');
  if (names.length === 0) throw badPath(text, 'it is empty');
  if (names.includes('..')) throw badPath(text, 'it leaves the repository');
  if (names.some(isDotGit)) throw badPath(text, 'it passes through .git');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\0-\x1f\\]/.test(text)) throw badPath(text, 'it has a backslash or a control character');
  return names.join('/') as RepoPath;
}

/** Names of letters, digits and a few signs, none of which begins with a dot. */
const PLAIN = /^[\w@+][\w.@+-]*(?:\/[\w@+][\w.@+-]*)*$/;

/** `folder` itself, or a path below it. */
export function joinRepoPath(folder: RepoFolder, below: string): RepoPath {
  return parseRepoPath(folder === '' ? below : `${folder}/${below}`);
}

/** Returns a path relative to a folder that contains it; `''` for the folder itself. The path must be inside: see `isInside`. */
export function relativeTo(folder: RepoFolder, path: string): string {
  return path.slice(folder === '' ? 0 : folder.length + 1);
}

export function isInside(path: string, folder: RepoFolder): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** What git itself refuses in a tree, core.protectHFS and core.protectNTFS included: the names that some file system takes for `.git`. */
function isDotGit(name: string): boolean {
  const seenByHfs = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return /^(\.git|git~1)[ .]*(:|$)/i.test(seenByHfs);
}

function badPath(text: string, why: string): ToolError {
  return new ToolError({ code: 'USAGE', message: `"${text}" cannot be used as a path: ${why}.`, data: { path: text } });
}

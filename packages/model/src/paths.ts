import { ToolError } from './errors.js';

declare const absolute: unique symbol;
declare const repo: unique symbol;

/** An absolute path in the syntax of the platform. */
export type AbsolutePath = string & { readonly [absolute]: true };

/** A path inside a git repository: relative to its root, separated by `/`, never empty, never outside the repository. */
export type RepoPath = string & { readonly [repo]: true };

/** A folder of the repository; `''` is its root, for which `RepoPath` has no value. */
export type RepoFolder = RepoPath | '';

/** Checks that `text` is absolute on any system, also `C:\mono` and `\\server\share`; it is not resolved and need not exist. Throws `USAGE`. */
export function parseAbsolutePath(text: string): AbsolutePath {
  if (!/^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\/])/.test(text) || text.includes('\0')) throw badPath(text, 'it is not an absolute path');
  return text as AbsolutePath;
}

/**
 * Returns a path below a repository's root, normalised: without trailing or doubled slashes and `.`. Throws `USAGE` if it is absolute,
 * leaves the repository or passes through `.git`.
 */
export function parseRepoPath(text: string): RepoPath {
  // Fast path: nearly all paths match, and a repository has thousands.
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

/** Names of letters, digits and a few other characters. No name begins with a dot. */
const PLAIN = /^[\w@+][\w.@+-]*(?:\/[\w@+][\w.@+-]*)*$/;

/** Returns the path of `below` inside a folder. Throws `USAGE` if that is not a valid path. */
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

/**
 * Returns whether git rejects the name in a tree because some file system treats it as `.git`; core.protectHFS and core.protectNTFS are
 * included.
 */
function isDotGit(name: string): boolean {
  const seenByHfs = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return /^(\.git|git~1)[ .]*(:|$)/i.test(seenByHfs);
}

function badPath(text: string, why: string): ToolError {
  return new ToolError({ code: 'USAGE', message: `"${text}" cannot be used as a path: ${why}.`, data: { path: text } });
}

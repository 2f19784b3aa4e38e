import { readFileSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import type { ChangedFile } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import { withoutBom } from '@tributary/model/file-text';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';

/**
 * Names of changed files, one a line or each ended by NUL, from a file or from stdin (`-`); as git prints them they count from the top of
 * the repository. Whether a file is gone is not known, so each counts as modified. Throws `FILE_LIST_UNREADABLE`, also for a name that
 * git has quoted, which nobody could find.
 */
export function readFileList(source: string, { cwd, top }: { cwd: AbsolutePath; top: AbsolutePath | undefined }): readonly ChangedFile[] {
  const text = withoutBom(readText(source, cwd));
  const names = text.includes('\0') ? text.split('\0') : text.split(/\r?\n/);
  return [...new Set(names.filter((name) => name.trim() !== ''))].map((name) => ({
    path: fromTop(name, top),
    status: 'modified',
    kind: 'file',
  }));
}

/**
 * Refuses names that the head does not have and that look like several, separated by blanks or commas: believed, they would name one
 * file of one folder. Throws `FILE_LIST_UNREADABLE`.
 */
export function refuseJoinedNames(missing: readonly ChangedFile[], paths: ReadonlySet<string>): void {
  const joined = missing.find(({ path }) => {
    const names = path.split(/[\s,;]+/).filter((name) => name !== '');
    return names.length > 1 && (names.some((name) => paths.has(name)) || names.every((name) => name.includes('/')));
  });
  if (joined === undefined) return;
  throw new ToolError({
    code: 'FILE_LIST_UNREADABLE',
    message: `"${joined.path}" is not a file. It looks like several names on one line.`,
    hint: 'Write one name on each line, or end each with NUL ("git diff --name-only -z").',
  });
}

function readText(source: string, cwd: AbsolutePath): string {
  try {
    const bytes = readFileSync(source === '-' ? 0 : resolve(cwd, source));
    // So the PowerShell of Windows writes what a program prints: `git diff --name-only > list.txt`.
    return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
  } catch (error) {
    throw new ToolError({
      code: 'FILE_LIST_UNREADABLE',
      message: `The list of changed files cannot be read from ${source === '-' ? 'stdin' : source}.`,
      hint: 'Name the file, or use - and pipe the names in.',
      cause: error,
    });
  }
}

function fromTop(name: string, top: AbsolutePath | undefined): RepoPath {
  if (/^".*"$/.test(name)) {
    throw new ToolError({
      code: 'FILE_LIST_UNREADABLE',
      message: `The name ${name} is quoted, as git writes unusual characters.`,
      hint: 'Make the list with "git diff --name-only -z".',
    });
  }
  const path = withSlashes(isAbsolute(name) && top !== undefined ? relative(top, name) : name);
  // `packages/a/../b/x` is a file of b. What leads out of the repository is no workspace's, and so counts for all.
  return posix.normalize(path) as RepoPath;
}

/** A native path as git writes it. A backslash is a part of a name, but for Windows. */
export function withSlashes(path: string, separator: string = sep): string {
  return path.split(separator).join('/');
}

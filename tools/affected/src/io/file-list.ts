import { readFileSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import type { ChangedFile } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import { withoutBom } from '@tributary/model/file-text';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';

/**
 * Reads names of changed files from a file or stdin (`-`), one per line or each ended by NUL. As git prints them, they are relative to the
 * repository. The list does not tell which files are deleted, so each counts as modified. Throws `FILE_LIST_UNREADABLE`, also for a name
 * that git has quoted, which would match no file.
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
 * Rejects names that are missing at the head and look like several names separated by spaces or commas: accepted, they would count as one
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

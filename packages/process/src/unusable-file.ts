import { readFileSync, statSync } from 'node:fs';
import { ToolError } from '@tributary/model/errors';

/**
 * Runs an operation on a user-supplied path. Turns errors of the file system into `FILE_UNUSABLE` or `DISK_FULL`; other errors of `work`
 * pass through.
 */
export function orUnusable<Value>(path: string, what: 'read' | 'written', work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw nameFailure(error, { path, what });
  }
}

/** In bytes. No file that the tools read as a whole is nearly as large. */
const LARGEST = 256 * 1024 * 1024;

/**
 * Returns the text of a file. Throws `FILE_UNUSABLE` also where reading would not end: a named pipe without a writer, a device, such as
 * `/dev/zero` behind a committed link, or a file that is too large. `may`: whether it may be a pipe, because the user has named it.
 */
export function readTextFile(path: string, may: 'be a pipe' | 'not be a pipe' = 'not be a pipe'): string {
  return orUnusable(path, 'read', () => {
    const state = statSync(path);
    const isEndless = state.isCharacterDevice() || state.isBlockDevice() || (may === 'not be a pipe' && !state.isFile());
    if (isEndless && !state.isDirectory()) throw unusable({ path, what: 'read', code: 'EINVAL' });
    if (state.size > LARGEST) throw unusable({ path, what: 'read', code: 'EFBIG' });
    return readFileSync(path, 'utf8');
  });
}

/**
 * Returns a file-system error as a ToolError that names the path, for work that `orUnusable` cannot wrap. Returns any other error
 * unchanged.
 */
export function nameFailure(error: unknown, { path, what }: { readonly path: string; readonly what: 'read' | 'written' }): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return FULL.includes(code) ? diskFullAt(path, error) : unusable({ path, what, code, cause: error });
}

const FULL = ['ENOSPC', 'EDQUOT'];

const MEANING: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
  EACCES: 'that is not allowed',
  EPERM: 'that is not allowed',
  EBUSY: 'another program uses it',
  EROFS: 'its disk is read-only',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EFBIG: 'it is too large',
  EINVAL: 'it is a pipe or a device',
  EPIPE: 'its reader has gone',
  ENXIO: 'nothing reads from it',
};

/** Returns a `FILE_UNUSABLE` error. `code`: the system's code for the reason. */
export function unusable({
  path,
  what,
  code,
  cause,
}: {
  path: string;
  what: 'read' | 'written';
  code: string;
  cause?: unknown;
}): ToolError {
  const meaning = MEANING[code];
  return new ToolError({
    code: 'FILE_UNUSABLE',
    message: `${path} cannot be ${what}${meaning === undefined ? '' : `, because ${meaning}`} (${code}).`,
    hint: what === 'read' ? 'Give a readable file or folder.' : 'Give a writable path.',
    data: { file: path, reason: code },
    cause,
  });
}

/** Returns the error for a full disk, for libraries that report it in their own words. */
export function diskFullAt(path: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'DISK_FULL',
    message: `There is no space left on the disk for ${path}.`,
    hint: 'Free some space and run the same command again.',
    data: { file: path },
    cause,
  });
}

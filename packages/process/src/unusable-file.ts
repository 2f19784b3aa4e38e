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

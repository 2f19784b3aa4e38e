import { ToolError } from '@tributary/model/errors';

/**
 * Does something with a file or a folder that somebody named, which may be none that this can be done with. Throws `FILE_UNUSABLE` where
 * the system refuses it, `DISK_FULL`; what `work` throws by itself is handed on.
 */
export function orUnusable<Value>(path: string, what: 'read' | 'written', work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw nameFailure(error, { path, what });
  }
}

/** What went wrong with a file or a folder, by its name where the system refused it: for work that `orUnusable` cannot hold. Else the error itself. */
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

/** `FILE_UNUSABLE`. `code`: why, as the system names it. */
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

/** For what a library says in words of its own. */
export function diskFullAt(path: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'DISK_FULL',
    message: `There is no space left on the disk for ${path}.`,
    hint: 'Free some space and run the same command again.',
    data: { file: path },
    cause,
  });
}

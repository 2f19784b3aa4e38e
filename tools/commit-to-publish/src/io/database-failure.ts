import { ToolError } from '@tributary/model/errors';
import { diskFullAt } from '@tributary/process/unusable-file';

/** Converts a failure of the disk or the memory in DuckDB to a `ToolError`; returns any other error unchanged. */
export function nameDatabaseFailure(error: unknown): unknown {
  const message = String((error as { readonly message?: unknown } | undefined)?.message);
  const file = /"(\/[^"]*)"/.exec(message)?.[1];
  if (/No space left on device|Disk quota exceeded/i.test(message)) return diskFullAt(file ?? 'the database', error);
  const full = TOO_LARGE.find(({ text }) => text.test(message));
  if (full !== undefined) return new ToolError({ ...full.failure, cause: error });
  const reason = Object.entries(REFUSED).find(([text]) => message.includes(text))?.[1];
  if (reason === undefined || file === undefined) return error;
  return new ToolError({
    code: 'FILE_UNUSABLE',
    message: `${file} cannot be used, because ${reason}.`,
    hint: 'Let this user read and write all files of the record.',
    data: { file },
    cause: error,
  });
}

const REFUSED: Readonly<Record<string, string>> = {
  'Permission denied': 'that is not allowed',
  'Operation not permitted': 'that is not allowed',
  'Read-only file system': 'its disk is read-only',
};

/** Failures for data that does not fit into memory. */
const TOO_LARGE = [
  {
    text: /max_temp_directory_size/,
    failure: {
      code: 'DISK_FULL',
      message: 'The temporary folder is full, and the data does not fit into memory.',
      hint: 'Free some space, or name another folder in TMPDIR, and run the same command again.',
    },
  },
  {
    text: /^Out of Memory Error/,
    failure: {
      code: 'MEMORY_FULL',
      message: 'The events of this question need more memory than the database may use.',
      hint: 'Run "commit-to-publish compact" first, or ask for fewer weeks.',
    },
  },
] as const;

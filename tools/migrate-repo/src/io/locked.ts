import { ToolError } from '@tributary/model/errors';
import type { LockHolder } from '@tributary/process/lock';

/** Another run has the lock of the repository, or has left one that nobody can be recognised in. */
export function locked(file: string, holder: LockHolder | undefined): ToolError {
  return new ToolError({
    code: 'TARGET_LOCKED',
    message:
      holder === undefined
        ? 'Another run of migrate-repo works on this repository, or has left a damaged lock.'
        : `Another run of migrate-repo works on this repository (process ${holder.pid} on ${holder.host}).`,
    hint: `Wait for it. If you are sure that it is gone, remove ${file}.`,
    data: { file, holder },
  });
}

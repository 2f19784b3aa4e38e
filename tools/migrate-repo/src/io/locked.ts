import { ToolError } from '@tributary/model/errors';
import type { LockHolder } from '@tributary/process/lock';

/** Returns the error for a repository that another run has locked, or has left with a damaged lock. */
export function locked(file: string, holder: LockHolder | undefined): ToolError {
  return new ToolError({
    code: 'TARGET_LOCKED',
    message:
      holder === undefined
        ? 'Another run of migrate-repo uses this repository, or has left a damaged lock.'
        : `Another run of migrate-repo uses this repository (process ${holder.pid} on ${holder.host}).`,
    hint: `Wait for it to end. If it is no longer running, remove ${file}.`,
    data: { file, holder },
  });
}

import { type ErrorCode, isToolError } from '@tributary/model/errors';
import type { Mutant } from '../audit/mutant.js';
import type { AuditCopy } from '../io/audit-copy.js';

/** What a changed file may cause: nothing can be planned, or turborepo does not begin. Other errors are those of the machine. */
const CAUSED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TURBO_FAILED',
  'CONFIG_INVALID',
  'MANIFEST_INVALID',
  'LOCKFILE_INVALID',
  'LOCKFILE_MISMATCH',
  'LOCKFILE_UNSUPPORTED',
]);

/** Makes changes, asks about their commit, and takes them back. `undefined`: they leave nothing to ask, which shows without a test. */
export async function withChanges<Result>(
  changes: readonly Mutant[],
  copy: AuditCopy,
  ask: (head: string) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await ask(await copy.apply(changes));
  } catch (error) {
    if (isToolError(error) && CAUSED.has(error.code)) return undefined;
    throw error;
  } finally {
    await copy.restore();
  }
}

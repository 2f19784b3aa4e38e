import type { AffectedReason, AffectedResult, DirectReason } from '../result.js';
import type { HashedFiles } from './hashed-files.js';
import type { PlannedWorkspace, Upstream } from './upstream.js';

type Affected = AffectedResult['workspaces'][number];

/**
 * Whether a cached result of turborepo must not count for a workspace. Its hash sees the workspace's own files, what it resolves to, and
 * the tasks that it depends on; a change of anything else would be answered with the result of before. It need not be this change: the
 * result may be one with the same files and another state of what the hash does not see. So a workspace is always fresh that gets something
 * from a workspace that is not in the hash, or of which `inputs` leave files out, or that a rule names.
 */
export function isFresh(
  { name, isRuled }: PlannedWorkspace,
  reasons: Affected['reasons'],
  { task, upstream, hashed }: { readonly task: string; readonly upstream: Upstream; readonly hashed: HashedFiles },
): boolean {
  if (isRuled || upstream.missedBy(name, task) !== undefined) return true;
  return reasons.some((reason) => !isSeen(reason, (other) => upstream.sees(name, task, other))) || hashed.missedFor(name) !== undefined;
}

function isSeen(reason: AffectedReason, sees: (other: string) => boolean): boolean {
  if (reason.kind !== 'dependency') return SEEN.has(reason.kind);
  return SEEN.has(reason.because.kind) && sees(reason.path.at(-1) ?? '');
}

/**
 * A rule, `always`, a setting, all, a workspace that is gone or lies inside: nothing of them is in the hash. Of a lockfile turborepo does not
 * follow all: what `packageExtensions` add, and some ranges of `resolutions` (2.11, tried). A change that it sees misses the cache anyway.
 */
const SEEN: ReadonlySet<DirectReason['kind']> = new Set(['file', 'added']);

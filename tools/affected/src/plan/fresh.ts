import { describeReason } from '../describe.js';
import type { AffectedReason, AffectedResult, DirectReason } from '../result.js';
import type { HashedFiles } from './hashed-files.js';
import { inOneLine } from './shape.js';
import type { PlannedWorkspace, Upstream } from './upstream.js';

type Affected = AffectedResult['workspaces'][number];

/**
 * Returns why a cached result of turborepo must not count for a workspace, as a sentence; `undefined` if it may.
 * turborepo hashes the workspace's own files, its resolutions, and the tasks it depends on. For any other change, a cache hit would replay
 * an outdated result, possibly of an earlier change with the same files. So three kinds of workspaces are always fresh: those that depend
 * on a workspace outside the hash or on files that `inputs` leave out, and those that a rule selects.
 */
export function whyFresh(
  { name, isRuled }: PlannedWorkspace,
  reasons: Affected['reasons'],
  { task, upstream, hashed }: { readonly task: string; readonly upstream: Upstream; readonly hashed: HashedFiles },
): string | undefined {
  const unseen = reasons.find((reason) => !isSeen(reason, (other) => upstream.sees(name, task, other)));
  if (unseen !== undefined) return `turborepo's hash may not show why it was selected: ${inOneLine(describeReason(unseen))}.`;
  if (isRuled) return 'a rule names it, and turborepo does not hash the files of rules.';
  const missed = upstream.missedBy(name, task);
  if (missed !== undefined) return `it uses ${missed}, which turborepo does not hash for its tests.`;
  const file = hashed.missedFor(name);
  return file === undefined ? undefined : `turborepo does not hash ${inOneLine(file)}.`;
}

function isSeen(reason: AffectedReason, sees: (other: string) => boolean): boolean {
  if (reason.kind !== 'dependency') return SEEN.has(reason.kind);
  return SEEN.has(reason.because.kind) && sees(reason.path.at(-1) ?? '');
}

/**
 * The kinds of reasons that the hash covers. It does not cover rules, `always`, settings, "all", and removed or nested workspaces.
 * turborepo does not follow all of a lockfile either: it misses `packageExtensions` and some ranges of `resolutions` (2.11, tried). A
 * lockfile change that it does see misses the cache anyway.
 */
const SEEN: ReadonlySet<DirectReason['kind']> = new Set(['file', 'added']);

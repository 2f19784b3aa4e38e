import { nameOf } from '@tributary/lockfile/descriptors';
import { pairsOf, versionOf } from '@tributary/lockfile/record';
import { normalizeRange } from '@tributary/workspaces/lock/resolutions';
import { compareTexts } from '../../text.js';
import { type ReplacedVersion, union } from '../replaced.js';
import { byWeight, diffVersions, type Moved, type VersionChange } from '../version-change.js';
import type { DependencyTable } from '../version-table.js';
import { groupBy } from './content.js';
import type { LockedRequestOutcome } from './request-outcomes.js';
import { readIndex } from './root-lock.js';
import { meant } from './without-answered.js';

/** A package that is now older than the locked version. */
export interface Downgrade extends Moved {
  /** The workspaces that had the newer version, sorted; empty for the monorepo as a whole. */
  readonly for: readonly string[];
  /** The registry packages that require it: `rimraf@5.0.1`. */
  readonly through: readonly string[];
}

export interface DowngradesInput {
  /** Empty if nothing was installed; then only expected downgrades are known. */
  readonly outcomes: readonly LockedRequestOutcome[];
  readonly replaced: readonly ReplacedVersion[];
  readonly tables: readonly DependencyTable[];
  /** The final yarn.lock, if there is one. */
  readonly lock: string | undefined;
}

/**
 * Returns every version that is older than the locked one. The dependent does not matter, nor whether a registry
 * version or a workspace replaced it. What may break comes first. Throws `LOCKFILE_INVALID`.
 */
export function downgradesIn({ outcomes, replaced, tables, lock }: DowngradesInput): readonly Downgrade[] {
  const down = [...ofRequests(outcomes, lock), ...replaced, ...tables.flatMap(ofTable)].filter(({ change }) => change.direction === 'down');
  const groups = groupBy(down, ({ name, change }) => JSON.stringify([name, change.from, change.to]));
  const merged = [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [others.reduce<Downgrade>(both, first)]));
  return merged.sort((one, other) => byWeight(one, other) || compareTexts(one.name, other.name));
}

function both(one: Downgrade, other: Downgrade): Downgrade {
  return { ...one, for: union(one.for, other.for), through: union(one.through, other.through) };
}

function ofRequests(outcomes: readonly LockedRequestOutcome[], lock: string | undefined): readonly Downgrade[] {
  const moved = outcomes.flatMap((one) => changesOf(one).map((change) => ({ ...one, change })));
  if (moved.length === 0) return [];
  const askers = lock === undefined ? new Map<string, readonly string[]>() : askersIn(lock);
  return moved.map(({ descriptor, by, change, direct }) => {
    const through = direct ? [] : (askers.get(descriptor) ?? []);
    return { name: nameOf(meant(descriptor)), change, for: [...by].sort(), through };
  });
}

/** Returns the downgrades of a request, including those from the other versions that npm and pnpm may have for it. */
function changesOf({ version, others, change, outcome }: LockedRequestOutcome): readonly VersionChange[] {
  const isGone = outcome === 'no longer asked for' || outcome === 'overridden';
  const now = change?.to ?? (isGone ? undefined : version);
  return [version, ...others].flatMap((from) => diffVersions(from, now) ?? []).filter(({ direction }) => direction === 'down');
}

function ofTable({ name, rows }: DependencyTable): readonly Downgrade[] {
  return rows.flatMap(({ workspace, change }) => (change === undefined ? [] : [{ name, change, for: [workspace.name], through: [] }]));
}

/** Returns the registry packages that make a request, by request. */
function askersIn(lock: string): ReadonlyMap<string, readonly string[]> {
  const askers = new Map<string, string[]>();
  for (const record of readIndex(lock)?.records ?? []) {
    if (record.workspace !== undefined) continue;
    const asker = `${nameOf(record.resolution)}@${versionOf(record)}`;
    for (const [name, range] of pairsOf(record)) {
      const descriptor = `${name}@${normalizeRange(range)}`;
      askers.set(descriptor, [...(askers.get(descriptor) ?? []), asker]);
    }
  }
  return askers;
}

import { nameOf } from '@tributary/lockfile/descriptors';
import type { WorkspaceName } from '@tributary/model/ids';
import { compareTexts } from '../text.js';
import type { InternalFinding } from './internal.js';
import type { Answered } from './lock/answered.js';
import type { LockedRequestOutcome } from './lock/request-outcomes.js';
import { meant } from './lock/without-answered.js';
import type { PhantomFinding } from './phantoms/phantom.js';
import { byWeight, type VersionChange } from './version-change.js';

/** A workspace that replaces another, locked version of itself. */
export interface ReplacedVersion {
  readonly name: string;
  readonly change: VersionChange;
  /** The workspaces that had it locked, or whose dependencies had; sorted. */
  readonly for: readonly WorkspaceName[];
  /** The registry packages that require it: `rimraf@5.0.1`; empty if the workspaces themselves do. */
  readonly through: readonly string[];
}

export interface ReplacedInput {
  readonly internal: readonly InternalFinding[];
  readonly phantoms: readonly PhantomFinding[];
  /** Locked requests of imported packages, and requests of registry packages. Empty if nothing was installed. */
  readonly outcomes: readonly LockedRequestOutcome[];
  readonly answered: readonly Answered[];
  /** Requests of the monorepo that the registry answered before, and a workspace answers now. */
  readonly toWorkspaces: readonly { readonly descriptor: string; readonly change: VersionChange | undefined }[];
}

/** Returns all versions that workspaces replaced, of direct and indirect requests. What may break comes first. */
export function replacedVersions(input: ReplacedInput): readonly ReplacedVersion[] {
  const groups = new Map<string, ReplacedVersion>();
  for (const one of [...directOnes(input), ...throughOthers(input)]) {
    const id = JSON.stringify([one.name, one.change.from, one.change.to, isDirect(one)]);
    const known = groups.get(id);
    groups.set(id, {
      ...one,
      for: union(known?.for, one.for),
      through: union(known?.through, one.through),
    });
  }
  return [...groups.values()].sort(byRisk);
}

/** Whether the workspaces themselves require it. */
function isDirect({ through }: ReplacedVersion): boolean {
  return through.length === 0;
}

function byRisk(one: ReplacedVersion, other: ReplacedVersion): number {
  const order = byWeight(one, other) || Number(isDirect(other)) - Number(isDirect(one));
  return order === 0 ? compareTexts(one.name, other.name) || compareTexts(one.change.from, other.change.from) : order;
}

function directOnes({ internal, phantoms }: ReplacedInput): readonly ReplacedVersion[] {
  const requests = internal.flatMap((finding): readonly ReplacedVersion[] => {
    if (finding.kind !== 'converted' && finding.kind !== 'forced') return [];
    const { name, change, from } = finding;
    return change === undefined ? [] : [{ name, change, for: [from.name], through: [] }];
  });
  const undeclared = phantoms.flatMap((finding): readonly ReplacedVersion[] => {
    if (finding.finding === 'unread file' || finding.change === undefined) return [];
    const name = finding.finding === 'phantom' ? finding.package : finding.name;
    return [{ name, change: finding.change, for: [finding.importedPackage], through: [] }];
  });
  return [...requests, ...undeclared];
}

function throughOthers({ outcomes, answered, toWorkspaces }: ReplacedInput): readonly ReplacedVersion[] {
  const askers = new Map<string, string[]>();
  for (const { name, range, by } of answered) askers.set(`${name}@${range}`, [...(askers.get(`${name}@${range}`) ?? []), by]);
  const locked = [...outcomes.filter(({ outcome }) => outcome === 'a workspace'), ...toWorkspaces.map((one) => ({ ...one, by: [] }))];
  return locked.flatMap(({ descriptor, change, by }): readonly ReplacedVersion[] => {
    const through = askers.get(descriptor) ?? [];
    // A workspace's own request is reported with the manifests.
    return change === undefined || through.length === 0 ? [] : [{ name: nameOf(meant(descriptor)), change, for: by, through }];
  });
}

/** Returns the members of both, ordered. */
export function union<T extends string>(one: readonly T[] = [], other: readonly T[] = []): readonly T[] {
  return [...new Set([...one, ...other])].sort();
}

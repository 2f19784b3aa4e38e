import { type LockIndex, ownerOf } from '@tributary/workspaces/lock/indexed';
import { versionOf } from '@tributary/workspaces/lock/record';
import type { Pin } from './pins.js';
import { readIndex } from './root-lock.js';

/** A descriptor that got another version. */
export interface MovedVersion {
  readonly descriptor: string;
  readonly from: string;
  readonly to: string;
}

/** What became of the versions that were locked before. */
export interface Survival {
  /** Of the root, which must not be. */
  readonly movedOfRoot: readonly MovedVersion[];
  /** Descriptors of the root that lead to a workspace now. */
  readonly toWorkspaces: readonly string[];
  /** Descriptors of the root that nobody asks for any more. */
  readonly gone: readonly string[];
  /** How many pins are in the lockfile, conflicts apart. */
  readonly kept: number;
  /** Pins that got another version, conflicts apart. */
  readonly moved: readonly MovedVersion[];
  /** Pins that nobody asks for: what they were needed for has another version, or is a workspace. */
  readonly unneeded: readonly string[];
  /** Hosts of archives that stand in the lockfile now and did not before. */
  readonly newHosts: readonly string[];
}

/** Compares a yarn.lock before and after newcomers came to it. `pins` are those that were seeded. Throws `LOCKFILE_INVALID`. */
export function compareLocks(before: string, after: string, pins: Iterable<Pin>): Survival {
  const [old, now] = [resolutionsIn(readIndex(before)), resolutionsIn(readIndex(after))];
  const movedOfRoot: MovedVersion[] = [];
  const toWorkspaces: string[] = [];
  for (const [descriptor, from] of old) {
    const to = now.get(descriptor);
    if (to === undefined || to.resolution === from.resolution || from.isWorkspace) continue;
    if (to.isWorkspace) toWorkspaces.push(descriptor);
    else movedOfRoot.push({ descriptor, from: from.version, to: to.version });
  }
  const gone = [...old].filter(([descriptor, { isWorkspace }]) => !isWorkspace && !now.has(descriptor)).map(([descriptor]) => descriptor);
  return { movedOfRoot, toWorkspaces, gone, ...comparePins(now, old, pins), newHosts: newHosts(before, after) };
}

interface Resolved {
  readonly resolution: string;
  readonly version: string;
  readonly isWorkspace: boolean;
}

function comparePins(
  now: ReadonlyMap<string, Resolved>,
  old: ReadonlyMap<string, Resolved>,
  pins: Iterable<Pin>,
): Pick<Survival, 'kept' | 'moved' | 'unneeded'> {
  let kept = 0;
  const moved: MovedVersion[] = [];
  const unneeded: string[] = [];
  for (const { descriptor, version, resolution } of pins) {
    const locked = old.get(descriptor);
    if (locked !== undefined && locked.resolution !== resolution) continue;
    const found = now.get(descriptor);
    if (found === undefined || found.isWorkspace) unneeded.push(descriptor);
    else if (found.version === version) kept++;
    else moved.push({ descriptor, from: version, to: found.version });
  }
  return { kept, moved, unneeded };
}

function resolutionsIn(index: LockIndex | undefined): ReadonlyMap<string, Resolved> {
  const resolutions = new Map<string, Resolved>();
  for (const [number, descriptor] of (index?.descriptors ?? []).entries()) {
    const record = index === undefined ? undefined : ownerOf(index, number);
    if (record === undefined) continue;
    resolutions.set(descriptor, { resolution: record.resolution, version: versionOf(record), isWorkspace: record.workspace !== undefined });
  }
  return resolutions;
}

/** A registry whose archives do not lie where npm's do leaves its address in the lockfile. */
function newHosts(before: string, after: string): string[] {
  const known = hostsIn(before);
  return [...hostsIn(after)].filter((host) => !known.has(host)).sort();
}

function hostsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/::__archiveUrl=([^&"\s]+)/g)].map(([, address = '']) => hostOf(decodeURIComponent(address))));
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

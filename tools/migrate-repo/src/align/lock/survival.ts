import { ownerOf } from '@tributary/lockfile/lock-index';
import { descriptorsOf, versionOf } from '@tributary/lockfile/record';
import { readIndex } from './root-lock.js';

/** A descriptor with a changed version. */
export interface MovedVersion {
  readonly descriptor: string;
  readonly from: string;
  readonly to: string;
}

/** What became of the root's locked versions in an import. */
export interface Survival {
  /** Changed versions of the root, which must not exist. */
  readonly movedOfRoot: readonly MovedVersion[];
  /** Descriptors that nobody requests any more. */
  readonly gone: readonly string[];
  /** Hosts of archives that the lockfile did not have before. */
  readonly newHosts: readonly string[];
}

/** Compares a yarn.lock before and after an import. Throws `LOCKFILE_INVALID`. */
export function compareLocks(before: string, after: string): Survival {
  const [old, now] = [resolutionsIn(before), resolutionsIn(after)];
  const movedOfRoot: MovedVersion[] = [];
  for (const [descriptor, from] of old) {
    const to = now.get(descriptor);
    if (to === undefined || to.resolution === from.resolution || from.isWorkspace || to.isWorkspace) continue;
    movedOfRoot.push({ descriptor, from: from.version, to: to.version });
  }
  const gone = [...old].filter(([descriptor, { isWorkspace }]) => !isWorkspace && !now.has(descriptor)).map(([descriptor]) => descriptor);
  return { movedOfRoot, gone, newHosts: newHosts(before, after) };
}

/** The resolution of a descriptor. */
export interface ResolvedDescriptor {
  readonly resolution: string;
  /** For a workspace, Yarn's placeholder. */
  readonly version: string;
  readonly isWorkspace: boolean;
}

/** Returns the resolution of each descriptor in a yarn.lock; empty for one that is empty or of Yarn 1. Throws `LOCKFILE_INVALID`. */
export function resolutionsIn(text: string): ReadonlyMap<string, ResolvedDescriptor> {
  const index = readIndex(text);
  const resolutions = new Map<string, ResolvedDescriptor>();
  for (const [number, descriptor] of (index?.descriptors ?? []).entries()) {
    const record = index === undefined ? undefined : ownerOf(index, number);
    if (record === undefined) continue;
    resolutions.set(descriptor, { resolution: record.resolution, version: versionOf(record), isWorkspace: record.workspace !== undefined });
  }
  return resolutions;
}

/** Returns new hosts. If a registry's archives have other paths than npm's, the lockfile contains their addresses. */
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

/**
 * Returns the requests that two lockfiles resolve differently, including requests that only one of them has, and
 * workspaces with changed requests. Throws `LOCKFILE_INVALID`.
 */
export function differingIn(one: string, other: string): readonly string[] {
  const [before, after] = [answersIn(one), answersIn(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((descriptor) => before.get(descriptor) !== after.get(descriptor));
}

/** Returns resolutions by descriptor; for a workspace, its whole entry. */
function answersIn(text: string): ReadonlyMap<string, string> {
  const records = readIndex(text)?.records ?? [];
  return new Map(
    records.flatMap((record) => {
      const answer = record.workspace === undefined ? record.resolution : record.block.slice(record.bodyAt).trimEnd();
      return descriptorsOf(record).map((descriptor) => [descriptor, answer] as const);
    }),
  );
}

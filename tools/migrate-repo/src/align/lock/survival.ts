import { ownerOf } from '@tributary/lockfile/lock-index';
import { descriptorsOf, versionOf } from '@tributary/lockfile/record';
import { readIndex } from './root-lock.js';

/** A descriptor that got another version. */
export interface MovedVersion {
  readonly descriptor: string;
  readonly from: string;
  readonly to: string;
}

/** What became of what the root had locked before imported packages came. */
export interface Survival {
  /** Which must not be. */
  readonly movedOfRoot: readonly MovedVersion[];
  /** Descriptors that nobody asks for any more. */
  readonly gone: readonly string[];
  /** Hosts of archives that stand in the lockfile now and did not before. */
  readonly newHosts: readonly string[];
}

/** Compares a yarn.lock before and after imported packages came to it. Throws `LOCKFILE_INVALID`. */
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

/** Where a descriptor leads. */
export interface Resolved {
  readonly resolution: string;
  /** Of a workspace, what Yarn writes in its place. */
  readonly version: string;
  readonly isWorkspace: boolean;
}

/** What a yarn.lock says of each descriptor; nothing for one that is empty or of Yarn 1. Throws `LOCKFILE_INVALID`. */
export function resolutionsIn(text: string): ReadonlyMap<string, Resolved> {
  const index = readIndex(text);
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

/**
 * The requests that two lockfiles do not answer alike: those that one of them alone has among them, and workspaces that ask for something else. Throws
 * `LOCKFILE_INVALID`.
 */
export function differingIn(one: string, other: string): readonly string[] {
  const [before, after] = [answersIn(one), answersIn(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((descriptor) => before.get(descriptor) !== after.get(descriptor));
}

/** By descriptor; of a workspace all that its entry says. */
function answersIn(text: string): ReadonlyMap<string, string> {
  const records = readIndex(text)?.records ?? [];
  return new Map(
    records.flatMap((record) => {
      const answer = record.workspace === undefined ? record.resolution : record.block.slice(record.bodyAt).trimEnd();
      return descriptorsOf(record).map((descriptor) => [descriptor, answer] as const);
    }),
  );
}

import { isPlainObject } from '@tributary/model/plain-object';
import { type LockEntry, parseLockfile } from '@tributary/workspaces/lock/lockfile';
import type { Manifest } from '@tributary/workspaces/manifest';
import { parseSyml } from '@yarnpkg/parsers';
import { collectAsks } from './asks.js';
import { directDependencies } from './direct.js';
import { requiredPeersIn } from './peers.js';
import { asksRegistry, type LockEdge, type LockedPackage, type LockReading, plainRange } from './reading.js';

/** Reads a yarn.lock of Yarn 2 and later. Throws an `Error` for a text that is none. */
export function readBerryLock(text: string, manifest: Manifest): LockReading {
  const lock = parseLockfile(text);
  if (lock.kind !== 'berry') throw new Error(lock.kind === 'unreadable' ? lock.reason : 'it is one of Yarn 1');
  const entries = new Map(lock.entries.flatMap((entry) => entry.descriptors.map((descriptor) => [canonical(descriptor), entry] as const)));
  const edges = [...directDependencies(manifest)].map(([name, range]) => edgeOf(entries, name, range, true));
  for (const entry of lock.entries) {
    if (!isThirdParty(entry)) continue;
    for (const [name, range] of entry.dependencies) edges.push(edgeOf(entries, name, range, false));
  }
  const asked = new Set(edges.map(({ name, range }) => canonical(`${name}@${range}`)));
  for (const descriptor of entries.keys()) {
    const { name, range } = splitDescriptor(descriptor);
    if (!asked.has(descriptor) && asksRegistry(range)) edges.push(edgeOf(entries, name, range, false));
  }
  const metadata = readMetadata(text);
  const asks = collectAsks(
    lock.entries.filter(isThirdParty).map((entry) => ({
      names: [splitDescriptor(entry.resolution).name, ...entry.descriptors.map((descriptor) => splitDescriptor(descriptor).name)],
      asked: [...entry.dependencies.keys(), ...(metadata.requiredPeers.get(entry.resolution) ?? [])],
    })),
  );
  return { kind: 'yarn', edges, packages: lock.entries.flatMap(packageOf), binaries: metadata.binaries, asks };
}

function isThirdParty({ workspace }: LockEntry): boolean {
  return workspace === undefined;
}

function edgeOf(entries: ReadonlyMap<string, LockEntry>, name: string, range: string, direct: boolean): LockEdge {
  const entry = entries.get(canonical(`${name}@${range}`));
  return { name, range, version: entry !== undefined && packageOf(entry).length > 0 ? entry.version : undefined, direct };
}

/** Yarn 2 and 3 write requests without `npm:`, keys with it; Yarn 4 both with it. */
function canonical(descriptor: string): string {
  const { name, range } = splitDescriptor(descriptor);
  return `${name}@${plainRange(range)}`;
}

/** `@acme/ui@npm:^1.0.0` -> name and range. */
export function splitDescriptor(descriptor: string): { name: string; range: string } {
  const at = descriptor.indexOf('@', 1);
  return at < 0 ? { name: descriptor, range: '' } : { name: descriptor.slice(0, at), range: descriptor.slice(at + 1) };
}

/** None for a workspace, a link, a patch, an address. */
function packageOf({ resolution, version }: Pick<LockEntry, 'resolution' | 'version'>): LockedPackage[] {
  const { name, range } = splitDescriptor(resolution);
  const [, archive] = /::(?:.*&)?__archiveUrl=([^&]+)/.exec(range) ?? [];
  return range.startsWith('npm:') ? [{ name, version, source: archive === undefined ? undefined : decodeURIComponent(archive) }] : [];
}

interface Metadata {
  /** Name -> the package that brings it. */
  readonly binaries: ReadonlyMap<string, string>;
  /** By resolution. */
  readonly requiredPeers: ReadonlyMap<string, readonly string[]>;
}

/** The strict reader leaves it out. */
function readMetadata(text: string): Metadata {
  const [binaries, requiredPeers] = [new Map<string, string>(), new Map<string, readonly string[]>()];
  const blocks: unknown = parseSyml(text);
  for (const block of isPlainObject(blocks) ? Object.values(blocks) : []) {
    if (!isPlainObject(block) || typeof block['resolution'] !== 'string') continue;
    requiredPeers.set(block['resolution'], requiredPeersIn(block));
    const { name } = splitDescriptor(block['resolution']);
    for (const binary of Object.keys(isPlainObject(block['bin']) ? block['bin'] : {}))
      if (!binaries.has(binary)) binaries.set(binary, name);
  }
  return { binaries, requiredPeers };
}

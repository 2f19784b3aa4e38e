import { parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import { isClassic } from './classic.js';
import {
  type LockEntry,
  type Lockfile,
  plainRange,
  readLockText,
  splitDescriptor,
  Unreadable,
  type UnreadableLockfile,
} from './lockfile.js';
import { binariesIn } from './record.js';
import { type Block, readSyml } from './syml.js';

/** A lockfile of Yarn 2 or later. */
export interface BerryLockfile extends Lockfile {
  readonly kind: 'berry';
}

/**
 * Parses a yarn.lock of Yarn 2 or later. For one of Yarn 1 it returns `classic` without parsing it. It supports what Yarn writes, not all
 * of YAML. An unsupported line makes the file unreadable, with the line in the reason; so do conflict markers, an empty file and a repeated
 * key. Never throws. Sources: `stringifySyml` of @yarnpkg/parsers and `Project.setupResolutions` of @yarnpkg/core.
 */
export function parseBerry(text: string): BerryLockfile | { readonly kind: 'classic' } | UnreadableLockfile {
  return readLockText(text, (bare) => (isClassic(bare) ? { kind: 'classic' } : buildLockfile(readSyml(bare))));
}

function buildLockfile(blocks: readonly Block[]): BerryLockfile {
  const version = Number(blocks.find(({ key }) => key === '__metadata')?.texts.get('version'));
  if (!Number.isInteger(version)) throw new Unreadable('it has no "__metadata" with a version');
  const entries = blocks.filter(({ key }) => key !== '__metadata').map(buildEntry);
  const byDescriptor = new Map(entries.flatMap((entry) => entry.descriptors.map((descriptor) => [canonical(descriptor), entry] as const)));
  return { kind: 'berry', entries, resolve: ({ name, range }) => byDescriptor.get(canonical(`${name}@${range}`)) };
}

/** Returns a descriptor without `npm:`. Yarn 2 and 3 write dependencies without `npm:` and keys with it; Yarn 4 writes both with it. */
function canonical(descriptor: string): string {
  const { name, range } = splitDescriptor(descriptor);
  return `${name}@${plainRange(range)}`;
}

function buildEntry(block: Block): LockEntry {
  const { key, texts, dependencies, peerDependencies } = block;
  const resolution = texts.get('resolution');
  if (resolution === undefined || !/^(?:hard|soft)$/i.test(texts.get('linkType') ?? '')) {
    throw new Unreadable(`its entry "${key}" has no resolution or no link type`);
  }
  return {
    name: splitDescriptor(resolution).name,
    version: texts.get('version') ?? '',
    descriptors: key.includes(',') ? key.split(/ *, */) : [key],
    resolution,
    workspace: workspaceOf(resolution),
    archive: archiveOf(resolution),
    dependencies,
    peerDependencies,
    optionalPeers: new Set(optionalPeersIn(block.otherFields.get('peerDependenciesMeta') ?? [])),
    binaries: binariesIn(block),
  };
}

/** Returns the folder of a workspace: `app@workspace:packages/app` -> `packages/app`, `root@workspace:.` -> ``. */
function workspaceOf(resolution: string): RepoFolder | undefined {
  const [, path] = /^(?:@[^/]+\/)?[^@/]+@workspace:(.*)$/.exec(resolution) ?? [];
  if (path === undefined) return undefined;
  return path === '.' ? '' : parseRepoPath(path);
}

/** Returns the archive address of `lib@npm:1.2.3::__archiveUrl=https%3A%2F%2F…`. */
function archiveOf(resolution: string): string | undefined {
  const [, archive] = /::(?:.*&)?__archiveUrl=([^&]+)/.exec(resolution) ?? [];
  return archive === undefined ? undefined : decodeURIComponent(archive);
}

/** Returns the names with `optional: true` below them. */
function optionalPeersIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => (lines[at + 1]?.trim() === 'optional: true' ? (/^ {4}"?([^":]+)"?:\s*$/.exec(line)?.[1] ?? []) : []));
}

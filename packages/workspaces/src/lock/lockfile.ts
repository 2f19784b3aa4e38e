import { isToolError } from '@tributary/model/errors';
import { parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import { conflictLine, withoutBom } from '../file-text.js';
import { type Block, readSyml, Unreadable } from './syml.js';

/** A yarn.lock as a value. Only one of Yarn 2 and later says which workspaces there are. */
export type Lockfile = BerryLockfile | { readonly kind: 'classic' } | { readonly kind: 'unreadable'; readonly reason: string };

/** A lockfile of Yarn 2 or later. */
export interface BerryLockfile {
  readonly kind: 'berry';
  /** `__metadata.version`: 4 to 10 so far. */
  readonly version: number;
  /** In the order of the file. */
  readonly entries: readonly LockEntry[];
}

/** One resolved package. Checksum, binaries and the metadata of dependencies are not read. */
export interface LockEntry {
  /** The descriptors that resolve to it, such as `lib@npm:^1.0.0`; at least one. */
  readonly descriptors: readonly string[];
  /** The locator, such as `lib@npm:1.2.3`. */
  readonly resolution: string;
  readonly version: string;
  readonly linkType: 'hard' | 'soft';
  /** Name -> range, both as the file has them: with `npm:` since Yarn 4, without before. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly peerDependencies: ReadonlyMap<string, string>;
  /** The platforms it is meant for, such as `os=darwin & cpu=arm64`. */
  readonly conditions: string | undefined;
  /** The folder of a workspace, from the root of the project; `undefined` for every other package. */
  readonly workspace: RepoFolder | undefined;
}

/**
 * Reads the text of a yarn.lock. It understands what Yarn writes, not all of YAML: a line it does not understand makes the file
 * unreadable, with the line in the reason, as do conflict markers, an empty file and a key that stands there twice. Never throws.
 * Source: `stringifySyml` of @yarnpkg/parsers and `Project.setupResolutions` of @yarnpkg/core.
 */
export function parseLockfile(text: string): Lockfile {
  const bare = withoutBom(text);
  const conflict = conflictLine(bare);
  if (conflict !== undefined)
    return { kind: 'unreadable', reason: `line ${conflict} is a conflict marker of a merge that was not finished` };
  if (bare.trim() === '') return { kind: 'unreadable', reason: 'it is empty' };
  if (isClassic(bare)) return { kind: 'classic' };
  try {
    return buildLockfile(readSyml(bare));
  } catch (error) {
    if (error instanceof Unreadable || isToolError(error)) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/** Yarn 1 writes this comment, and values without a colon. */
function isClassic(text: string): boolean {
  return !/^__metadata:/m.test(text) && (/^# yarn lockfile v1\s*$/m.test(text) || /^ {2}version "/m.test(text));
}

function buildLockfile(blocks: readonly Block[]): BerryLockfile {
  const version = Number(blocks.find(({ key }) => key === '__metadata')?.texts.get('version'));
  if (!Number.isInteger(version)) throw new Unreadable('it has no "__metadata" with a version');
  return { kind: 'berry', version, entries: blocks.filter(({ key }) => key !== '__metadata').map(buildEntry) };
}

function buildEntry(block: Block): LockEntry {
  const { key, texts, dependencies, peerDependencies } = block;
  const resolution = texts.get('resolution');
  const linkType = texts.get('linkType')?.toLowerCase();
  if (resolution === undefined || (linkType !== 'hard' && linkType !== 'soft')) {
    throw new Unreadable(`its entry "${key}" has no resolution or no link type`);
  }
  return {
    descriptors: key.includes(',') ? key.split(/ *, */) : [key],
    resolution,
    version: texts.get('version') ?? '',
    linkType,
    dependencies,
    peerDependencies,
    conditions: texts.get('conditions'),
    workspace: workspaceOf(resolution),
  };
}

/** `app@workspace:packages/app` -> `packages/app`, `root@workspace:.` -> ``. */
function workspaceOf(resolution: string): RepoFolder | undefined {
  const [, path] = /^(?:@[^/]+\/)?[^@/]+@workspace:(.*)$/.exec(resolution) ?? [];
  if (path === undefined) return undefined;
  return path === '.' ? '' : parseRepoPath(path);
}

import { isToolError } from '@tributary/model/errors';
import { conflictLine, withoutBom } from '@tributary/model/file-text';
import type { RepoFolder } from '@tributary/model/paths';

/** The names of lockfiles. If there are several, the first one counts: npm prefers its shrinkwrap. */
export const LOCKFILE_NAMES = ['yarn.lock', 'npm-shrinkwrap.json', 'package-lock.json', 'pnpm-lock.yaml'] as const;
export type LockfileName = (typeof LOCKFILE_NAMES)[number];

/** A lockfile that is not parsed yet. */
export interface LockfileText {
  readonly name: LockfileName;
  readonly text: string;
  /** The folder of the manifest whose dependencies are meant where an entry is missing; by default the one of the lockfile. */
  readonly importer?: RepoFolder | undefined;
}

/** A parsed lockfile of any package manager. `berry` is the format of Yarn 2 and later, `classic` that of Yarn 1. */
export interface Lockfile {
  readonly kind: 'berry' | 'classic' | 'npm' | 'pnpm';
  /** All locked packages, in the order of the file. */
  readonly entries: readonly LockEntry[];
  /**
   * Returns the entry that a dependency resolves to. Without `from`, the dependency belongs to the importer's manifest. The Yarn
   * formats use name and range; npm and pnpm use `from` and name. `undefined` for links and for packages that the lockfile does not
   * contain.
   */
  readonly resolve: (dependency: LockDependency) => LockEntry | undefined;
}

export interface LockDependency {
  readonly from?: LockEntry | undefined;
  readonly name: string;
  readonly range: string;
}

/** One locked package, or a workspace in formats that list them. */
export interface LockEntry {
  /** The package's own name; for an alias, the name of the package behind it. */
  readonly name: string;
  /** As in the file; empty if there is none. */
  readonly version: string;
  /** Yarn: the descriptors that resolve to it, such as `lib@npm:^1.0.0`, at least one. Empty for npm and pnpm. */
  readonly descriptors: readonly string[];
  /** Name -> range as in the file (with `npm:` since Yarn 4), including optional dependencies. For pnpm: name -> resolution. */
  readonly dependencies: ReadonlyMap<string, string>;
  /** Name -> range; empty for `classic`, which does not list them. pnpm also lists those that it found among the dependencies. */
  readonly peerDependencies: ReadonlyMap<string, string>;
  /** The names of the peer dependencies that `peerDependenciesMeta` marks as optional. */
  readonly optionalPeers: ReadonlySet<string>;
  /** Yarn 2 and later, npm: the names of its binaries. */
  readonly binaries: readonly string[];
  /** Yarn 2 and later: the locator, such as `lib@npm:1.2.3`. */
  readonly resolution?: string;
  /** npm: the folder of the package, such as `node_modules/lib`; empty for the folder of the lockfile. */
  readonly folder?: string;
  /** Yarn 2 and later: the folder of a workspace, relative to the project root; `undefined` for other packages. */
  readonly workspace?: RepoFolder | undefined;
  /** Yarn 1: the hash of its archive, if the file has one. */
  readonly integrity?: string | undefined;
  /** The address of its archive, if the file has one. */
  readonly archive?: string | undefined;
  /** npm, and pnpm before version 9: the package has an install script, and no prebuilt package for each platform. */
  readonly hasBuildScript?: boolean;
  /** npm: only peer dependencies lead to it. */
  readonly isOnlyPeer?: boolean;
}

/** A text that is not valid in the format. `reason` continues a sentence about the file, and names the line if there is one. */
export interface UnreadableLockfile {
  readonly kind: 'unreadable';
  readonly reason: string;
}

/** A lockfile whose format version has no parser here. */
export interface UnsupportedLockfile {
  readonly kind: 'unsupported';
  readonly found: string;
  /** In words: `1 to 3`. */
  readonly known: string;
}

export type LockfileReading = Lockfile | UnreadableLockfile | UnsupportedLockfile;

/** Thrown by parsers inside `readLockText`, which returns the message as the reason. */
export class Unreadable extends Error {}

/** Runs a parser on a text without its byte order mark. Rejects conflict markers and empty texts. Returns `Unreadable` errors as values. */
export function readLockText<T>(text: string, parse: (text: string) => T): T | UnreadableLockfile {
  const bare = withoutBom(text);
  const conflict = conflictLine(bare);
  if (conflict !== undefined) return unreadable(`line ${conflict} is a conflict marker of an unfinished merge`);
  if (bare.trim() === '') return unreadable('it is empty');
  try {
    return parse(bare);
  } catch (error) {
    if (error instanceof Unreadable || isToolError(error)) return unreadable(error.message);
    throw error;
  }
}

/** Returns whether an entry is an installed package: neither a workspace nor a folder of the repository. */
export function isInstalled({ workspace, folder }: LockEntry): boolean {
  return workspace === undefined && (folder === undefined || folder.includes('node_modules/'));
}

/** Splits a descriptor: `@acme/ui@^1.0.0` -> name and range. */
export function splitDescriptor(descriptor: string): { readonly name: string; readonly range: string } {
  const at = descriptor.indexOf('@', 1);
  return at < 0 ? { name: descriptor, range: '' } : { name: descriptor.slice(0, at), range: descriptor.slice(at + 1) };
}

/** Returns a range without `npm:`: `npm:^1.0.0` -> `^1.0.0`. An alias keeps it. */
export function plainRange(range: string): string {
  return range.startsWith('npm:') && !/.@/.test(range) ? range.slice('npm:'.length) : range;
}

function unreadable(reason: string): UnreadableLockfile {
  return { kind: 'unreadable', reason };
}

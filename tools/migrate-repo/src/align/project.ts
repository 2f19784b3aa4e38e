import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { Asks } from './lock/asks.js';

/** The files of a tree as texts. Paths are relative to the folder of the root package.json. */
export interface TreeFiles {
  /** Sorted. */
  readonly paths: readonly RepoPath[];
  /** Returns the text of a file; `undefined` if it does not exist, is a link, or is not text. */
  readonly read: (path: RepoPath) => string | undefined;
}

/** The versions in a lockfile. */
export interface LockedVersions {
  /**
   * Returns the version for a request, with name and range as in a manifest; `undefined` if the lockfile lacks it, or
   * it has no version.
   */
  readonly resolve: (name: string, range: string) => string | undefined;
  /** Returns all versions of a package, in ascending order; empty if the lockfile lacks it. */
  readonly versionsOf: (name: string) => readonly string[];
}

/** The lockfile of an imported package. */
export interface OldLock extends LockedVersions {
  readonly kind: 'yarn classic' | 'yarn' | 'npm' | 'pnpm';
  /** Relative to the imported package's folder: `yarn.lock`. */
  readonly file: string;
  /** Whether it was that of a whole monorepo. Its `requests` are then those that the package needs. */
  readonly isShared?: boolean;
  /** Like `versionsOf`, without packages that only others of its monorepo needed. */
  readonly ownVersionsOf: LockedVersions['versionsOf'];
  /** Its requests, each once, ordered by name and range. */
  readonly requests: readonly LockedRequest[];
  /** Returns the version of the copy at the top of node_modules, which undeclared imports used; `undefined` if it lacks the package. */
  readonly topVersionOf: (name: string) => string | undefined;
  /** The package of each binary, by the binary's name; empty if the format does not record it (yarn classic, pnpm). */
  readonly binaries: ReadonlyMap<string, string>;
  /** Other lockfiles that were not read, relative to the imported package's folder. */
  readonly ignored: readonly string[];
  /** Packages requested by a git address or a web archive. `requests` does not include them. */
  readonly addressed: readonly string[];
  /** Requests for git repositories by packages other than the imported one, each once. */
  readonly packed: readonly { readonly name: string; readonly range: string }[];
  /** Peers that the imported package's package manager installed although nobody declares them for the package itself; ordered by name. */
  readonly peers: readonly InstalledPeer[];
  /**
   * Packages with a build script, as npm and pnpm (before version 9) record them, without those for other platforms:
   * `name@version`, in the order of the file.
   */
  readonly builds: readonly string[];
  /** The requests of its packages. Without peers for yarn classic, which does not record them. */
  readonly asks: Asks;
  /** Returns who requests a package, in which range; a format without ranges (pnpm) has none. Empty if nobody does, or it is not recorded. */
  readonly askersOf: (name: string) => readonly { readonly name: string; readonly version: string; readonly range: string | undefined }[];
  /** The requests of its packages, as descriptors: `lib@^1.0.0`. For a format without ranges (pnpm), the versions that they got. */
  readonly indirect: ReadonlySet<string>;
  /** Packages that came from other hosts than npm's own registry, by host. Both are sorted. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /**
   * The requests of each package, by the name it uses. Only for a format (pnpm) that has versions instead of ranges
   * there, so that `requests` has only those of the manifest. A package with different resolutions is listed several
   * times.
   */
  readonly exact?: readonly LockedNode[] | undefined;
}

/** A package that was installed because another has it as a peer. npm 7 and pnpm 8 do that, and Yarn does not. */
export interface InstalledPeer {
  readonly name: string;
  readonly version: string;
  /** Who has the peer: the imported package itself, one of its dependencies, or, if neither does, an indirect dependency. */
  readonly reach: 'package' | 'dependency' | 'indirect';
  /** The packages that have it as a peer: `ts-node@10.9.2`; empty for the imported package itself. */
  readonly of: readonly string[];
}

/** A package with its resolutions. */
export interface LockedNode {
  readonly name: string;
  readonly version: string;
  readonly dependencies: ReadonlyMap<string, { readonly name: string; readonly version: string }>;
}

export interface LockedRequest {
  readonly name: string;
  /** As requested, without a leading `npm:`: `^1.0.0`, `npm:other@^2.0.0`. */
  readonly range: string;
  readonly version: string;
  /** Other resolutions of the same request in the same lockfile (npm, pnpm), the most frequent first. */
  readonly others?: readonly string[];
}

/** An imported package, with its history moved, before the alignment. */
export interface ImportedPackage {
  readonly name: WorkspaceName;
  /** Relative to the folder of the root package.json. */
  readonly path: RepoPath;
  /** Before the alignment. */
  readonly manifest: Manifest;
  /** `undefined` if it has none. */
  readonly oldLock: OldLock | undefined;
  /** The manifest of the root whose workspace it was; `undefined` if it was none. */
  readonly formerRoot?: Manifest | undefined;
  /** The other workspaces of that root, by name. */
  readonly siblings?: ReadonlyMap<string, Sibling> | undefined;
}

/** A workspace of the monorepo that an imported package was a folder of. */
export interface Sibling {
  readonly folder: RepoFolder;
  /** `undefined` if it is private, or a release writes its version. */
  readonly version: string | undefined;
}

/** The monorepo with the imported packages, as a step of the alignment sees it. */
export interface Monorepo {
  readonly files: TreeFiles;
  /** Ordered by path, the root first, including imported packages. */
  readonly workspaces: readonly Workspace[];
  /** In merge order. */
  readonly importedPackages: readonly ImportedPackage[];
  /** The version of the newest release according to tags, by the folder of a workspace with a placeholder version. */
  readonly released: ReadonlyMap<RepoFolder, string>;
  /** The root yarn.lock; `undefined` if there is none, or one of Yarn 1. */
  readonly rootLock: LockedVersions | undefined;
}

/** A step's changes of files. Paths are relative to the folder of the root package.json. `undefined` deletes the file. */
export type Edits = ReadonlyMap<RepoPath, string | undefined>;

/** A step's edits and findings. */
export interface StepOutcome<Finding> {
  readonly edits: Edits;
  readonly findings: readonly Finding[];
}

import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { Asks } from './lock/asks.js';

/** The files of a tree as texts. Paths are from the folder of the root package.json. */
export interface TreeFiles {
  /** Sorted. */
  readonly paths: readonly RepoPath[];
  /** `undefined` for what is not there, is a link, or is no text. */
  readonly read: (path: RepoPath) => string | undefined;
}

/** What a lockfile holds, for questions about versions. */
export interface LockedVersions {
  /** The version that a request leads to, name and range as a manifest has them; `undefined`: it is not in the lockfile, or no version. */
  readonly resolve: (name: string, range: string) => string | undefined;
  /** All of a package, in ascending order; none for one that the lockfile does not have. */
  readonly versionsOf: (name: string) => readonly string[];
}

/** The lockfile that an imported package brought along. */
export interface OldLock extends LockedVersions {
  readonly kind: 'yarn classic' | 'yarn' | 'npm' | 'pnpm';
  /** From the imported package's folder: `yarn.lock`. */
  readonly file: string;
  /** What it resolves, each request once, in the order of names and ranges. */
  readonly requests: readonly LockedRequest[];
  /** The version of the copy at the top of node_modules, which is what undeclared imports got; `undefined` for a package that it does not have. */
  readonly topVersionOf: (name: string) => string | undefined;
  /** By the name of a binary, the package that brings it; empty where the format does not tell (yarn classic, pnpm). */
  readonly binaries: ReadonlyMap<string, string>;
  /** The lockfiles beside it that were not read, from the imported package's folder. */
  readonly ignored: readonly string[];
  /** The packages that are asked for by a git address or an archive of the web; what was locked of them is not among `requests`. */
  readonly addressed: readonly string[];
  /** What others than the imported package itself ask for from a git repository, each request once. */
  readonly packed: readonly { readonly name: string; readonly range: string }[];
  /** What nobody declares for the imported package itself and its package manager installed all the same, because somebody has it as a peer; in the order of names. */
  readonly peers: readonly InstalledPeer[];
  /** The packages that have a build script, as npm and pnpm (before version 9) write it down, without those of other platforms: `name@version`, in the order of the file. */
  readonly builds: readonly string[];
  /** What its packages ask for; of yarn classic without peers, for it does not write them down. */
  readonly asks: Asks;
  /** What its packages ask for, each as a request is written: `lib@^1.0.0`; what they got, of a format that does not tell ranges (pnpm). */
  readonly indirect: ReadonlySet<string>;
  /** By host, the packages that came from there and not from npm's own registry; both in the order of the alphabet. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /**
   * What each package asks for, by the name it uses; only of a format (pnpm) that has versions in the place of ranges there, so that
   * `requests` holds those of the manifest alone. A package stands there several times where it got different things.
   */
  readonly exact?: readonly LockedNode[] | undefined;
}

/** A package that was installed because somebody has it as a peer. npm 7 and pnpm 8 do so by themselves, and Yarn does not. */
export interface InstalledPeer {
  readonly name: string;
  readonly version: string;
  /** Whose peer it is: of the imported package itself, of what the imported package asks for, or of somebody behind that, where nobody else has it. */
  readonly reach: 'package' | 'dependency' | 'indirect';
  /** Who has it as a peer: `ts-node@10.9.2`; nobody where it is the imported package itself. */
  readonly of: readonly string[];
}

/** A package with what it got. */
export interface LockedNode {
  readonly name: string;
  readonly version: string;
  readonly dependencies: ReadonlyMap<string, { readonly name: string; readonly version: string }>;
}

export interface LockedRequest {
  readonly name: string;
  /** As somebody asks for it, without `npm:` in front: `^1.0.0`, `npm:other@^2.0.0`. */
  readonly range: string;
  readonly version: string;
  /** What the same request got elsewhere in the same lockfile (npm, pnpm), the most frequent first. */
  readonly others?: readonly string[];
}

/** A package that has just come, its history moved, before anything was aligned. */
export interface ImportedPackage {
  readonly name: WorkspaceName;
  /** From the folder of the root package.json. */
  readonly path: RepoPath;
  /** As it came. */
  readonly manifest: Manifest;
  /** `undefined` if it brought none. */
  readonly oldLock: OldLock | undefined;
}

/** The monorepo with the imported packages in it, as a step of the alignment finds it. */
export interface Project {
  readonly files: TreeFiles;
  /** Ordered by path, the root first, imported packages among them. */
  readonly workspaces: readonly Workspace[];
  /** In the order in which they are merged. */
  readonly importedPackages: readonly ImportedPackage[];
  /** By the folder of a workspace whose version is a placeholder, that of its newest release as its tags tell. */
  readonly released: ReadonlyMap<RepoFolder, string>;
  /** The root yarn.lock; `undefined` where there is none, or one of Yarn 1. */
  readonly rootLock: LockedVersions | undefined;
}

/** What a step does to files, from the folder of the root package.json. `undefined`: the file is taken away. */
export type Edits = ReadonlyMap<RepoPath, string | undefined>;

/** What a step did, and what it has to say. */
export interface StepOutcome<Finding> {
  readonly edits: Edits;
  readonly findings: readonly Finding[];
}

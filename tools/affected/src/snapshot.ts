import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { LockMembers } from '@tributary/workspaces/lock/members';
import type { PackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import type { ProjectFiles } from './io/project.js';
import type { RootTexts } from './io/reading.js';

/** The content of a commit's root files. */
export interface RootRules {
  readonly texts: RootTexts;
  readonly settings: YarnSettings;
  /** `packageExtensions` of the settings. */
  readonly extensions: PackageExtensions;
  readonly rootManifest: Manifest;
}

/** One of the two commits, as far as it was read. */
export interface Snapshot extends RootRules {
  readonly graph: DependencyGraph;
  /** `undefined` if there is no lockfile. */
  readonly lock: LockMembers | undefined;
  /** The folders that `portal:`, `link:` and similar ranges point to. */
  readonly linked: readonly RepoFolder[];
  /** Only if the graph was read from manifests. */
  readonly project: ProjectFiles | undefined;
}

/** Both commits. */
export interface Snapshots {
  readonly base: Snapshot;
  readonly head: Snapshot;
}

/** The source of the graph: the lockfile, which is faster, or the manifests if one of them changed. */
export type GraphSource = 'lockfile' | 'manifests';

/** Why a commit could not be read. */
export interface UnreadableSnapshot {
  readonly all: AllReason;
}

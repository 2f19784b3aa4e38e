import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { LockMembers } from '@tributary/workspaces/lock/members';
import type { PackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import type { ProjectFiles } from './io/project.js';
import type { RootTexts } from './io/reading.js';

/** What the root files of a commit say. */
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
  /** `undefined` where there is no lockfile. */
  readonly lock: LockMembers | undefined;
  /** The folders that `portal:`, `link:` and their like lead to. */
  readonly linked: readonly RepoFolder[];
  /** Only where the graph was read from manifests. */
  readonly project: ProjectFiles | undefined;
}

/** Where the graph comes from: the lockfile, which is quicker, or the manifests, where one of them changed. */
export type GraphSource = 'lockfile' | 'manifests';

/** What stood in the way of reading a commit. */
export interface Unreadable {
  readonly all: AllReason;
}

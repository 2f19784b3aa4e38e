import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import type { PackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { MemberGraph } from '@tributary/workspaces/members';
import type { YarnSettings } from '@tributary/workspaces/yarn-settings';
import type { RootTexts } from './io/reading.js';

/** What the root files of a commit say. */
export interface RootRules {
  readonly texts: RootTexts;
  readonly settings: YarnSettings;
  /** `packageExtensions` of the settings. */
  readonly extensions: PackageExtensions;
  readonly rootManifest: Manifest;
}

/** One of the two commits, read exactly. */
export interface Side extends RootRules {
  readonly graph: MemberGraph;
  /** The folders that `portal:`, `link:` and their like lead to. */
  readonly linked: readonly RepoFolder[];
  /** Why the lockfile cannot be read, where there is one. */
  readonly lockProblem: string | undefined;
  /** Only where the graph was read from manifests. */
  readonly workspaces: readonly Workspace[] | undefined;
}

/** Where the graph comes from: the lockfile, which is quicker, or the manifests, where one of them changed. */
export type GraphSource = 'lockfile' | 'manifests';

/** What stood in the way of reading a side. */
export interface Unreadable {
  readonly all: AllReason;
}

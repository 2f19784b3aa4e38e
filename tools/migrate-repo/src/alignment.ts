import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { FormerBuild } from './align/build-scripts.js';
import type { Consequences } from './align/consequences.js';
import type { InternalFinding } from './align/internal.js';
import type { Answered } from './align/lock/answered.js';
import type { LockedRequestOutcome } from './align/lock/request-outcomes.js';
import type { ModulePath } from './align/module-paths.js';
import type { PhantomFinding } from './align/phantoms/phantom.js';
import type { Edits, OldLock } from './align/project.js';
import type { SettingFinding } from './align/settings/setting-input.js';
import type { Unresolvable } from './align/unresolvable.js';
import type { VersionFinding } from './align/versions.js';
import type { PackedFilesFinding } from './carry-over/packed-files.js';
import type { CarryOverFinding } from './carry-over/rule.js';
import type { Yarn } from './io/find-yarn.js';
import type { Installation } from './io/install.js';
import type { InstallWarning } from './io/install-warnings.js';
import type { Message } from './message.js';
import type { StepId } from './result/result.js';

/** The outcome of an alignment. */
export interface Alignment {
  readonly steps: readonly AlignedStep[];
  readonly internal: readonly InternalFinding[];
  readonly phantoms: readonly PhantomFinding[];
  readonly versions: readonly VersionFinding[];
  readonly settings: readonly SettingFinding[];
  readonly carryOver: readonly CarryOverFinding[];
  /** Changes in what would be published. Files are compared only if something was installed. */
  readonly packed: readonly PackedPackage[];
  readonly installation: InstallationState;
  /** `undefined` if nothing was installed. */
  readonly lock: LockOutcome | undefined;
  /** Why a dry run could not let Yarn resolve the dependencies. */
  readonly unasked: string | undefined;
  /** Requests that an installation will reject; empty if one was made. */
  readonly unresolvable: readonly Unresolvable[];
  /** Imported packages that had build scripts of their dependencies disabled. */
  readonly scriptsOff: ReadonlySet<WorkspaceName>;
  /** Dependencies with build scripts that ran at the source, and may not run here; empty if an installation has shown which run. */
  readonly formerBuilds: readonly FormerBuild[];
  /** Paths into node_modules in imported packages that no longer lead to the package. Without an installation, those that may no longer. */
  readonly modulePaths: readonly ModulePath[];
  /** The imported lockfiles, by package. */
  readonly oldLocks: ReadonlyMap<WorkspaceName, Pick<OldLock, 'file' | 'kind' | 'ignored' | 'addressed'>>;
  readonly consequences: Consequences;
  /** The same as a dry run reports it, so that decisions have the same ids. `undefined` if nothing was installed. */
  readonly planned: Omit<Alignment, 'steps' | 'planned'> | undefined;
}

/** A step that changed something. */
export interface AlignedStep extends StepCommit {
  readonly step: StepId;
}

/** `no lockfile`: the monorepo has no yarn.lock of Yarn 2 or later. */
export type InstallationState = 'done' | 'planned' | 'not asked for' | 'no lockfile';

/** A commit of the alignment. */
export interface StepCommit {
  readonly id: CommitId;
  /** Relative to the root of the repository, sorted. */
  readonly files: readonly RepoPath[];
}

/** What became of the locked versions, and the new lockfile. */
export interface LockOutcome {
  /** The Yarn that installed it. */
  readonly yarn: Yarn;
  readonly installation: Installation;
  /** Manifests of imported packages that Yarn rewrites: it sorts dependencies. */
  readonly manifests: Edits;
  /** Entries of the root's `resolutions` with which published packages keep their own copies of what is now a workspace. */
  readonly spared: readonly string[];
  /** What became of every locked request of the imported packages. */
  readonly outcomes: readonly LockedRequestOutcome[];
  /** Requests of registry packages that a workspace answers now, and did not before. */
  readonly answered: readonly Answered[];
  /** Requests of the monorepo that the registry answered before, and a workspace answers now. */
  readonly toWorkspaces: readonly RedirectedRequest[];
  readonly warnings: readonly InstallWarning[];
  /** The imported packages with scripts of an installation. */
  readonly scripts: readonly InstallScripts[];
  /** The last installation, of the finished branch; `undefined` if no script may run. */
  readonly fresh?: FreshInstallation;
  /** Whether the warnings include build scripts that are not run. */
  readonly builds: 'shown' | 'unknown';
  /** Paths into node_modules in imported packages that no longer lead to the package. */
  readonly misplaced: readonly ModulePath[];
}

/** A package, and the names of its scripts that every installation of the monorepo runs. */
export interface InstallScripts {
  readonly name: WorkspaceName;
  readonly scripts: readonly string[];
}

/** An installation in a fresh clone, with all scripts. */
export interface FreshInstallation {
  /** Tracked files that its scripts changed, relative to the root of the repository. */
  readonly changed: readonly string[];
}

/** `change` is to the version of the workspace. */
export type RedirectedRequest = Pick<LockedRequestOutcome, 'descriptor' | 'change'>;

/** The change in the files that would be published of a package. */
export interface PackedPackage extends Pick<PackedFilesFinding, 'decision'> {
  readonly name: WorkspaceName;
  /** `undefined` if it is unknown. */
  readonly done: Message | undefined;
}

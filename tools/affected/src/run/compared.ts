import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { FileRow, FoundReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import type { RootTexts } from '../io/reading.js';
import type { AffectedInputs } from './inputs.js';

// What comparisons of two commits find. Each of them is loaded when it is needed, so it must not import the one that loads it.

/** The result of comparing the root files of two commits. */
export interface RootFilesCompared {
  readonly found: readonly FoundReason[];
  readonly answered: ReadonlySet<string>;
  readonly all: AllReason | undefined;
  /** The lock graph of the head, if it is already available. */
  readonly lockGraph: (() => LockGraph | undefined) | undefined;
}

/** The inputs that a comparison needs. */
export type ComparedInputs = Pick<AffectedInputs, 'git' | 'repository' | 'headTree' | 'files' | 'config' | 'texts' | 'taskKind'>;

/** The result of comparing two commits. */
export interface SidesCompared extends RootFilesCompared {
  readonly joined: ChangedGraph;
  readonly base: DependencyGraph;
  readonly linked: readonly RepoFolder[];
  /** The texts of the base; `undefined` if the base is the same. */
  readonly before: RootTexts | undefined;
  /** As in `AffectedQuestion`. */
  readonly roles?: ReadonlyMap<string, FileRow>;
  /** As in `AffectedQuestion`. */
  readonly whyUnclaimed?: ReadonlyMap<string, string>;
  /** By path: the place in a source that reads a file of its workspace that is no source. */
  readonly readBy?: ReadonlyMap<string, string>;
}

/** Reasons from the content of files, and the files that therefore need no rule. */
export interface Answers {
  readonly found: readonly FoundReason[];
  readonly answered: Iterable<string>;
}

/** The files that determine resolutions. */
export const PACKAGE_FILES = ['yarn.lock', 'package.json', '.yarnrc.yml'] as const;

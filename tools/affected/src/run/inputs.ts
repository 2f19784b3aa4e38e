import type { Git } from '@tributary/git/git';
import type { AllReason, ChangedFile, ChangeSet } from '@tributary/model/changeset';
import type { AffectedConfig } from '@tributary/model/config';
import type { ObjectId } from '@tributary/model/ids';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { RepoLocation } from '../io/locate.js';
import type { RootTexts } from '../io/reading.js';
import type { Observation } from '../observe/observation.js';

/** What is known of a change before the graph is read. */
export interface AffectedInputs extends ChangeSet {
  readonly git: Git;
  readonly place: RepoLocation;
  /** What the files of the head are read from: the head itself, or the work tree as a tree. */
  readonly headTree: ObjectId;
  /** Paths from the root of the project. Empty where `all` says that they are not known. */
  readonly files: readonly ChangedFile[];
  /** Whether git has compared two commits, or somebody else has made the list of files; the first if not given. */
  readonly filesAre?: 'compared' | 'listed';
  /** Why the files are not known, or not to be trusted. */
  readonly all: AllReason | undefined;
  /** At the head. */
  readonly texts: RootTexts;
  readonly config: AffectedConfig;
  /** What the answer is for; `test` if not given. */
  readonly taskKind?: TaskKind;
  /** The file of CI to answer for as if it ran, from the top of the repository; what the variables say if not given. */
  readonly workflow?: string | undefined;
  readonly warnings: readonly string[];
  /** Not there: none are used. */
  readonly observed?: ObservedInputs;
  /** The files that edges to files are asked about; `files` if not given. */
  readonly edgeFiles?: readonly ChangedFile[];
}

/** What traced runs read. */
export interface ObservedInputs {
  readonly use: 'add' | 'narrow';
  /** The oldest first. */
  readonly observations: readonly Observation[];
  /** The task of turborepo that the answer is for; without one it may serve for any. */
  readonly task: string | undefined;
}

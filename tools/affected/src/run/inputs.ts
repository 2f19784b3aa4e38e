import type { Git } from '@tributary/git/git';
import type { AllReason, ChangedFile, ChangeSet } from '@tributary/model/changeset';
import type { AffectedConfig } from '@tributary/model/config';
import type { ObjectId } from '@tributary/model/ids';
import type { Progress } from '@tributary/terminal/progress';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { RepoLocation } from '../io/locate.js';
import type { RootTexts } from '../io/reading.js';

/** The inputs of a change, before the graph is read. */
export interface AffectedInputs extends ChangeSet {
  readonly git: Git;
  readonly repository: RepoLocation;
  /** The tree with the files of the head: the head itself, or the working tree as a tree. */
  readonly headTree: ObjectId;
  /** Paths relative to the project's root. Empty if `all` says that they are unknown. */
  readonly files: readonly ChangedFile[];
  /** Whether git compared two commits (the default), or somebody listed the files. */
  readonly filesAre?: 'compared' | 'listed';
  /** Why the files are unknown or not trustworthy. */
  readonly all: AllReason | undefined;
  /** The texts at the head. */
  readonly texts: RootTexts;
  readonly config: AffectedConfig;
  /** The kind of task of the answer; `test` by default. */
  readonly taskKind?: TaskKind;
  /** Shows what is being done, which may take seconds. */
  readonly progress?: Progress;
  /** The CI file to assume as running, relative to the repository; by default, the variables tell. */
  readonly workflow?: string | undefined;
  readonly warnings: readonly string[];
}

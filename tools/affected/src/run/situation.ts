import type { Git } from '@tributary/git/git';
import type { AllReason, ChangedFile, ChangeSet } from '@tributary/model/changeset';
import type { AffectedConfig } from '@tributary/model/config';
import type { ObjectId } from '@tributary/model/ids';
import type { AffectedAnswer, AffectedQuestion } from '@tributary/workspaces/affected';
import type { LaidLock } from '@tributary/workspaces/lock/laid-lock';
import type { Place } from '../io/locate.js';
import type { RootTexts } from '../io/reading.js';

/** Everything that was gathered before it is decided who is affected. */
export interface Situation extends ChangeSet {
  readonly git: Git;
  readonly place: Place;
  /** What the files of the head are read from: the head itself, or the work tree as a tree. */
  readonly headTree: ObjectId;
  /** Seen from the project. Empty where `all` says that they are not known. */
  readonly files: readonly ChangedFile[];
  /** Why the files are not known, or not to be trusted. */
  readonly all: AllReason | undefined;
  /** At the head. */
  readonly texts: RootTexts;
  /** The yarn.lock of `texts`, if it was read to where it will be scanned. */
  readonly laidLock?: LaidLock | undefined;
  readonly config: AffectedConfig;
  readonly warnings: readonly string[];
  /** `manifests`: the lockfile is not to be trusted with the graph. */
  readonly graphSource?: 'manifests';
}

/** An answer with the question it is the answer to, so that it can be asked again under another policy. */
export interface Decision {
  readonly question: AffectedQuestion;
  readonly answer: AffectedAnswer;
  readonly warnings?: readonly string[];
}

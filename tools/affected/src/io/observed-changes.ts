import { readDifference } from '@tributary/git/changeset';
import { resolveNames } from '@tributary/git/objects';
import type { RawChange } from '@tributary/git/parse';
import { isToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { changedSince } from '../observe/changed-since.js';
import type { PackagesSince } from '../observe/judge-packages.js';
import type { Since } from '../observe/judge-piece.js';
import { findUnreadCause } from '../observe/unread-causes.js';
import type { AffectedInputs } from '../run/inputs.js';
import { findNamed } from './named-files.js';

export interface SinceScene {
  readonly inputs: AffectedInputs;
  /** The files at the head. */
  readonly tracked: readonly string[];
  /** Tells whether a file is in a workspace other than the root. */
  readonly isInWorkspace: (path: string) => boolean;
  /** Tells whether a rule makes a file select nothing. */
  readonly isHarmless: (path: string) => boolean;
  /** Returns a path relative to its workspace. */
  readonly below: (path: string) => string;
  /** Compares what is installed at a commit and at the head. */
  readonly comparePackages: (commit: string) => Promise<PackagesSince>;
}

/** Returns what changed between the commit of an observation and the head. Throws `GIT_FAILED`. */
export async function readSince(commit: string, scene: SinceScene): Promise<Since> {
  const { git, place, headTree } = scene.inputs;
  const run = commit.slice(0, 10);
  const [found] = await resolveNames(git, [`${commit}^{commit}`]);
  if (found === undefined) return { unknown: `the commit of its observed run, ${run}, is not in this clone` };
  const changes = await readDifference(git, commit as CommitId, headTree as ObjectId as string as CommitId);
  const top = place.project === '' ? '' : `${place.project}/`;
  const rest = changes.filter(({ path }) => !DEPENDENCY_FILES.some((file) => path === `${top}${file}`));
  const cause = await findCause(rest, scene);
  if (cause !== undefined) return { unknown: `${cause}, since its observed run at ${run}` };
  const changed = changedSince(changes, scene.tracked, place.project);
  if (rest.length === changes.length) return { changed };
  const compared = await scene.comparePackages(commit);
  return 'unknown' in compared ? { unknown: `${compared.unknown}, since its observed run at ${run}` } : { changed, ...compared };
}

/** The files of the root that say what is installed. Their content is compared. */
export const DEPENDENCY_FILES = ['package.json', 'yarn.lock'];

/** Returns a change that may have an effect without a test reading it. */
async function findCause(
  changes: readonly RawChange[],
  { inputs, isInWorkspace, isHarmless, below }: SinceScene,
): Promise<string | undefined> {
  const { project } = inputs.place;
  const top = project === '' ? '' : `${project}/`;
  const open: string[] = [];
  for (const { path: full, oldMode, newMode } of changes) {
    const isBelow = full.startsWith(top);
    const path = isBelow ? full.slice(top.length) : `../${full}`;
    const cause = findUnreadCause({
      path,
      isSubmodule: [oldMode, newMode].some((mode) => mode.startsWith('16')),
      isInWorkspace: isInWorkspace(path),
    });
    if (isHarmless(path)) continue;
    if (cause !== undefined) return cause;
    if (isBelow && !isInWorkspace(path)) open.push(path);
  }
  try {
    return await findNamed(open, { ...inputs, below });
  } catch (error) {
    if (isToolError(error) && error.code === 'GIT_FAILED') return `it is unknown what runs ${open[0]}, which changed`;
    throw error;
  }
}

import { readDifference } from '@tributary/git/changeset';
import { resolveNames } from '@tributary/git/objects';
import type { RawChange } from '@tributary/git/parse';
import { isToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import { changedSince } from '../observe/changed-since.js';
import { lockedDifference } from '../observe/locked-names.js';
import type { Since } from '../observe/narrow.js';
import { findUnreadCause } from '../observe/unread-causes.js';
import type { AffectedInputs } from '../run/inputs.js';
import { findNamed } from './named-files.js';
import { type RootTexts, readRootTexts } from './reading.js';

export interface SinceScene {
  readonly inputs: AffectedInputs;
  /** The files of the head. */
  readonly tracked: readonly string[];
  /** Whether a file lies in a workspace other than the root. */
  readonly isInWorkspace: (path: string) => boolean;
  /** Whether a rule lets a file select nothing. */
  readonly isHarmless: (path: string) => boolean;
}

/** What changed between the commit of an observation and the head. Throws `GIT_FAILED`. */
export async function readSince(commit: string, scene: SinceScene): Promise<Since> {
  const { git, place, headTree, texts } = scene.inputs;
  const run = commit.slice(0, 10);
  const [found] = await resolveNames(git, [`${commit}^{commit}`]);
  if (found === undefined) return { unknown: `the commit of its observed run, ${run}, is not in this clone` };
  const changes = await readDifference(git, commit as CommitId, headTree as ObjectId as string as CommitId);
  const cause = await findCause(changes, scene);
  if (cause !== undefined) return { unknown: `${cause}, since its observed run at ${run}` };
  const before = await readRootTexts(git, commit, place.project);
  if (!haveSameSettings(before, texts))
    return { unknown: `more than dependencies changed in package.json since its observed run at ${run}` };
  const lock = lockedDifference(before['yarn.lock'], texts['yarn.lock']);
  if (lock === undefined) return { unknown: `yarn.lock cannot be compared with that of its observed run at ${run}` };
  return { changed: changedSince(changes, scene.tracked, place.project), lock };
}

/** A change that may have an effect without being read by a test. */
async function findCause(changes: readonly RawChange[], { inputs, isInWorkspace, isHarmless }: SinceScene): Promise<string | undefined> {
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
    if (isBelow && !isInWorkspace(path) && path !== 'package.json' && path !== 'yarn.lock') open.push(path);
  }
  try {
    return await findNamed(open, inputs, isInWorkspace);
  } catch (error) {
    if (isToolError(error) && error.code === 'GIT_FAILED') return `nobody can tell what runs ${open[0]}, which changed`;
    throw error;
  }
}

const DEPENDENCIES: readonly string[] = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Whether the manifests of the root differ in dependencies alone: what these lead to stands in the lockfile. */
function haveSameSettings(before: RootTexts, after: RootTexts): boolean {
  const [one, other] = [before['package.json'], after['package.json']];
  return one === other || (settingsOf(one) !== undefined && settingsOf(one) === settingsOf(other));
}

function settingsOf(text: string | undefined): string | undefined {
  try {
    const manifest: unknown = JSON.parse(text ?? '');
    return isPlainObject(manifest) ? JSON.stringify(Object.entries(manifest).filter(([key]) => !DEPENDENCIES.includes(key))) : undefined;
  } catch {
    return undefined;
  }
}

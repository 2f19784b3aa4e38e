import { type Comparison, compareCommits, type Revision, readDifferenceFromMergeBase, readDifferenceOf } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import type { NamedObject } from '@tributary/git/object-id';
import { readNamedBlobs, resolveNames } from '@tributary/git/objects';
import type { RawChange } from '@tributary/git/parse';
import type { RepoFolder } from '@tributary/model/paths';
import type { RepoLocation } from './locate.js';

/** Returns the root's turbo.json, by either of its names. */
export function turboText(texts: Readonly<Partial<Record<'turbo.json' | 'turbo.jsonc', string | undefined>>>): string | undefined {
  return texts['turbo.json'] ?? texts['turbo.jsonc'];
}

/** The files at the root of a project that define its workspaces and their installation. */
export const ROOT_FILES = ['yarn.lock', 'package.json', 'tributary.json', '.yarnrc.yml', 'turbo.json', 'turbo.jsonc'] as const;

export type RootFile = (typeof ROOT_FILES)[number];

/** Their texts; `undefined` for a missing file. */
export type RootTexts = Readonly<Record<RootFile, string | undefined>>;

/** Everything that most answers need, being read by two git processes. */
export interface CommitReading {
  /** `undefined` if one of the two commits is not in this clone. */
  readonly comparison: Promise<Comparison | undefined>;
  /** The differences from the merge base; `undefined` if there is none or more than one. */
  readonly changes: Promise<readonly RawChange[] | undefined>;
  /** The texts at the head; all missing if the head itself is. */
  readonly texts: Promise<RootTexts>;
}

/** Starts to read. A failed promise reports its error only when awaited. */
export function startReading(git: Git, repository: RepoLocation, { base, head }: { base: Revision; head: Revision }): CommitReading {
  const found = resolveNames(git, [...[base, head].map((name) => `${name}^{commit}`), ...ancestorsOf(head)]).then(compareFound);
  // Started first, because the lockfile takes git longest.
  const texts = readRootTexts(git, head, repository.project);
  // Correct only if the base is an ancestor of the head, as in nearly all CI jobs. It saves git a search for the merge base, which may take
  // long.
  const direct = readDifferenceOf(git, base, head);
  const reading = {
    changes: found.then((comparison) => (comparison === undefined ? readDifferenceFromMergeBase(git, base, head) : direct)),
    comparison: found.then((comparison) => comparison ?? compareCommits(git, base, head)),
    texts,
  };
  for (const promise of [direct, ...Object.values(reading)]) promise.catch(() => {});
  return reading;
}

/** Returns the texts of the root files at a commit, or in a tree. Throws `GIT_FAILED`, also for a file that a partial clone lacks. */
export async function readRootTexts(git: Git, commit: string, project: RepoFolder): Promise<RootTexts> {
  if (git.isPartial === true) {
    const { fetchRootFiles } = await import('./partial-clone.js');
    await fetchRootFiles(git, commit, project, ROOT_FILES);
  }
  const blobs = await readNamedBlobs(
    git,
    ROOT_FILES.map((file) => objectName(commit, project, file)),
  );
  return byFile(blobs.map((blob) => blob?.toString('utf8')));
}

/** Returns the output of `git ls-tree` for a whole commit. A failure is reported only when awaited. */
export function listCommit(git: Git, commit: string): Promise<string> {
  const listing = git.text(['ls-tree', '-r', '-z', '--full-tree', commit]);
  listing.catch(() => {});
  return listing;
}

/** Returns git's name for a file or folder of a project at a commit, or in a tree. */
export function objectName(commit: string, project: RepoFolder, path: string): string {
  return `${commit}:${project === '' ? '' : `${project}/`}${path}`;
}

/** The number of generations searched for the base. */
const STEPS = 12;

/** Returns first-parent ancestors and the commits merged in between: usually the start of the branch, or its last update, is among them. */
function ancestorsOf(head: Revision): readonly string[] {
  return Array.from({ length: STEPS }, (_, step) => [`${head}~${step + 1}`, `${head}~${step}^2`]).flat();
}

/**
 * Compares without a search if the base is an ancestor of the head, and therefore the merge base. That saves a process, which takes as long
 * as everything else that git does here.
 */
function compareFound([base, head, ...ancestors]: readonly (NamedObject | undefined)[]): Comparison | undefined {
  if (base === undefined || head === undefined) return undefined;
  return [head, ...ancestors].some((one) => one?.id === base.id) ? { base: base.id, head: head.id, mergeBases: [base.id] } : undefined;
}

function byFile(texts: readonly (string | undefined)[]): RootTexts {
  return Object.fromEntries(ROOT_FILES.map((file, at) => [file, texts[at]])) as unknown as RootTexts;
}

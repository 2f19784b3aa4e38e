import { type Comparison, compareCommits, type Revision, readDifferenceFromMergeBase, readDifferenceOf } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import type { NamedObject } from '@tributary/git/object-id';
import { readNamedBlobs, resolveNames } from '@tributary/git/objects';
import type { RawChange } from '@tributary/git/parse';
import type { RepoFolder } from '@tributary/model/paths';
import type { RepoLocation } from './locate.js';

/** The turbo.json of the root, by either of its names. */
export function turboText(texts: Readonly<Partial<Record<'turbo.json' | 'turbo.jsonc', string | undefined>>>): string | undefined {
  return texts['turbo.json'] ?? texts['turbo.jsonc'];
}

/** The files at the root of a project that say what its workspaces are and how they are installed. */
export const ROOT_FILES = ['yarn.lock', 'package.json', 'tributary.json', '.yarnrc.yml', 'turbo.json', 'turbo.jsonc'] as const;

export type RootFile = (typeof ROOT_FILES)[number];

/** Their texts; `undefined` for one that is not there. */
export type RootTexts = Readonly<Record<RootFile, string | undefined>>;

/** All that most answers need, under way in two processes of git. */
export interface Reading {
  /** `undefined`: one of the two commits is not in this clone. */
  readonly comparison: Promise<Comparison | undefined>;
  /** What differs from the merge base; `undefined` where there is none or more than one. */
  readonly changes: Promise<readonly RawChange[] | undefined>;
  /** The texts at the head; all missing where the head itself is. */
  readonly texts: Promise<RootTexts>;
}

/** Starts to read; a promise that fails is only heard of when it is awaited. */
export function startReading(git: Git, place: RepoLocation, { base, head }: { base: Revision; head: Revision }): Reading {
  const found = resolveNames(git, [...[base, head].map((name) => `${name}^{commit}`), ...ancestorsOf(head)]).then(compareFound);
  // First, for the lockfile is what takes git longest.
  const texts = readRootTexts(git, head, place.project);
  // Right only if the base is an ancestor of the head, as nearly always in CI; git may search long for a merge base that it need not.
  const direct = readDifferenceOf(git, base, head);
  const reading = {
    changes: found.then((comparison) => (comparison === undefined ? readDifferenceFromMergeBase(git, base, head) : direct)),
    comparison: found.then((comparison) => comparison ?? compareCommits(git, base, head)),
    texts,
  };
  for (const promise of [direct, ...Object.values(reading)]) promise.catch(() => {});
  return reading;
}

/** The texts of the root files at a commit, or in a tree. */
export async function readRootTexts(git: Git, commit: string, project: RepoFolder): Promise<RootTexts> {
  const blobs = await readNamedBlobs(
    git,
    ROOT_FILES.map((file) => nameOf(commit, project, file)),
  );
  return byFile(blobs.map((blob) => blob?.toString('utf8')));
}

/** What `git ls-tree` prints of a whole commit; a failure is heard of when it is awaited. */
export function listCommit(git: Git, commit: string): Promise<string> {
  const listing = git.text(['ls-tree', '-r', '-z', '--full-tree', commit]);
  listing.catch(() => {});
  return listing;
}

/** The name by which git finds a file or folder of a project at a commit, or in a tree. */
export function nameOf(commit: string, project: RepoFolder, path: string): string {
  return `${commit}:${project === '' ? '' : `${project}/`}${path}`;
}

/** How many steps back the base is looked for. */
const STEPS = 12;

/** Its ancestors by first parents, and what was merged in between: where a branch started, or was brought up to date, is among them. */
function ancestorsOf(head: Revision): readonly string[] {
  return Array.from({ length: STEPS }, (_, step) => [`${head}~${step + 1}`, `${head}~${step}^2`]).flat();
}

/** A base that is an ancestor of the head is their merge base. It saves a process, which takes as long as all else that git does here. */
function compareFound([base, head, ...ancestors]: readonly (NamedObject | undefined)[]): Comparison | undefined {
  if (base === undefined || head === undefined) return undefined;
  return [head, ...ancestors].some((one) => one?.id === base.id) ? { base: base.id, head: head.id, mergeBases: [base.id] } : undefined;
}

function byFile(texts: readonly (string | undefined)[]): RootTexts {
  return Object.fromEntries(ROOT_FILES.map((file, at) => [file, texts[at]])) as unknown as RootTexts;
}

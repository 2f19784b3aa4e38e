import { type Comparison, changedFile, compareCommits, parseRevision, type Revision, readDifference } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { Services } from '@tributary/terminal/main';
import { areMergeBasesKnown, fetchUntilTheyMeet, firstThere } from '../io/history.js';
import type { RepoLocation } from '../io/locate.js';
import type { FoundBase } from './find-base.js';
import type { AffectedRequest } from './request.js';

/** The input that is known before the changes are. */
export interface ChangeSource {
  readonly request: AffectedRequest;
  readonly services: Services;
  readonly repository: RepoLocation;
  readonly git: Git;
  readonly head: Revision;
}

/** The changes between two commits, from a list, or of a pull request. Paths are relative to the repository. */
export interface Changes {
  readonly base: CommitId | null;
  readonly mergeBase: CommitId | null;
  readonly files: readonly ChangedFile[];
  readonly all: AllReason | undefined;
  readonly warnings: readonly string[];
}

type Found = Extract<FoundBase, { kind: 'found' }>;

/**
 * Returns a base that the user named: a branch, possibly only of the remote, as in a fresh checkout of CI; a tag; a commit; or a revision
 * relative to the head.
 */
export function givenBase(name: string): Found & { readonly given: string } {
  const known = { kind: 'found', base: parseRevision(name), source: name, mustBeAncestor: 'no', given: name } as const;
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name)) return { ...known, refspecs: [name] };
  if (/[~^@]|^HEAD$/.test(name)) return { ...known, refspecs: [] };
  const short = name.replace(/^(refs\/(heads|tags|remotes\/origin)|origin)\//, '');
  return {
    ...known,
    refspecs: [`+refs/heads/${short}:refs/remotes/origin/${short}`],
    otherwise: [`+refs/tags/${short}:refs/tags/${short}`],
  };
}

/** Compares two commits, and fetches what is missing. Throws `REVISION_MISSING` for a named base that does not exist anywhere. */
export async function compare(scene: ChangeSource, found: Found & { readonly given?: string }): Promise<Changes> {
  const { git, head } = scene;
  const compareHere = async () => compareCommits(git, await baseHere(scene, found), head);
  const here = await compareHere();
  const isWhole = here !== undefined && (await areMergeBasesKnown(git, scene.repository, here));
  const comparison = isWhole ? here : ((await fetchMore(scene, found, compareHere)) ?? here);
  if (comparison === undefined) return missing(scene, found);
  if (comparison.mergeBases.length > 0 && !(await areMergeBasesKnown(git, scene.repository, comparison))) return cutOff(comparison, found);
  return differences(git, comparison, found);
}

/** Resolves `main` if only `origin/main` is in this clone. */
async function baseHere({ git }: ChangeSource, { base, given }: Found & { readonly given?: string }): Promise<Revision> {
  if (given === undefined || /^(refs|origin)\//.test(given)) return base;
  return (await firstThere(git, [base, parseRevision(`refs/remotes/origin/${given}`)])) ?? base;
}

async function fetchMore(
  { git, repository, head, request, services }: ChangeSource,
  { refspecs, otherwise = [], source }: Found,
  compareHere: () => Promise<Comparison | undefined>,
): Promise<Comparison | undefined> {
  const isUseless = repository.depth === 'full' && refspecs.length === 0;
  if (request.fetch === 'never' || isUseless) return undefined;
  const wanted = { head, refspecs, otherwise, source, compareHere };
  return fetchUntilTheyMeet(git, repository, { wanted, services });
}

async function missing(scene: ChangeSource, found: Found & { readonly given?: string }): Promise<Changes> {
  if (found.given === undefined) {
    const reason = `The base, ${found.source}, is not in this clone and could not be fetched.`;
    return { base: null, mergeBase: null, files: [], all: { code: 'BASE_UNKNOWN', reason }, warnings: [] };
  }
  const which = (await firstThere(scene.git, [scene.head])) === undefined ? scene.head : found.given;
  throw missingCommit(which);
}

/** Returns the error for a revision that is no commit of the clone. */
function missingCommit(revision: string): ToolError {
  const [message, hint] =
    revision === 'HEAD'
      ? ['HEAD has no commit yet.', 'Commit something first: the answer is about commits.']
      : [
          `${revision} is not a commit of this clone.`,
          'Correct the name, or fetch more history; in CI, check out all of it (actions/checkout: fetch-depth: 0).',
        ];
  return new ToolError({ code: 'REVISION_MISSING', message, hint, data: { revision } });
}

/** Returns the result for a truncated clone, in which the way to a later merge base may be missing. */
function cutOff({ base }: Comparison, { source }: Found): Changes {
  const reason = `The clone is shallow, so the last common commit of ${source} and the head may not be in it.`;
  return { base, mergeBase: null, files: [], all: { code: 'HISTORY_SHALLOW', reason }, warnings: [] };
}

async function differences(git: Git, comparison: Comparison, found: Found): Promise<Changes> {
  const { base, head, mergeBases } = comparison;
  const [mergeBase, ...others] = mergeBases;
  const known = { base, warnings: [], all: undefined };
  if (mergeBase === undefined) {
    const reason = `The histories of ${found.source} and the head have no common commit, or none that was fetched.`;
    return { ...known, mergeBase: null, files: [], all: { code: 'NO_MERGE_BASE', reason } };
  }
  if (found.mustBeAncestor === 'yes' && mergeBase !== base) {
    const reason = `${found.source} is not an ancestor of the head: the branch was rewritten.`;
    return { ...known, mergeBase, files: [], all: { code: 'BASE_REWRITTEN', reason } };
  }
  // After a criss-cross merge, each merge base would hide changes merged over the other one; the base itself hides nothing.
  const from = others.length === 0 ? mergeBase : base;
  const warnings = others.length === 0 ? [] : [`There are ${mergeBases.length} merge bases, so ${found.source} itself is the base.`];
  return { ...known, mergeBase: from, files: (await readDifference(git, from, head)).map(changedFile), warnings };
}

/** Throws `REVISION_MISSING`. */
export async function idOf({ git, head }: Pick<ChangeSource, 'git' | 'head'>): Promise<CommitId> {
  const comparison = await compareCommits(git, head, head);
  if (comparison !== undefined) return comparison.head;
  throw missingCommit(head);
}

import type { Git } from '@tributary/git/git';
import { isToolError, ToolError } from '@tributary/model/errors';
import { branchRef, type CommitId, type ObjectId, type RefName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { PullRequest } from '@tributary/model/pull-request-host';
import { shellWord } from '@tributary/model/shell-word';
import { findChangedPatch } from '../history/compare-patches.js';
import { readNewIds } from '../history/new-ids.js';
import type { CommitMap } from '../history/rewrite.js';
import { listHistory } from '../history/source-history.js';
import type { FetchedRequests } from '../io/pull-request-source.js';
import type { LocalRepository } from '../io/target.js';
import { syncBranch } from '../plan/sync-branch.js';

/** The input for planning all pull requests of a source. */
export interface PlanningRequests {
  readonly record: ImportRecord;
  readonly format: LocalRepository['format'];
  readonly fetched: FetchedRequests;
  readonly map: CommitMap;
  /** Reads the objects of the monorepo, of its remote's branches and of the rewritten source. */
  readonly view: Git;
  /** The branches of the monorepo's remote, by full name. */
  readonly branches: ReadonlyMap<string, ObjectId>;
  /** The branch that replaces the imported one as base. */
  readonly base: string;
  /** `acme/left-pad` */
  readonly repository: string;
  readonly requests: readonly PullRequest[];
}

/** A pull request whose branch is rewritten and checked. */
export interface PlannedPullRequest {
  readonly request: PullRequest;
  readonly branch: RefName;
  /** In the monorepo. */
  readonly base: string;
  readonly head: ObjectId;
  readonly tip: CommitId;
  readonly commits: number;
  /** Parts of it that are not brought over. */
  readonly notes: readonly string[];
}

/** A pull request that cannot be moved. */
export interface UnplannedRequest {
  readonly request: PullRequest;
  readonly failure: ToolError;
}

/** Returns its branch in the monorepo. */
export function branchOf({ package: name }: Pick<ImportRecord, 'package'>, number: number): RefName {
  return branchRef(`${name}/pr-${number}`);
}

/** Plans each pull request. One that cannot be moved does not stop the others. Throws errors that concern more than one. */
export async function planRequests(planning: PlanningRequests): Promise<readonly (PlannedPullRequest | UnplannedRequest)[]> {
  const planned: (PlannedPullRequest | UnplannedRequest)[] = [];
  for (const request of planning.requests) planned.push(await planOrFail(planning, request));
  return planned;
}

async function planOrFail(planning: PlanningRequests, request: PullRequest): Promise<PlannedPullRequest | UnplannedRequest> {
  try {
    return await planRequest(planning, request);
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED' || error.code === 'DISK_FULL') throw error;
    return { request, failure: error };
  }
}

/**
 * Plans one pull request. Throws `PULL_REQUEST_UNREADABLE`, `PULL_REQUEST_BASE_UNKNOWN`, `PULL_REQUEST_NOT_IMPORTED`,
 * `PULL_REQUEST_CHANGED`.
 */
async function planRequest(planning: PlanningRequests, request: PullRequest): Promise<PlannedPullRequest> {
  const { fetched, map, view, record } = planning;
  const head = fetched.heads.get(request.number);
  if (head === undefined) throw unreadable(planning, request);
  const tip = map.get(head);
  const base = findBase(planning, request);
  if (tip === undefined) throw unknownBase(planning, request, `${record.subdirectory} is not in it`);
  const shared = await view.attempt(['merge-base', tip, base.target]);
  if (shared.exit !== 0) throw unknownBase(planning, request, 'it has no commit in common with what was imported');
  const fresh = await listHistory(view, [tip], [base.target]);
  const own = await listHistory(fetched.git, [head], [base.source]);
  const pairs = [...(await readNewIds(fetched.git, own, map))].map(([source, image]) => ({ source, image }));
  const images = new Set(pairs.map(({ image }) => image));
  const foreign = fresh.filter((id) => !images.has(id));
  if (foreign.length > 0) throw notImported(planning, request, foreign.length);
  const freshOnes = new Set(fresh);
  const folders = { format: planning.format, path: record.path, subdirectory: record.subdirectory };
  const moved = pairs.filter(({ image }) => freshOnes.has(image));
  const flaw = await findChangedPatch(view, moved, folders);
  if (flaw !== undefined) throw changed(planning, request, flaw);
  const notes = [
    ...(isOfFork(planning, request) ? [FROM_FORK] : []),
    ...(await tellLeftOut(planning, { head, base: base.source, commits: own.length - pairs.length })),
  ];
  return { request, branch: branchOf(record, request.number), base: base.name, head, tip, commits: fresh.length, notes };
}

/** Forges give pull requests of forks no secrets; to them, this is none any more. */
const FROM_FORK =
  'It comes from a fork. In the monorepo it is a branch of your repository, so CI runs it with your secrets: review it first.';

/** Whether a pull request comes from a fork. The case of a URL may differ from the forge's name. */
export function isOfFork({ repository }: Pick<PlanningRequests, 'repository'>, { head }: PullRequest): boolean {
  return head.repository?.toLowerCase() !== repository.toLowerCase();
}

/** For a subdirectory, returns notes about changes outside it. */
async function tellLeftOut(
  { fetched: { git }, record: { subdirectory } }: PlanningRequests,
  { head, base, commits }: { readonly head: ObjectId; readonly base: ObjectId; readonly commits: number },
): Promise<readonly string[]> {
  if (subdirectory === undefined) return [];
  const shared = (await git.text(['merge-base', head, base])).split('\n')[0] ?? base;
  const beside = ['--', ':(top)', `:(top,exclude,literal)${subdirectory}`];
  const isInside = (await git.attempt(['diff-tree', '-r', '--quiet', shared, head, ...beside])).exit === 0;
  return [
    ...(isInside ? [] : [`Its changes outside ${subdirectory} are left out.`]),
    ...(commits === 0 ? [] : [`${commits === 1 ? '1 commit changes' : `${commits} commits change`} nothing in ${subdirectory}.`]),
  ];
}

/** The base of a pull request. */
interface Base {
  /** Its name in the monorepo. */
  readonly name: string;
  /** Its last commit, in the source and in the monorepo. */
  readonly source: ObjectId;
  readonly target: ObjectId;
}

/** Returns the base of a pull request. Throws `PULL_REQUEST_BASE_UNKNOWN`. */
function findBase(planning: PlanningRequests, request: PullRequest): Base {
  const { record, fetched, branches, repository } = planning;
  const source = fetched.bases.get(request.base);
  if (source === undefined) throw unknownBase(planning, request, `the source no longer has the branch ${request.base}`);
  const isImported = record.sourceRef === `refs/heads/${request.base}`;
  const name = isImported ? planning.base : syncBranch(record.package, request.base);
  const target = branches.get(branchRef(name));
  if (target !== undefined) return { name, source, target };
  throw new ToolError({
    code: 'PULL_REQUEST_BASE_UNKNOWN',
    message: `The base of pull request ${request.number} of ${repository} is ${request.base}, which was not imported: the monorepo has no branch ${name}.`,
    hint: `Import that branch first, and push it: migrate-repo sync ${record.package} --source-branch ${shellWord(request.base)}`,
    data: { number: request.number, base: request.base, branch: name },
  });
}

function unreadable({ repository }: PlanningRequests, { number }: PullRequest): ToolError {
  return new ToolError({
    code: 'PULL_REQUEST_UNREADABLE',
    message: `${repository} does not provide the commits of pull request ${number}.`,
    hint: `"git ls-remote <address> refs/pull/${number}/head" must list it. If the source is only a mirror, name the original repository with --from.`,
    data: { number },
  });
}

function unknownBase({ repository, record }: PlanningRequests, { number, base }: PullRequest, why: string): ToolError {
  return new ToolError({
    code: 'PULL_REQUEST_BASE_UNKNOWN',
    message: `Pull request ${number} of ${repository} has no base in the monorepo: ${why}.`,
    hint: `In the source, rebase it onto ${record.sourceRef.replace(/^refs\/heads\//, '')}, and make that branch its base. Or close it.`,
    data: { number, base },
  });
}

function notImported({ repository, record }: PlanningRequests, { number, base }: PullRequest, count: number): ToolError {
  return new ToolError({
    code: 'PULL_REQUEST_NOT_IMPORTED',
    message: `Pull request ${number} of ${repository} has ${count === 1 ? '1 commit' : `${count} commits`} of ${base} that the monorepo lacks.`,
    hint: `Import them first, merge and push: migrate-repo sync ${record.package}`,
    data: { number, base, commits: count },
  });
}

function changed({ repository }: PlanningRequests, { number }: PullRequest, flaw: string): ToolError {
  return new ToolError({
    code: 'PULL_REQUEST_CHANGED',
    message: `Pull request ${number} of ${repository} changed when it was rewritten: ${flaw}. It was not pushed.`,
    hint: 'This is a bug in migrate-repo or a disk fault; please report it with the address of the repository.',
    data: { number },
  });
}

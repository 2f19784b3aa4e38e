import { type Git, plumbing } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import { branchRef, type ObjectId, shortRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { parseAbsolutePath } from '@tributary/model/paths';
import type { PullRequest, PullRequestHost } from '@tributary/model/pull-request-host';
import { parseRepoUrl, type RepoUrl } from '@tributary/model/repo-url';
import { between } from '@tributary/model/time';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import { type CommitMap, rewriteHistory } from '../history/rewrite.js';
import { listHistory } from '../history/source-history.js';
import { forgeToken, openPullRequestHost, requireToken } from '../io/open-forge.js';
import { announceBranches, fetchMissing, type OwnRemote, openRemote, remoteAddress } from '../io/own-remote.js';
import { type FetchedRequests, fetchPullRequests } from '../io/pull-request-source.js';
import { type StagingArea, withStagingArea } from '../io/staging-area.js';
import type { LocalRepository } from '../io/target.js';
import { type HostedRepositoryName, requireHosted } from '../plan/hosted-repository.js';
import { retellPullRequest } from '../plan/pull-request-text.js';
import type { PullRequestResult, PullRequestsResult } from '../result/pull-requests-result.js';
import { branchOf, isOfFork, type PlannedPullRequest, planRequests, type UnplannedRequest } from './pull-request-plan.js';
import { type WritingRequests, writeRequest } from './pull-request-writer.js';
import type { PullRequestsRequest } from './pull-requests-request.js';
import { openInOrder } from './put-in-order.js';
import { objectsOf } from './scratch-branch.js';
import { readChain } from './sync-chain.js';

/**
 * Brings the open pull requests of a source into the monorepo. Rewrites their branches by the map of the import, pushes
 * them to the monorepo's remote, and opens them there. A failed one has state `failed` in the result and does not stop
 * the others. The clone is not changed. Throws a `ToolError` if none can be brought; then nothing is written.
 */
export async function bringPullRequests(request: PullRequestsRequest, services: Services): Promise<PullRequestsResult> {
  const started = services.clock();
  const progress = services.ui.progress();
  progress.phase('Reading the monorepo');
  const token = request.extent === 'all' ? requireToken() : forgeToken();
  const repository = await openInOrder(request.into, services);
  const [{ record }] = await readChain(repository, request.name);
  refuseJoined(record);
  const sourceUrl = request.from ?? parseRepoUrl(record.source, (path) => parseAbsolutePath(path));
  const remoteUrl = await remoteAddress(repository, request.remote);
  const places = { source: requireHosted(sourceUrl, '--from'), target: requireHosted(remoteUrl, '--remote') };
  const hosts = await openHosts(places, { token, services, progress });
  const bringing = { request, services, progress, repository, record, sourceUrl, remoteUrl, places, ...hosts };
  const pullRequests = await withStagingArea(repository, (stagingArea) => bringIn(stagingArea, bringing));
  progress.done();
  return {
    schemaVersion: 1,
    state: request.extent === 'all' ? 'done' : 'planned',
    name: request.name,
    path: record.path,
    source: hosts.source.repository,
    target: hosts.target.repository,
    remote: request.remote,
    pullRequests,
    milliseconds: between(started, services.clock()),
  };
}

/** The repositories on the forge. */
interface Hosts {
  readonly source: PullRequestHost;
  readonly target: PullRequestHost;
}

interface Bringing extends Hosts {
  readonly request: PullRequestsRequest;
  readonly services: Services;
  readonly progress: Progress;
  readonly repository: LocalRepository;
  readonly record: ImportRecord;
  readonly sourceUrl: RepoUrl;
  readonly remoteUrl: RepoUrl;
  readonly places: { readonly source: HostedRepositoryName; readonly target: HostedRepositoryName };
}

/** Opens the hosts. The token is for the monorepo's host, and is sent to no other. */
async function openHosts(
  { source, target }: Bringing['places'],
  { token, services, progress }: Pick<Bringing, 'services' | 'progress'> & { readonly token: string | undefined },
): Promise<Hosts> {
  const onPause = (seconds: number): void => progress.phase(`Waiting ${Math.ceil(seconds / 60)} min for GitHub`);
  const access = { signal: services.signal, onPause };
  return {
    source: await openPullRequestHost(source, { ...access, token: source.apiUrl === target.apiUrl ? token : undefined }),
    target: await openPullRequestHost(target, { ...access, token }),
  };
}

async function bringIn(stagingArea: StagingArea, bringing: Bringing): Promise<readonly PullRequestResult[]> {
  const { source, target, request, repository, record, progress, services } = bringing;
  progress.phase('Reading pull requests');
  const listed = await source.listOpen();
  const isLeftOut = (one: PullRequest): boolean => request.forks === 'leave out' && isOfFork(source, one);
  const requests = listed.filter((one) => !isLeftOut(one));
  const leftOut = listed.filter(isLeftOut).map((one) => leftOutOf(record, one));
  const { defaultBranch } = await target.readRepository();
  const base = request.base ?? defaultBranch;
  const scratches = [stagingArea.newScratch('source'), stagingArea.newScratch('remote')] as const;
  const objects = scratches.map(objectsOf);
  const remote = await openRemote(repository, { name: request.remote, url: bringing.remoteUrl, objects, signal: services.signal });
  const branches = await announceBranches(remote);
  await fetchMissing(repository.git, remote, { branches, wanted: branchesOf(bringing, requests, base) });
  const view = plumbing(repository.gitDir, { signal: services.signal, alternates: objects });
  await refuseWithoutImport(view, branches.get(branchRef(base)), { record, base, remote });
  if (requests.length === 0) return leftOut;
  progress.phase('Fetching and rewriting', 1);
  const fetched = await fetchRequests(bringing, requests, scratches[0]);
  const map = await rewriteRequests(bringing, fetched);
  const { format } = repository;
  const planned = await planRequests({
    record,
    format,
    fetched,
    map,
    view,
    branches,
    base,
    repository: source.repository,
    requests,
  });
  progress.phase('Opening pull requests', planned.length);
  const written = await writeAll(planned, writingOf(bringing, { remote, branches, map, view }), bringing);
  return [...written, ...leftOut].sort((a, b) => a.number - b.number);
}

/** Returns whether a branch of the remote is needed: bases, and branches that an earlier run pushed. */
function branchesOf({ record }: Bringing, requests: readonly PullRequest[], base: string): (ref: string) => boolean {
  const own = new Set<string>([branchRef(base), ...requests.map(({ number }) => branchOf(record, number))]);
  return (ref) => own.has(ref) || /^refs\/heads\/(?:sync|releases?)\//.test(ref);
}

/** Throws `IMPORT_NOT_PUSHED` if the remote lacks the import: pull requests would bring the whole history. */
async function refuseWithoutImport(
  view: Git,
  tip: ObjectId | undefined,
  { record, base, remote }: { readonly record: ImportRecord; readonly base: string; readonly remote: OwnRemote },
): Promise<void> {
  if (tip !== undefined && (await view.attempt(['merge-base', '--is-ancestor', record.importedTip, tip])).exit === 0) return;
  throw new ToolError({
    code: 'IMPORT_NOT_PUSHED',
    message:
      tip === undefined
        ? `The remote ${remote.name} has no branch ${base}.`
        : `${base} of ${remote.name} does not contain the last import of ${record.package}, so a pull request would contain its whole history.`,
    hint:
      tip === undefined
        ? 'Name the target branch of the pull requests with --base.'
        : 'Merge the import with a merge commit and push it. Or name another branch with --base.',
    data: { name: record.package, base, importedTip: record.importedTip },
  });
}

function fetchRequests(
  { repository, sourceUrl: url, services: { signal }, progress, record, request }: Bringing,
  requests: readonly PullRequest[],
  scratch: ReturnType<StagingArea['newScratch']>,
): Promise<FetchedRequests> {
  const onFetch = (stage: string, percent: number): void => progress.step(`${request.name}: ${stage.toLowerCase()} ${percent} %`, 0);
  return fetchPullRequests(repository, { url, scratch, signal, onFetch }, { requests, ref: record.sourceRef });
}

/**
 * Rewrites all commits that the pull requests reach by the map of the import. Throws `PROOF_FAILED` if the imported
 * commits would get other ids.
 */
async function rewriteRequests({ record, repository: { format } }: Bringing, { git, heads, bases }: FetchedRequests): Promise<CommitMap> {
  const commits = await listHistory(git, [...heads.values(), ...bases.values()]);
  const { path, subdirectory, messages } = record;
  const { map } = await rewriteHistory(git, { format, path, subdirectory, messages }, { commits, tags: [] });
  const again = map.get(record.sourceCommit) ?? record.importedTip;
  if (again === record.importedTip) return map;
  throw new ToolError({
    code: 'PROOF_FAILED',
    message: `Rewriting ${record.sourceCommit} again gives ${again} instead of the imported ${record.importedTip}. Nothing was pushed.`,
    hint: `"migrate-repo verify ${record.package} --refetch" compares the import with the source.`,
    data: { name: record.package, again, recorded: record.importedTip },
  });
}

function writingOf(
  { request, source, target, record, places }: Bringing,
  what: Pick<WritingRequests, 'remote' | 'branches'> & { readonly map: CommitMap; readonly view: Git },
): WritingRequests {
  const { map, view, ...rest } = what;
  const newId = quotedIn(map);
  const context = { repository: source.repository, owner: places.target.owner, name: record.package, newId };
  return {
    ...rest,
    extent: request.extent,
    target,
    retell: ({ request: one, tip }) => retellPullRequest(one, { ...context, tip }),
    reaches: async (from, wanted) => (await view.attempt(['merge-base', '--is-ancestor', wanted, from])).exit === 0,
  };
}

/** Returns new ids for quoted commit ids. An ambiguous id is unchanged. */
function quotedIn(map: CommitMap): (quoted: string) => string | undefined {
  const sources = [...map.keys()].sort();
  return (quoted) => {
    const [one, ...others] = sources.filter((id) => id.startsWith(quoted));
    return one === undefined || others.length > 0 ? undefined : map.get(one)?.slice(0, quoted.length);
  };
}

/** Writes all pull requests, in order. */
async function writeAll(
  planned: readonly (PlannedPullRequest | UnplannedRequest)[],
  writing: WritingRequests,
  { record, services, progress }: Bringing,
): Promise<readonly PullRequestResult[]> {
  const results: PullRequestResult[] = [];
  for (const one of planned) {
    services.signal.throwIfAborted();
    progress.step(`pull request ${one.request.number}`);
    results.push('failure' in one ? failedOf(record, one) : await written(writing, one));
  }
  return results;
}

async function written(writing: WritingRequests, planned: PlannedPullRequest): Promise<PullRequestResult> {
  const { request, branch, base, head, tip, commits } = planned;
  return { ...described(request, shortRef(branch)), base, head, tip, commits, ...(await writeRequest(writing, planned)) };
}

function failedOf(record: ImportRecord, { request, failure }: UnplannedRequest): PullRequestResult {
  const { code, message, hint = null } = failure;
  const own = described(request, shortRef(branchOf(record, request.number)));
  return { ...own, ...NOTHING, notes: [], state: 'failed', failure: { code, message, hint } };
}

function leftOutOf(record: ImportRecord, request: PullRequest): PullRequestResult {
  const own = described(request, shortRef(branchOf(record, request.number)));
  return { ...own, ...NOTHING, notes: ['It comes from a fork.'], state: 'left out', failure: null };
}

const NOTHING = { base: null, head: null, tip: null, commits: 0, target: null, calls: [] };

type Described = Pick<PullRequestResult, 'number' | 'url' | 'title' | 'author' | 'draft' | 'branch'>;

function described({ number, url, title, author, draft }: PullRequest, branch: string): Described {
  return { number, url, title, author: author ?? null, draft, branch };
}

/** Throws `IMPORT_NOT_REWRITTEN` for `--strategy merge`. */
function refuseJoined({ package: name, strategy, path }: ImportRecord): void {
  if (strategy === 'rewrite') return;
  throw new ToolError({
    code: 'IMPORT_NOT_REWRITTEN',
    message: `${name} was imported with --strategy merge: its commits keep their ids and are not under ${path}, so no pull request can build on them.`,
    hint: `Merge the pull requests in the source, then import them with "migrate-repo sync ${name}".`,
    data: { name },
  });
}

import { ToolError } from '@tributary/model/errors';
import { branchRef, type ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { PullRequestHost } from '@tributary/model/pull-request-host';
import type { RepoUrl } from '@tributary/model/repo-url';
import type { Services } from '@tributary/terminal/main';
import { forgeToken, openPullRequestHost, requireToken } from '../io/open-forge.js';
import { announceBranches, openRemote, remoteAddress } from '../io/own-remote.js';
import { type LocalRepository, openRepository } from '../io/target.js';
import { type HostedRepositoryName, requireHosted } from '../plan/hosted-repository.js';

/** The options for a pull request. */
export interface ProposalOptions {
  /** The remote of the monorepo: `origin`. */
  readonly remote: string;
  /** The branch to merge into; `undefined`: the default branch. */
  readonly base: string | undefined;
}

export interface ProposalRequest extends ProposalOptions {
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  readonly extent: 'all' | 'plan only';
}

/** A repository to which a branch can be pushed and proposed. */
export interface ReadyProposal {
  readonly request: ProposalRequest;
  readonly repository: LocalRepository;
  readonly url: RepoUrl;
  readonly place: HostedRepositoryName;
  readonly host: PullRequestHost;
  readonly base: string;
  /** The base's last commit on the remote. This clone may lack it. */
  readonly baseTip: ObjectId;
  /** What could not be checked beforehand. */
  readonly notes: readonly string[];
}

/**
 * Checks beforehand whether a pull request can be opened and merged. Throws `USAGE`, `MERGE_COMMITS_REFUSED`,
 * `REMOTE_UNREACHABLE`, and as the forge.
 */
export async function prepareProposal(request: ProposalRequest, services: Services): Promise<ReadyProposal> {
  const progress = services.ui.progress();
  progress.phase('Asking for the monorepo on its remote');
  const token = request.extent === 'all' ? requireToken() : forgeToken();
  const repository = await openRepository(request.into, services.signal);
  const url = await remoteAddress(repository, request.remote);
  const place = requireHosted(url, '--remote');
  const onPause = (seconds: number): void => progress.phase(`Waiting ${Math.ceil(seconds / 60)} min for GitHub`);
  const host = await openPullRequestHost(place, { token, signal: services.signal, onPause });
  const { defaultBranch, mergeCommits, parent } = await host.readRepository();
  if (mergeCommits === 'refused') throw refused(host.repository);
  const base = request.base ?? defaultBranch;
  const remote = await openRemote(repository, { name: request.remote, url, objects: [], signal: services.signal });
  const baseTip = (await announceBranches(remote)).get(branchRef(base));
  if (baseTip === undefined) throw noBase(request.remote, base);
  const rules = await host.readBranchRules(base);
  if (rules.mergeCommits === 'refused') throw refusedByRule(host.repository, base, rules.why);
  progress.done();
  const notes = [
    ...(mergeCommits === 'unknown'
      ? [`It is unknown whether ${host.repository} allows merge commits: the token cannot read that setting. Check it before you merge.`]
      : []),
    ...(rules.mergeCommits === 'unknown'
      ? [
          `It is unknown whether ${base} of ${host.repository} requires a linear history: the token cannot read its protection. Check it before you merge.`,
        ]
      : []),
    ...(parent === undefined ? [] : [forkNote(host.repository, parent, request.remote)]),
  ];
  return { request, repository, url, place, host, base, baseTip, notes };
}

/** Returns a note about a fork. A pull request is never opened in a repository that the user has not named. */
function forkNote(repository: string, parent: string, remote: string): string {
  return `The remote ${remote} is ${repository}, a fork of ${parent}. The pull request is opened in the fork. To open it in ${parent}, name a remote of ${parent} with --remote.`;
}

function refusedByRule(repository: string, base: string, why: string): ToolError {
  return new ToolError({
    code: 'MERGE_COMMITS_REFUSED',
    message: `${base} of ${repository} does not allow merge commits: ${why}. Its pull requests can only be squashed or rebased, which destroys the history.`,
    hint: `Change that rule in the settings of ${repository}, at least until the merge, or name another branch with --base, or leave out --pull-request.`,
    data: { repository, base },
  });
}

function refused(repository: string): ToolError {
  return new ToolError({
    code: 'MERGE_COMMITS_REFUSED',
    message: `${repository} does not allow merge commits, so its pull requests can only be squashed or rebased, which destroys the history.`,
    hint: `Enable "Allow merge commits" in the settings of ${repository}, at least until the merge, or leave out --pull-request.`,
    data: { repository },
  });
}

function noBase(remote: string, base: string): ToolError {
  return new ToolError({
    code: 'USAGE',
    message: `The remote ${remote} has no branch ${base} to merge into.`,
    hint: 'Push it first, or name another branch with --base.',
  });
}

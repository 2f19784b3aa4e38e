import type { PullRequestHost } from '@tributary/model/pull-request-host';
import { readBranchRules } from './branch-rules.js';
import { createGitHub, type GitHubOptions, type RepositoryName } from './client.js';
import { listOfBranch, listOpen, openPullRequest, readRepository, updatePullRequest } from './pull-requests.js';

/**
 * Returns access to a repository's pull requests on GitHub or GitHub Enterprise Server. Sends nothing before the first request. Throws
 * `USAGE` like `createGitHub`.
 */
export function openPullRequests({ owner, repo, ...options }: RepositoryName & GitHubOptions): PullRequestHost {
  const github = createGitHub(options);
  const repository = { owner, repo };
  return {
    name: 'GitHub',
    repository: `${owner}/${repo}`,
    readRepository: () => readRepository(github, repository),
    readBranchRules: (branch) => readBranchRules(github, repository, branch),
    listOpen: () => listOpen(github, repository),
    listOfBranch: (branch) => listOfBranch(github, repository, branch),
    open: (request) => openPullRequest(github, repository, request),
    update: (number, text) => updatePullRequest(github, repository, { number, ...text }),
  };
}

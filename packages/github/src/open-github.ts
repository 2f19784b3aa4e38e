import type { Forge } from '@tributary/model/forge';
import { createGitHub, type GitHubOptions, type RepositoryName } from './client.js';
import { writeComment } from './comment.js';
import { readDeployments } from './deployments.js';
import { findLastPassingCommit } from './last-passing.js';
import { readMergedPullRequests } from './merged-pull-requests.js';
import { readPullRequestFiles } from './pull-request.js';
import { readReleases } from './releases.js';
import { readJobs, readRunsOf, readWorkflowRuns } from './workflow-runs.js';

/**
 * Returns a repository on GitHub or GitHub Enterprise Server. Sends nothing before the first request. Throws `USAGE` like `createGitHub`.
 */
export function openGitHub({ owner, repo, ...options }: RepositoryName & GitHubOptions): Forge {
  const github = createGitHub(options);
  const repository = { owner, repo };
  return {
    name: 'GitHub',
    repository: `${owner}/${repo}`,
    readPullRequestFiles: (number) => readPullRequestFiles(github, repository, number),
    findLastPassingCommit: (asked) => findLastPassingCommit(github, repository, asked),
    readMergedPullRequests: (asked) => readMergedPullRequests(github, repository, asked),
    readReleases: (etag) => readReleases(github, repository, etag),
    readDeployments: (environment) => readDeployments(github, repository, environment),
    readCiRuns: (asked) => readWorkflowRuns(github, repository, asked),
    readCiRunsOf: (commit) => readRunsOf(github, repository, commit),
    readCiJobs: (run) => readJobs(github, repository, run),
    writeComment: (comment) => writeComment(github, repository, comment),
  };
}

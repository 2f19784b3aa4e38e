import { createGitHub } from '@tributary/github/client';
import { findLastPassingCommit } from '@tributary/github/last-passing';
import { type PullRequestFiles, readPullRequestFiles } from '@tributary/github/pull-request';
import type { CommitId } from '@tributary/model/ids';

/** A repository on GitHub or GitHub Enterprise. */
interface Repository {
  readonly apiUrl: string;
  readonly owner: string;
  readonly repo: string;
}

interface Access {
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** Throws `GITHUB_UNREACHABLE`, `GITHUB_REFUSED`. */
export function lastPassing(asked: Repository & { branch: string; workflow: string }, access: Access): Promise<CommitId | undefined> {
  return findLastPassingCommit(createGitHub({ apiUrl: asked.apiUrl, ...access }), asked);
}

/** Throws `GITHUB_UNREACHABLE`, `GITHUB_REFUSED`. */
export function pullRequestFiles(asked: Repository & { number: number }, access: Access): Promise<PullRequestFiles> {
  return readPullRequestFiles(createGitHub({ apiUrl: asked.apiUrl, ...access }), asked);
}

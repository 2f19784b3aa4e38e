import type { CommitId } from '@tributary/model/ids';

/** What a CI engine says about the change under test. None of it is verified with git. */
export interface CiChange {
  readonly event: 'pull request' | 'merge queue' | 'push' | 'other';
  readonly base: CiBase;
  /**
   * The commit under test: HEAD, unless the job checked out something else; `null` if the engine does not tell. For `pull_request_target`
   * it is the head of the pull request, which that event does not check out by itself.
   */
  readonly head: CommitId | null;
  readonly pullRequest: number | null;
  /** The repository for API requests; only for GitHub Actions. */
  readonly repository: CiRepository | null;
}

export interface CiRepository {
  readonly apiUrl: string;
  readonly owner: string;
  readonly repo: string;
}

/**
 * `source` is the variable, or the field of the event, with this information. A `branch` is a name that git allows, without `refs/heads/`.
 */
export type CiBase =
  /** The first parent of HEAD, if HEAD is that commit and has two parents; otherwise the merge base with the target branch. */
  | { readonly kind: 'merge ref'; readonly mergeCommit: CommitId; readonly branch: string }
  /** The merge base with this commit. */
  | { readonly kind: 'commit'; readonly id: CommitId; readonly source: string }
  /** The merge base with the remote's branch. */
  | { readonly kind: 'branch'; readonly name: string; readonly source: string }
  /**
   * The last passing commit of `workflow` on the branch, if the API answers; otherwise `before`. The commit must be an ancestor of the
   * head. Without such a commit, and after a forced push, every workspace must be tested.
   */
  | {
      readonly kind: 'push';
      readonly branch: string;
      /** `null` for the first push of a branch. */
      readonly before: CommitId | null;
      readonly forced: 'yes' | 'no' | 'unknown';
      readonly source: string;
      /** The name of the workflow's file, `ci.yml`; only for GitHub Actions. */
      readonly workflow: string | null;
    }
  /** Every workspace must be tested. `reason` is a sentence without its full stop. */
  | { readonly kind: 'unknown'; readonly reason: string };

import type { CommitId } from '@tributary/model/ids';

/** What a CI engine says about the change under test. Nothing of it has been looked up in git. */
export interface CiChange {
  readonly event: 'pull request' | 'merge queue' | 'push' | 'other';
  readonly base: CiBase;
  /**
   * The commit whose change is asked about: HEAD, unless the job checked out something else. `null` where the engine does not say it.
   * Of `pull_request_target` it is the head of the pull request, which that event does not check out by itself.
   */
  readonly head: CommitId | null;
  readonly pullRequest: number | null;
  /** Where the API can be asked; of GitHub Actions alone. */
  readonly repository: CiRepository | null;
}

export interface CiRepository {
  readonly apiUrl: string;
  readonly owner: string;
  readonly repo: string;
}

/** `source` names the variable, or the field of the event, that said so. A `branch` is a name that git allows, without `refs/heads/`. */
export type CiBase =
  /** The first parent of HEAD, if HEAD really is that commit and it has two parents; else the merge base with the target branch. */
  | { readonly kind: 'merge ref'; readonly mergeCommit: CommitId; readonly branch: string }
  /** The merge base with this commit. */
  | { readonly kind: 'commit'; readonly id: CommitId; readonly source: string }
  /** The merge base with the remote's branch. */
  | { readonly kind: 'branch'; readonly name: string; readonly source: string }
  /**
   * The last passing commit of `workflow` on the branch, if the API answers; else `before`. Only a commit that is an ancestor of the head will
   * do: after a forced push, and where there is neither, everything must be tested.
   */
  | {
      readonly kind: 'push';
      readonly branch: string;
      /** `null` for the first push of a branch. */
      readonly before: CommitId | null;
      readonly forced: 'yes' | 'no' | 'unknown';
      readonly source: string;
      /** The name of the workflow's file, `ci.yml`; of GitHub Actions alone. */
      readonly workflow: string | null;
    }
  /** Everything must be tested. `reason` is one sentence without its full stop. */
  | { readonly kind: 'unknown'; readonly reason: string };

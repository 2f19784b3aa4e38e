import type { AbsolutePath } from '@tributary/model/paths';

/** A request of a person or a CI job. */
export interface AffectedRequest {
  readonly cwd: AbsolutePath;
  /** The base; `undefined`: auto-detected. */
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** A file with paths, `-` for stdin. */
  readonly filesFrom: string | undefined;
  readonly pullRequest: number | undefined;
  /** Whether to include uncommitted and untracked files. */
  readonly uncommitted: 'with' | 'without';
  /** turborepo's task of the answer; without one it counts as `test`. */
  readonly task?: string | undefined;
  /** Whether missing history may be fetched. */
  readonly fetch: 'allowed' | 'never';
}

export interface CheckRequest {
  readonly cwd: AbsolutePath;
  readonly head: string;
  /** A file of `affected trace`, or a folder of such files. */
  readonly observed?: AbsolutePath | undefined;
}

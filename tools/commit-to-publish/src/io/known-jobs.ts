import type { Git } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Progress } from '@tributary/terminal/progress';
import { type KeptLine, keptJobsIn } from '../collect/job-walk.js';
import type { KnownJobs } from '../collect/jobs.js';
import type { Micros } from '../model/event.js';
import { KeptFile } from './kept-file.js';
import type { GitHubSource } from './known-pulls.js';

export interface KnownJobsAsked {
  /** What the repository is called in the record. */
  readonly name: string;
  readonly git: Git;
  /** `undefined`: nobody is asked for jobs this time. */
  readonly github: GitHubSource | undefined;
  /** Where versions were published from, the last one first: what runs there may have published them. */
  readonly published: readonly { readonly commit: CommitId; readonly at: Micros }[];
  readonly record: AbsolutePath;
  readonly since: Micros | undefined;
  readonly now: Micros;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** The jobs of GitHub Actions on the main line, and on the commits that something was published from: what is kept beside the record, and what GitHub says, where it is asked. Throws as `readNewJobs`. */
export async function knownJobs(asked: KnownJobsAsked): Promise<KnownJobs> {
  const { name, github, record, what } = asked;
  const file = new KeptFile<KeptLine>(record, name, 'jobs');
  const kept = keptJobsIn(github !== undefined && what === 'all' ? [] : file.lines());
  if (github === undefined) return { runs: [...kept.runs.values()], underWay: new Set(kept.walked?.underWay) };
  const { readNewJobs } = await import('./read-jobs.js');
  return readNewJobs({ ...asked, github }, { file, kept });
}

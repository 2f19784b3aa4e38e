import type { CiJob, CiRun } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import picomatch from 'picomatch';
import type { Micros } from '../model/event.js';
import type { PlacedPublication } from './releases.js';
import { attemptsOf, type TestJob, type TestTimes } from './test-times.js';

/** A run of a workflow that is over, with its jobs. Plain JSON. */
export interface RunJobs extends Pick<CiRun, 'id' | 'attempt' | 'commit' | 'workflow'> {
  /** `main line`: a push to the branch started it; `commit`: it was found on a commit that something was published from. */
  readonly found: 'main line' | 'commit';
  readonly jobs: readonly RunJob[];
}

export interface RunJob extends TestTimes {
  readonly name: string;
}

/** What of jobs is asked for. */
export interface KnownJobs {
  readonly runs: readonly RunJobs[];
  /** Commits with runs that are not over. */
  readonly underWay: ReadonlySet<CommitId>;
}

/** Without jobs that have not begun, such as one that was cancelled before. */
export function runJobsOf(run: CiRun, jobs: readonly CiJob[], found: RunJobs['found']): RunJobs {
  const { id, attempt, commit, workflow } = run;
  const begun = jobs.flatMap(({ name, attempt: nth, startedAt, completedAt, conclusion }): RunJob[] => {
    if (startedAt === undefined || completedAt === undefined || conclusion === undefined) return [];
    const times = { attempt: nth, startedAt, endedAt: Math.max(startedAt, completedAt) as Instant };
    return [{ name, ...times, outcome: conclusion, confidence: 'exact' }];
  });
  return { id, attempt, commit, workflow, found, jobs: begun };
}

/** Whether a job publishes, by its name or that of its workflow. */
type IsPublishing = (workflow: string, job: string) => boolean;

export function publishingBy(globs: readonly string[]): IsPublishing {
  // Of names, not of paths: a star is anything.
  const matches = picomatch([...globs], { nocase: true, bash: true, dot: true });
  return (workflow, job) => matches(workflow) || matches(job);
}

/** The tests that commits of the main line had there: what no job of theirs publishes. None for a commit where some are under way. */
export function testsAfterMerge({ runs, underWay }: KnownJobs, isPublishing: IsPublishing): ReadonlyMap<CommitId, readonly TestTimes[]> {
  const byCommit = new Map<CommitId, TestJob[]>();
  for (const { commit, workflow, found, jobs } of runs) {
    const tests = found === 'commit' ? [] : jobs.filter(({ name, outcome }) => !isPublishing(workflow, name) && outcome !== 'skipped');
    if (tests.length > 0 && !underWay.has(commit)) byCommit.set(commit, [...(byCommit.get(commit) ?? []), ...tests]);
  }
  return new Map([...byCommit].map(([commit, tests]) => [commit, attemptsOf(tests)]));
}

/** The attempts to publish from a commit: of each run its own, by their end. */
export function publishingOn({ runs }: KnownJobs, isPublishing: IsPublishing): ReadonlyMap<CommitId, readonly TestTimes[]> {
  const byCommit = new Map<CommitId, TestTimes[]>();
  for (const { commit, workflow, jobs } of runs) {
    const own = jobs.filter(({ name, outcome }) => isPublishing(workflow, name) && outcome !== 'skipped');
    byCommit.set(commit, [...(byCommit.get(commit) ?? []), ...attemptsOf(own)]);
  }
  for (const attempts of byCommit.values()) attempts.sort((a, b) => a.endedAt - b.endedAt);
  return byCommit;
}

/** Clocks differ, and a tag may be pushed by the last step. */
const TOLERANCE = 60e6;

/**
 * A version with the job that published it from its commit: the first that succeeded and did not end before. A job that writes the version down itself ran on the commit before, and was under way then. It says when
 * that began, and, where the time stands for something else, when it ended; what failed before it are attempts. What the registry or the forge say exactly stays.
 */
export function withJobs(
  publication: PlacedPublication,
  { publishing, before }: { readonly publishing: ReadonlyMap<CommitId, readonly TestTimes[]>; readonly before: CommitId | undefined },
): PlacedPublication {
  if (publication.outlet === 'deployment') return publication;
  const { at, commit } = publication;
  const isPossible = ({ outcome, endedAt }: TestTimes): boolean => outcome === 'success' && endedAt * 1000 >= at - TOLERANCE;
  const isUnderWay = (job: TestTimes): boolean => isPossible(job) && job.startedAt * 1000 <= at;
  const own = upTo(publishing.get(commit) ?? [], isPossible);
  const { job, failed } = own.job === undefined && before !== undefined ? upTo(publishing.get(before) ?? [], isUnderWay) : own;
  if (job === undefined) return publication;
  const [begun, ended] = [(job.startedAt * 1000) as Micros, (job.endedAt * 1000) as Micros];
  if (publication.confidence === 'derived') return { ...publication, begun, at: ended, source: 'api', confidence: 'exact', failed };
  return begun <= at ? { ...publication, begun, failed } : publication;
}

function upTo(
  attempts: readonly TestTimes[],
  test: (attempt: TestTimes) => boolean,
): { readonly job: TestTimes | undefined; readonly failed: readonly TestTimes[] } {
  const place = attempts.findIndex(test);
  return { job: attempts[place], failed: attempts.slice(0, Math.max(0, place)).filter(({ outcome }) => outcome !== 'success') };
}

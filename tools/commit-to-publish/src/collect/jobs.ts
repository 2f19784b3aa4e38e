import type { CiJob, CiRun } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import type { Micros } from '../model/event.js';
import { globTest } from './glob-test.js';
import type { PlacedPublication } from './releases.js';
import { attemptsOf, type TestJob, type TestTimes } from './test-times.js';

/** A completed run of a workflow with its jobs, as plain JSON. */
export interface RunJobs extends Pick<CiRun, 'id' | 'attempt' | 'commit' | 'workflow'> {
  /** `main line`: a push to the branch started it; `commit`: it was found on a commit that something was published from. */
  readonly found: 'main line' | 'commit';
  readonly jobs: readonly RunJob[];
}

export interface RunJob extends TestTimes {
  readonly name: string;
}

/** The known jobs of the commits in question. */
export interface KnownJobs {
  readonly runs: readonly RunJobs[];
  /** Commits with runs that are not complete. */
  readonly underWay: ReadonlySet<CommitId>;
}

/** Omits jobs that never began, for example because they were cancelled. */
export function runJobsOf(run: CiRun, jobs: readonly CiJob[], found: RunJobs['found']): RunJobs {
  const { id, attempt, commit, workflow } = run;
  const begun = jobs.flatMap(({ name, attempt: nth, startedAt, completedAt, conclusion }): RunJob[] => {
    if (startedAt === undefined || completedAt === undefined || conclusion === undefined) return [];
    const times = { attempt: nth, startedAt, endedAt: Math.max(startedAt, completedAt) as Instant };
    return [{ name, ...times, outcome: conclusion, confidence: 'exact' }];
  });
  return { id, attempt, commit, workflow, found, jobs: begun };
}

/** Tells whether a job publishes, by its name or that of its workflow. */
type IsPublishing = (workflow: string, job: string) => boolean;

export function publishingBy(globs: readonly string[]): IsPublishing {
  const matches = globTest(globs, { nocase: true, bash: true, dot: true });
  return (workflow, job) => matches(workflow) || matches(job);
}

/** Returns the tests of commits on the main line: all jobs there that do not publish. None for a commit with runs under way. */
export function testsAfterMerge({ runs, underWay }: KnownJobs, isPublishing: IsPublishing): ReadonlyMap<CommitId, readonly TestTimes[]> {
  const byCommit = new Map<CommitId, TestJob[]>();
  for (const { commit, workflow, found, jobs } of runs) {
    const tests = found === 'commit' ? [] : jobs.filter(({ name, outcome }) => !isPublishing(workflow, name) && outcome !== 'skipped');
    if (tests.length > 0 && !underWay.has(commit)) byCommit.set(commit, [...(byCommit.get(commit) ?? []), ...tests]);
  }
  return new Map([...byCommit].map(([commit, tests]) => [commit, attemptsOf(tests)]));
}

/** Returns the attempts to publish from a commit, sorted by end. Each run has its own attempts. */
export function publishingOn({ runs }: KnownJobs, isPublishing: IsPublishing): ReadonlyMap<CommitId, readonly TestTimes[]> {
  const byCommit = new Map<CommitId, TestTimes[]>();
  for (const { commit, workflow, jobs } of runs) {
    const own = jobs.filter(({ name, outcome }) => isPublishing(workflow, name) && outcome !== 'skipped');
    byCommit.set(commit, [...(byCommit.get(commit) ?? []), ...attemptsOf(own)]);
  }
  for (const attempts of byCommit.values()) attempts.sort((a, b) => a.endedAt - b.endedAt);
  return byCommit;
}

/** In microseconds: clocks differ, and the last step of a job may push the tag. */
const TOLERANCE = 60e6;

/**
 * Returns a version with the times of the job that published it.
 * That is the first successful job of its commit that did not end before the publication. A job that commits the version itself ran on the
 * commit before, and was under way then. The job gives the start and, if the time of the publication is derived, its end. Failed jobs
 * before it are attempts. An exact time from the registry or the forge stays.
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
  if (publication.confidence !== 'exact') return { ...publication, begun, at: ended, source: 'api', confidence: 'exact', failed };
  return begun <= at ? { ...publication, begun, failed } : publication;
}

function upTo(
  attempts: readonly TestTimes[],
  test: (attempt: TestTimes) => boolean,
): { readonly job: TestTimes | undefined; readonly failed: readonly TestTimes[] } {
  const position = attempts.findIndex(test);
  return { job: attempts[position], failed: attempts.slice(0, Math.max(0, position)).filter(({ outcome }) => outcome !== 'success') };
}

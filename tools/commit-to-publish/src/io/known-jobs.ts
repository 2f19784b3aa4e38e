import type { Git } from '@tributary/git/git';
import type { CiRun, CiRunsAsked, Forge } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Instant } from '@tributary/model/time';
import type { Progress } from '@tributary/terminal/progress';
import { type KeptJobs, type KeptLine, keptJobsIn, nextLook } from '../collect/job-walk.js';
import { type KnownJobs, type RunJobs, runJobsOf } from '../collect/jobs.js';
import type { Micros } from '../model/event.js';
import { KeptFile } from './kept-file.js';
import { branchOf } from './known-pulls.js';

export interface KnownJobsAsked {
  /** The name of the repository in the record. */
  readonly name: string;
  readonly git: Git;
  /** `undefined`: this collection does not request jobs. */
  readonly forge: Forge | undefined;
  /** `undefined`: the main branch of the clone. */
  readonly branch: string | undefined;
  /** The commits that versions were published from, the last one first: jobs there may have published them. */
  readonly published: readonly { readonly commit: CommitId; readonly at: Micros }[];
  readonly record: AbsolutePath;
  readonly since: Micros | undefined;
  readonly now: Micros;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly progress: Progress;
}

/**
 * Returns the CI jobs on the main line and on commits that something was published from: the kept ones and, if `forge` is given, those it
 * reports. Throws the errors of `Forge`, and `USAGE`.
 */
export async function knownJobs(asked: KnownJobsAsked): Promise<KnownJobs> {
  const { name, forge, record, what } = asked;
  const file = new KeptFile<KeptLine>(record, name, 'jobs');
  const kept = keptJobsIn(forge !== undefined && what === 'all' ? [] : file.lines());
  if (forge === undefined) return { runs: [...kept.runs.values()], underWay: new Set(kept.walked?.underWay) };
  return readNewJobs(forge, asked, { file, kept });
}

/** Returns the kept jobs and newer ones, at the cost of a request per run. Every run is on disk before the next request. */
async function readNewJobs(
  forge: Forge,
  asked: KnownJobsAsked,
  { file, kept }: { readonly file: KeptFile<KeptLine>; readonly kept: KeptJobs },
): Promise<KnownJobs> {
  const { git, published, progress } = asked;
  progress.phase(`Asking ${forge.name} for the jobs of ${forge.repository}`);
  const branch = asked.branch ?? (await branchOf(git));
  const [runs, underWay] = [new Map(kept.runs), new Set<CommitId>()];
  const [now, since] = [inSeconds(asked.now), asked.since === undefined ? undefined : inSeconds(asked.since)];
  const from = nextLook(kept, { now, since });
  const keep = (line: KeptLine): void => {
    if (asked.doing === 'record') file.append(line);
    if ('run' in line) runs.set(line.run.id, line.run);
  };
  if (asked.doing === 'record') file.open();
  try {
    for await (const { run, found } of listRuns(forge, { branch, since: from, until: now }, published)) {
      progress.step('');
      const known = runs.get(run.id);
      if (run.conclusion === undefined) underWay.add(run.commit);
      else if (known?.attempt !== run.attempt)
        keep({ schemaVersion: 1, run: runJobsOf(run, await forge.readCiJobs(run.id), known?.found ?? found) });
    }
    keep({ schemaVersion: 1, walked: { since: from, until: now, underWay: [...underWay] } });
  } finally {
    file.close();
  }
  return { runs: [...runs.values()], underWay };
}

interface FoundRun {
  readonly run: CiRun;
  readonly found: RunJobs['found'];
}

async function* listRuns(forge: Forge, asked: CiRunsAsked, published: KnownJobsAsked['published']): AsyncGenerator<FoundRun> {
  const seen = new Set<number>();
  for await (const page of forge.readCiRuns(asked)) {
    for (const run of page) {
      seen.add(run.id);
      yield { run, found: 'main line' };
    }
  }
  const commits = new Set(published.flatMap(({ commit, at }) => (at / 1000 >= asked.since ? [commit] : [])));
  for (const commit of commits) for (const run of await forge.readCiRunsOf(commit)) if (!seen.has(run.id)) yield { run, found: 'commit' };
}

/** Forges accept whole seconds only. */
function inSeconds(time: Micros): Instant {
  return (Math.floor(time / 1e6) * 1000) as Instant;
}

import type { Git } from '@tributary/git/git';
import type { GitHub } from '@tributary/github/client';
import { readJobs, readRunsOf, readWorkflowRuns, type WorkflowRunFacts } from '@tributary/github/workflow-runs';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Instant } from '@tributary/model/time';
import type { Progress } from '@tributary/terminal/progress';
import { type KeptJobs, type KeptLine, nextLook } from '../collect/job-walk.js';
import { type KnownJobs, type RunJobs, runJobsOf } from '../collect/jobs.js';
import type { Micros } from '../model/event.js';
import type { KeptFile } from './kept-file.js';
import { branchOf, type GitHubSource } from './known-pulls.js';
import { onPauseOf } from './on-pause.js';
import { openGitHub } from './open-github.js';

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

export interface JobsAsked extends KnownJobsAsked {
  readonly github: GitHubSource;
}

/**
 * The jobs that are kept, and those that are new since then, which costs a request for each run. Every run is on the disk before the next one is asked for. Throws as `GitHub.call`, and `USAGE`.
 */
export async function readNewJobs(
  asked: JobsAsked,
  { file, kept }: { readonly file: KeptFile<KeptLine>; readonly kept: KeptJobs },
): Promise<KnownJobs> {
  const question = await questionOf(asked);
  const [runs, underWay] = [new Map(kept.runs), new Set<CommitId>()];
  const [now, since] = [inSeconds(asked.now), asked.since === undefined ? undefined : inSeconds(asked.since)];
  const from = nextLook(kept, { now, since });
  const keep = (line: KeptLine): void => {
    if (asked.doing === 'record') file.append(line);
    if ('run' in line) runs.set(line.run.id, line.run);
  };
  if (asked.doing === 'record') file.open();
  try {
    for await (const { run, found } of listRuns(question, { from, until: now, published: asked.published })) {
      const known = runs.get(run.id);
      if (run.conclusion === undefined) underWay.add(run.commit);
      else if (known?.attempt !== run.attempt)
        keep({
          schemaVersion: 1,
          run: runJobsOf(run, await readJobs(question.client, { ...question, run: run.id }), known?.found ?? found),
        });
    }
    keep({ schemaVersion: 1, walked: { since: from, until: now, underWay: [...underWay] } });
  } finally {
    file.close();
  }
  return { runs: [...runs.values()], underWay };
}

interface Question {
  readonly client: GitHub;
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
  readonly onPause: (seconds: number) => void;
  readonly onRun: () => void;
}

async function questionOf({ github: source, git, signal, progress }: JobsAsked): Promise<Question> {
  const { owner, repo } = source;
  progress.phase(`Asking GitHub for the jobs of ${owner}/${repo}`);
  const own = { branch: source.branch ?? (await branchOf(git)), onPause: onPauseOf(progress), onRun: () => progress.step('') };
  return { client: openGitHub({ ...source, signal }), owner, repo, ...own };
}

interface FoundRun {
  readonly run: WorkflowRunFacts;
  readonly found: RunJobs['found'];
}

async function* listRuns(
  { client, onRun, ...question }: Question,
  { from, until, published }: { readonly from: Instant; readonly until: Instant; readonly published: KnownJobsAsked['published'] },
): AsyncGenerator<FoundRun> {
  const seen = new Set<number>();
  for await (const page of readWorkflowRuns(client, { ...question, since: from, until })) {
    for (const run of page) {
      seen.add(run.id);
      onRun();
      yield { run, found: 'main line' };
    }
  }
  const commits = new Set(published.flatMap(({ commit, at }) => (at / 1000 >= from ? [commit] : [])));
  for (const commit of commits)
    for (const run of await readRunsOf(client, { ...question, commit })) if (!seen.has(run.id)) yield { run, found: 'commit' };
}

/** GitHub has no parts of a second. */
function inSeconds(time: Micros): Instant {
  return (Math.floor(time / 1e6) * 1000) as Instant;
}

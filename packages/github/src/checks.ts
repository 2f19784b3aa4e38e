import type { CheckedCommit, CheckRun, Conclusion } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import type { AnswerFields } from './answer-fields.js';

/**
 * A check run without its number. One of GitHub Actions has a workflow, and the event that started it, such as `pull_request` or
 * `merge_group`.
 */
interface UnnumberedRun extends Omit<CheckRun, 'attempt' | 'trigger'> {
  readonly workflow: string | undefined;
  readonly event: string | undefined;
}

/** Events of a push or a pull request. A nightly run on the same commit is not a test of the change. */
const OF_A_CHANGE: ReadonlySet<string | undefined> = new Set(['push', 'pull_request', 'pull_request_target', 'merge_group', undefined]);

/** Returns a commit of the response with its checks. */
export function checkedCommitIn(commit: AnswerFields): CheckedCommit {
  const suites = commit.maybeOf('checkSuites');
  const nodes = suites?.list('nodes') ?? [];
  const isCut =
    (suites?.number('totalCount') ?? 0) > nodes.length ||
    nodes.some((suite) => (suite.maybeOf('checkRuns')?.number('totalCount') ?? 0) > runsOf(suite).length);
  const statuses = commit.maybeOf('status')?.list('contexts') ?? [];
  return {
    commit: commit.commit('oid'),
    committedAt: commit.time('committedDate'),
    checks: numbered([...nodes.flatMap(runsIn), ...statuses.map(statusIn)]),
    completeness: isCut ? 'cut' : 'complete',
  };
}

function runsOf(suite: AnswerFields): readonly AnswerFields[] {
  return suite.maybeOf('checkRuns')?.list('nodes') ?? [];
}

function runsIn(suite: AnswerFields): readonly UnnumberedRun[] {
  const workflowRun = suite.maybeOf('workflowRun');
  const from = { workflow: workflowRun?.of('workflow').text('name'), event: workflowRun?.text('event') };
  return runsOf(suite).map((run) => ({
    ...from,
    name: run.text('name'),
    startedAt: run.maybeTime('startedAt'),
    completedAt: run.maybeTime('completedAt'),
    conclusion: conclusionOf(run.maybeText('conclusion')),
  }));
}

/** Reads a commit status. GitHub keeps only the last state of a context, so its start is unknown. */
function statusIn(status: AnswerFields): UnnumberedRun {
  const state = status.text('state');
  const isOver = state !== 'PENDING' && state !== 'EXPECTED';
  return {
    name: status.text('context'),
    workflow: undefined,
    event: undefined,
    startedAt: undefined,
    completedAt: isOver ? status.time('createdAt') : undefined,
    conclusion: isOver ? conclusionOf(state) : undefined,
  };
}

/** Returns the conclusion from GitHub's text in REST or GraphQL; `undefined`: not finished. Unknown texts count as failure. */
export function conclusionOf(text: string | undefined): Conclusion | undefined {
  if (text === undefined) return undefined;
  switch (text.toUpperCase()) {
    case 'SUCCESS':
    case 'NEUTRAL':
      return 'success';
    case 'SKIPPED':
      return 'skipped';
    case 'CANCELLED':
    case 'STALE':
      return 'cancelled';
    default:
      return 'failure';
  }
}

/**
 * Numbers the runs in the order in which they began, those not started last. Runs are attempts of one job if workflow, event and name are
 * equal.
 */
function numbered(runs: readonly UnnumberedRun[]): readonly CheckRun[] {
  const counts = new Map<string, number>();
  return [...runs].sort(byBeginning).map(({ workflow, event, ...run }) => {
    const key = JSON.stringify([workflow, event, run.name]);
    const attempt = (counts.get(key) ?? 0) + 1;
    counts.set(key, attempt);
    return { ...run, trigger: OF_A_CHANGE.has(event) ? 'change' : 'other', attempt };
  });
}

function byBeginning(a: UnnumberedRun, b: UnnumberedRun): number {
  return begun(a) - begun(b);
}

function begun({ startedAt, completedAt }: UnnumberedRun): number {
  return startedAt ?? completedAt ?? (Number.MAX_SAFE_INTEGER as Instant);
}

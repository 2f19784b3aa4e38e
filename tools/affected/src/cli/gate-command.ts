import { resolve } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { outputPath, writeOutput } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import { readRunAttempt } from '../engines/detect.js';
import { readText } from '../engines/variables.js';
import { describeProof, withCommit } from '../gate/commit.js';
import { testEventsOf } from '../gate/events.js';
import { judge, type Verdict } from '../gate/judge.js';
import { hintsFor, notProven, withEmptyPlace } from '../gate/not-proven.js';
import { leftOutIn } from '../gate/notes.js';
import { gateResult } from '../gate/result.js';
import { readEnvironment } from '../io/environment.js';
import { appendLines, readPlan } from '../io/plan-files.js';
import { describePlace, readReceipts } from '../io/receipts.js';
import { readRunFiles } from '../io/run-artifacts.js';
import { type Plan, pieceName } from '../plan/plan.js';
import { renderReport } from '../render-report.js';
import { describeFailedTests, failedPiecesOf } from '../report/failed-pieces.js';
import { junitOf } from '../report/junit.js';
import { reportOfRuns } from '../report-only/all-runs.js';
import { describeRun, reportOfRun } from '../report-only/one-run.js';
import { commentOnPullRequest } from '../run/comment.js';
import { gateCommit } from '../run/gate-commit.js';
import { gateSummary } from '../summary/gate-summary.js';
import type { GateOptions } from './plan-options.js';
import { describeLeftOut, summarise } from './plan-output.js';

/** Adds up what several runs say that only report. Here, because it judges receipts as the gate does. */
export async function runReport({ cwd, runs }: { readonly cwd: AbsolutePath; readonly runs: string }, { ui }: Services): Promise<void> {
  const result = reportOfRuns(readRunFiles(resolve(cwd, runs), runs));
  const [first] = result.unread;
  if (first !== undefined)
    ui.warning(`Did not count ${countOf(result.unread.length, 'file')}. The first is ${first.file}: ${first.problem.replace(/\.$/, '')}.`);
  if (ui.flags.json) ui.document(result);
  else ui.page(renderReport(result, { width: ui.dataWidth(), bold: (text) => ui.styleData('bold', text) }));
}

type GateRequest = GateOptions & { readonly cwd: AbsolutePath };

/** Ends with exit code 1 unless everything is proven and all requested output is written. A comment is optional. */
export async function runGate(request: GateRequest, services: Services): Promise<void> {
  const { ui } = services;
  const events = request.events === undefined ? undefined : { file: request.events, repo: repoOf(request.repo) };
  // Only the proof below sets 0: a program that stops in between must not look like a pass.
  process.exitCode = 1;
  const plan = readPlan(resolve(request.cwd, request.plan));
  const verdict = withCommit(judgeReceipts(plan, request), plan, await gateCommit(request.cwd, request.commit));
  sayVerdict(plan, verdict, ui);
  process.exitCode = verdict.passed ? 0 : 1;
  const { cwd, summary, junit, stage } = request;
  writing(ui, () => summarise(summary, cwd, gateSummary(plan, verdict)));
  if (junit !== undefined) writing(ui, () => writeOutput(outputPath(cwd, junit), junitOf(plan, verdict)));
  if (events !== undefined) {
    const { file, repo } = events;
    writing(ui, () => appendLines(outputPath(cwd, file), testEventsOf(plan, verdict, { repo, stage, now: services.clock() })));
  }
  if (request.comment !== undefined) await commentOnPullRequest({ plan, verdict, name: request.comment }, services);
}

function judgeReceipts(plan: Plan, { cwd, receipts, attempt }: GateRequest): Verdict {
  const folder = resolve(cwd, receipts);
  const found = readReceipts(folder);
  const judged = judge(plan, found, { ofPlan: attempt, ofRun: readRunAttempt(readEnvironment()) });
  const isComplete = found.length > 0 || plan.shards.length === 0;
  return isComplete ? judged : withEmptyPlace(judged, { folder: receipts, there: describePlace(folder) });
}

/** Runs a write after the verdict was printed; with `--json` the verdict is the only document on stdout. */
function writing(ui: Ui, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isToolError(error)) throw error;
    ui.error(error.message, error);
    process.exitCode = 1;
  }
}

function repoOf(name: string | undefined): string {
  const env = readEnvironment();
  const repo = name ?? readText(env, 'GITHUB_REPOSITORY') ?? readText(env, 'CI_PROJECT_PATH');
  if (repo === undefined || repo === '')
    throw new ToolError({ code: 'USAGE', message: 'Events need the name of the repository.', hint: 'Name it: --repo acme/app.' });
  return repo;
}

/** Prints one document, or a sentence for each problem; and, as for every failure, an error with its code. */
function sayVerdict(plan: Plan, verdict: Verdict, ui: Ui): void {
  const { passed, problems, notes } = verdict;
  const error = notProven(verdict);
  if (ui.flags.json) ui.document(gateResult(plan, verdict));
  else
    ui.page(
      [
        ...(passed ? [describePass(plan, verdict), ...describeProof(verdict)] : describeProblems(verdict)),
        ...describeRun(reportOfRun(plan, verdict.receipts)),
        ...describeLeftOut(plan),
      ].join('\n'),
    );
  for (const { id, pieces } of plan.shards) ui.verbose(`Shard ${id}: ${pieces.map(pieceName).join(', ')}`);
  for (const { message } of notes) ui.warning(message);
  if (error === undefined) return;
  ui.error(error.message, { code: error.code });
  for (const hint of hintsFor(problems)) ui.hint(hint);
}

function describeProblems({ problems, receipts }: Verdict): readonly string[] {
  return [...describeFailedTests(failedPiecesOf(receipts.values())), ...problems.map(({ message }) => message)];
}

function describePass({ shards }: Plan, { notes }: Verdict): string {
  if (shards.length === 0) return 'Nothing was planned, so nothing had to run.';
  const pieces = shards.flatMap((shard) => shard.pieces).length;
  const all = `All ${countOf(pieces, 'planned piece')} in ${countOf(shards.length, 'shard')} ran and passed.`;
  return [all, ...leftOutIn(notes).map((what) => `${what}: see the warnings.`)].join(' ');
}

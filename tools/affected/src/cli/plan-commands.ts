import { join, resolve } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { appendOutput, outputPath } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import { formatTable } from '@tributary/terminal/table';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import type { CiEngine } from '../engines/engine.js';
import { readText } from '../engines/variables.js';
import { testEventsOf } from '../gate/events.js';
import { judge, type Verdict } from '../gate/judge.js';
import { hintsFor, notProven, withEmptyPlace } from '../gate/not-proven.js';
import { gateResult } from '../gate/result.js';
import { readEnvironment } from '../io/environment.js';
import { locate } from '../io/locate.js';
import { appendLines, mergeTimings, readPlan, readRuns, readTimings, writePlan } from '../io/plan-files.js';
import { describePlace, readReceipts } from '../io/receipts.js';
import { stateOfWorkTree } from '../io/work-tree.js';
import { leftOutOf } from '../plan/left-out.js';
import type { Plan } from '../plan/plan.js';
import { readHeadProject } from '../run/head-project.js';
import { makePlan } from '../run/plan.js';
import type { AffectedRequest } from '../run/request.js';
import { runShards, type ShardOutcome } from '../run/run-shard.js';
import { type AffectedProject, selectWithHead } from '../run/select-with-head.js';
import { gateSummary } from '../summary/gate-summary.js';
import { notesOf, planSummary } from '../summary/plan-summary.js';
import { span } from '../summary/span.js';
import { addFileTimes } from '../timings/add-file-times.js';
import { timingsOfReceipts, timingsOfRuns } from '../timings/collect.js';
import { addTimings, type FileTimes } from '../timings/timings.js';
import { type CollectOptions, type GateOptions, type PlanOptions, readNames } from './plan-options.js';

export async function runPlan(request: AffectedRequest, options: PlanOptions, services: Services): Promise<void> {
  const { ui } = services;
  const workTree = request.head === undefined ? stateOfWorkTree(locate(request.cwd), services.signal) : 'clean';
  const answer = await selectOrAll({ ...request, task: options.task }, options.fallback, services);
  const { affected } = answer;
  for (const warning of affected.warnings) ui.warning(warning);
  if ((await workTree) === 'dirty')
    ui.warning(
      `There are changes that are not committed. The plan ${request.uncommitted === 'with' ? 'counts them' : 'is for the commit'}.`,
    );
  const timings = options.timings === undefined ? undefined : readTimings(resolve(request.cwd, options.timings));
  if (options.timings !== undefined && timings === undefined)
    ui.warning(`There are no timings at ${options.timings} yet; planned by the number of test files.`);
  const { targetTime, shards, maxShards, setupTime, task } = options;
  const dropped = options.dropped ?? readNames(readText(readEnvironment(), 'AFFECTED_DROPPED') ?? '');
  const shardRequest = {
    setupSeconds: setupTime,
    maxShards,
    ...(shards === undefined ? {} : { shards }),
    ...(targetTime === undefined ? {} : { targetSeconds: targetTime }),
  };
  const plan = await makePlan(answer, { ...request, task, timings: timings ?? new Map(), shardRequest, dropped });
  writePlan(outputPath(request.cwd, options.out), plan);
  summarise(options.summary, request.cwd, planSummary(plan));
  warnOfLost(plan, dropped, ui);
  if (targetTime !== undefined) warnOfTime(plan, targetTime, ui);
  if (ui.flags.json) return ui.document(plan);
  ui.page(describePlan(plan, ui.dataWidth()));
}

async function selectOrAll(request: AffectedRequest, fallback: 'all' | undefined, services: Services): Promise<AffectedProject> {
  try {
    return await selectWithHead(request, services);
  } catch (error) {
    if (fallback === undefined) throw error;
    const { answerAll } = await import('../run/fallback.js');
    const head = await readHeadProject({ cwd: request.cwd, head: request.head }, services);
    return { affected: await answerAll(error, request), head, changed: new Map() };
  }
}

/** What is measured may take longer than was asked for; a guess is no ground for a warning. */
function warnOfTime(plan: Plan, targetSeconds: number, ui: Ui): void {
  const { setupSeconds, shards, guessed } = plan;
  if (targetSeconds <= setupSeconds) ui.warning(`The set-up of a machine alone takes ${span(setupSeconds)}: more than was asked for.`);
  else if (guessed === 0 && wallOf(plan) > targetSeconds)
    ui.warning(`It takes about ${span(wallOf(plan))} on ${countOf(shards.length, 'machine')}: more than was asked for.`);
}

function warnOfLost({ task, atBase: { unknown, lost } }: Plan, dropped: readonly string[], ui: Ui): void {
  const idle = dropped.filter((name) => name !== '*' && !lost.some(({ workspace }) => workspace === name));
  if (unknown === null && idle.length > 0) ui.warning(`Named as dropped, but they lost nothing: ${idle.join(', ')}.`);
  if (unknown !== null) ui.verbose(`It is not known which workspaces had the task before: ${unknown}`);
  const names = lost.filter(({ agreed }) => agreed === null).map(({ workspace }) => workspace);
  if (names.length === 0) return;
  const shown = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
  ui.warning(`${countOf(names.length, 'workspace')} lost the task "${task}": ${shown}. The gate will not pass.`);
}

function wallOf({ shards, setupSeconds }: Plan): number {
  return shards.length === 0 ? 0 : setupSeconds + Math.max(...shards.map(({ seconds }) => seconds));
}

function describePlan(plan: Plan, width: number): string {
  const { shards, affected } = plan;
  const { all, workspaces, workspaceCount } = affected;
  const who =
    all === null
      ? `${workspaces.length} of ${countOf(workspaceCount, 'workspace')} affected.`
      : `All ${countOf(workspaceCount, 'workspace')} affected. ${all.reason} [${all.code}]`;
  if (shards.length === 0) return [`${who} Nothing to run.`, ...describeLeftOut(plan)].join('\n');
  const rows = shards.map(({ id, seconds, pieces }) => [
    id,
    span(seconds),
    String(pieces.length),
    pieces.map(({ workspace }) => workspace).join(', '),
  ]);
  const table = formatTable(
    { columns: [{ title: 'shard' }, { title: 'about' }, { title: 'pieces' }, { title: 'workspaces', shrink: 'end' }], rows },
    width,
  );
  const size = `${countOf(shards.length, 'shard')}, about ${span(wallOf(plan))} with set-up.`;
  return `${[`${who} ${size}`, ...notesOf(plan), ...describeLeftOut(plan)].join('\n')}\n\n${table}`;
}

export async function runEmit(
  engine: CiEngine,
  { cwd, plan }: { readonly cwd: AbsolutePath; readonly plan: string },
  { ui }: Services,
): Promise<void> {
  ui.data(engine.emit(readPlan(resolve(cwd, plan))));
}

/** Ends with exit code 1 if a piece failed, or did not run. */
export async function runShard(
  shards: readonly string[],
  { cwd, plan, receipts }: { readonly cwd: AbsolutePath; readonly plan: string; readonly receipts: string },
  services: Services,
): Promise<void> {
  const { ui } = services;
  const outcomes = await runShards({ cwd, plan: readPlan(resolve(cwd, plan)), shards, receipts: resolve(cwd, receipts) }, services);
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  if (failed.length > 0) process.exitCode = 1;
  if (ui.flags.json) return ui.document({ schemaVersion: 1, receipts: outcomes.map(({ receipt }) => receipt), failed });
  for (const outcome of outcomes) ui.status(describeShard(outcome));
  if (failed.length > 0) ui.page(`Failed, or not run: ${failed.join(', ')}.`);
}

function describeShard({ shard, receipt, failed }: ShardOutcome): string {
  const replayed = receipt.pieces.filter(({ state }) => state === 'replayed').length;
  const cached = replayed === 0 ? '' : `, ${replayed} of them from a cache`;
  return `Shard ${shard}: ${countOf(receipt.pieces.length, 'piece')}${cached}${failed.length === 0 ? '' : `; ${failed.length} failed, or did not run`}.`;
}

/** Ends with exit code 1 unless everything is proven. */
export async function runGate(
  { cwd, plan: file, receipts, attempt, summary, events, ...event }: GateOptions & { readonly cwd: AbsolutePath },
  { ui, clock }: Services,
): Promise<void> {
  const repo = events === undefined ? '' : repoOf(event.repo);
  // Only what is proven below makes it 0: whatever stops the program in between must not look like a pass.
  process.exitCode = 1;
  const plan = readPlan(resolve(cwd, file));
  const found = readReceipts(resolve(cwd, receipts));
  const judged = judge(plan, found, attempt);
  const isComplete = found.length > 0 || plan.shards.length === 0;
  const verdict = isComplete ? judged : withEmptyPlace(judged, { folder: receipts, there: describePlace(resolve(cwd, receipts)) });
  sayVerdict(plan, verdict, ui);
  process.exitCode = verdict.passed ? 0 : 1;
  try {
    summarise(summary, cwd, gateSummary(plan, verdict));
    if (events !== undefined) appendLines(outputPath(cwd, events), testEventsOf(plan, verdict, { repo, stage: event.stage, now: clock() }));
  } catch (error) {
    if (!isToolError(error)) throw error;
    // The verdict is said by then, and with `--json` it is the one document on stdout.
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

/** One document, or a sentence for each problem; and as every failure an error with its code. */
function sayVerdict(plan: Plan, verdict: Verdict, ui: Ui): void {
  const { passed, problems, notes } = verdict;
  const error = notProven(verdict);
  if (ui.flags.json) ui.document(gateResult(plan, verdict));
  else ui.page([...(passed ? [describePass(plan)] : problems.map(({ message }) => message)), ...describeLeftOut(plan)].join('\n'));
  for (const { message } of notes) ui.warning(message);
  if (error === undefined) return;
  ui.error(error.message, { code: error.code });
  for (const hint of hintsFor(problems)) ui.hint(hint);
}

const SHOWN_LEFT_OUT = 20;

function describeLeftOut(plan: Plan): readonly string[] {
  const leftOut = leftOutOf(plan);
  const shown = leftOut.slice(0, SHOWN_LEFT_OUT).map(({ workspace, reason }) => `Left out: ${workspace}. ${reason}`);
  const rest = leftOut.length - shown.length;
  return rest === 0 ? shown : [...shown, `Left out: ${rest} more, which --json and the summary name.`];
}

function describePass({ shards }: Plan): string {
  const pieces = shards.flatMap((shard) => shard.pieces).length;
  return shards.length === 0
    ? 'Nothing was planned, and nothing was to run.'
    : `All ${countOf(pieces, 'planned piece')} in ${countOf(shards.length, 'shard')} ran and passed.`;
}

export async function runCollect(
  { cwd, into, receipts, plan, turbo, junit, ...options }: CollectOptions & { readonly cwd: AbsolutePath },
  { ui, clock }: Services,
): Promise<void> {
  const task = options.task ?? (plan === undefined ? 'test' : readPlan(resolve(cwd, plan)).task);
  const file = outputPath(cwd, into);
  const now = clock();
  const read = receipts === undefined ? [] : readReceipts(resolve(cwd, receipts));
  if (receipts !== undefined && describePlace(resolve(cwd, receipts)) === 'nothing') ui.warning(`There is no folder ${receipts}.`);
  for (const one of read) if ('problem' in one) ui.warning(`${one.file} is left out: ${one.problem}.`);
  const more = addTimings(
    timingsOfReceipts(
      read.flatMap((one) => ('receipt' in one ? [one.receipt] : [])),
      { task, now },
    ),
    timingsOfRuns(turbo === undefined ? [] : readRuns(resolve(cwd, turbo)), now),
  );
  const byFile = junit === undefined ? new Map() : await fileTimesIn(junit, cwd, ui);
  const timings = mergeTimings(file, more, (all) => addFileTimes(all, byFile, task));
  ui.status(`${countOf(more.size, 'task')} in this run, ${timings.size} in ${into}.`);
}

/** By workspace. Test files are looked for in the work tree, below the root of the project. */
async function fileTimesIn(path: string, cwd: AbsolutePath, ui: Ui): Promise<ReadonlyMap<string, FileTimes>> {
  // Reading XML takes a library that nobody else needs.
  const { readJUnit } = await import('../io/junit-files.js');
  const { workTree, project } = locate(cwd);
  if (describePlace(resolve(cwd, path)) === 'nothing') ui.warning(`There is nothing at ${path}.`);
  const { workspaces, problems } = readJUnit(resolve(cwd, path), workTree === undefined ? cwd : join(workTree, project));
  for (const problem of problems) ui.warning(problem);
  return workspaces;
}

/** To the file that was named, else to where GitHub shows it. */
function summarise(file: string | undefined, cwd: AbsolutePath, markdown: string): void {
  const path = file ?? readText(readEnvironment(), 'GITHUB_STEP_SUMMARY');
  if (path !== undefined) appendOutput(outputPath(cwd, path), markdown);
}

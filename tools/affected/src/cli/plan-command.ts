import { resolve } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { outputPath } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import type { CiEngine } from '../engines/engine.js';
import { readText } from '../engines/variables.js';
import { readEnvironment } from '../io/environment.js';
import { locate } from '../io/locate.js';
import { readPlan, readTimings, writePlan } from '../io/plan-files.js';
import { stateOfWorkTree } from '../io/work-tree.js';
import { type Plan, wallOf, wholeName } from '../plan/plan.js';
import { flawsOf, plansByTask, sumsOf, tasksOf } from '../plan/plans-by-task.js';
import { readHeadProject } from '../run/head-project.js';
import { makePlan } from '../run/plan.js';
import type { AffectedRequest } from '../run/request.js';
import { type AffectedProject, selectWithHead } from '../run/select-with-head.js';
import { describeFlaws } from '../scripts/script-flaw.js';
import { planSummary } from '../summary/plan-summary.js';
import { span } from '../summary/span.js';
import { describePlan } from './describe-plan.js';
import type { PlanOptions } from './plan-options.js';
import { summarise } from './plan-output.js';
import { readNames } from './read-names.js';

// In one late file with it: each such file holds its own copy of what it needs.
export { runCollect } from './timings-command.js';

export async function runPlan(request: AffectedRequest, options: PlanOptions, services: Services): Promise<void> {
  const { ui } = services;
  const repository = request.head === undefined ? await locate(request.cwd) : undefined;
  // Nobody waits for it before the selection ends, and that fails in the same way.
  const workTree = repository === undefined ? 'clean' : stateOfWorkTree(repository, services.signal).catch(() => 'unknown' as const);
  const answers = await selectOrAll(request, options, services);
  for (const warning of new Set(answers.flatMap(({ affected }) => affected.warnings))) ui.warning(warning);
  if ((await workTree) === 'dirty')
    ui.warning(`There are uncommitted changes. The plan ${request.uncommitted === 'with' ? 'counts them' : 'is for the commit'}.`);
  const timings = options.timings === undefined ? undefined : readTimings(resolve(request.cwd, options.timings));
  if (options.timings !== undefined && timings === undefined)
    ui.warning(`No timings at ${options.timings} yet: the plan uses the number of test files.`);
  const { targetTime, shards, maxShards, setupTime } = options;
  const dropped = options.dropped ?? readNames(readText(readEnvironment(), 'AFFECTED_DROPPED') ?? '');
  const shardRequest = {
    setupSeconds: setupTime,
    maxShards,
    ...(shards === undefined ? {} : { shards }),
    ...(targetTime === undefined ? {} : { targetSeconds: targetTime }),
  };
  const progress = ui.progress();
  const plan = await makePlan(
    answers,
    { ...request, timings: timings ?? new Map(), shardRequest, dropped, reportOnly: options.reportOnly === true },
    progress,
  );
  progress.phase('Writing the plan');
  writePlan(outputPath(request.cwd, options.out), plan);
  progress.done();
  summarise(options.summary, request.cwd, planSummary(plan));
  warnOfLost(plan, dropped, ui);
  for (const message of describeFlaws(plansByTask(plan).flatMap(flawsOf))) ui.warning(`${message}.`);
  if (targetTime !== undefined) warnOfTime(plan, targetTime, ui);
  if (ui.flags.json) return ui.document(plan);
  ui.page(describePlan(plan, { width: ui.dataWidth(), shard: options.shard }));
}

async function selectOrAll(
  request: AffectedRequest,
  { task: tasks, fallback }: PlanOptions,
  services: Services,
): Promise<readonly AffectedProject[]> {
  try {
    return await selectWithHead(request, tasks, services);
  } catch (error) {
    if (fallback === undefined) throw error;
    const { answerAll } = await import('../run/fallback.js');
    const head = await readHeadProject(request, services);
    const affected = await answerAll(error, request);
    return tasks.map((task) => ({ task, affected, head, changed: new Map(), tasksAtBase: 'unknown' }));
  }
}

/** Warns if the plan exceeds the target time, but only for measured times: a guess is no reason to warn. */
function warnOfTime(plan: Plan, targetSeconds: number, ui: Ui): void {
  const { setupSeconds, shards, machine } = plan;
  const { guessed } = sumsOf(plan);
  if (targetSeconds <= setupSeconds) ui.warning(`The set-up of a machine alone takes ${span(setupSeconds)}: more than the target time.`);
  else if (guessed === 0 && machine !== null && wallOf(plan) > targetSeconds)
    ui.warning(`It takes about ${span(wallOf(plan))} on ${countOf(shards.length, 'machine')}: more than the target time.`);
}

function warnOfLost(plan: Plan, dropped: readonly string[], ui: Ui): void {
  const pieces = plan.shards.flatMap((shard) => shard.pieces);
  const agreed = pieces.filter((piece) => piece.agreed !== undefined);
  const unchecked = [...new Set(agreed.map(wholeName))].sort();
  if (unchecked.length > 0) ui.warning(`Listed as dropped, so the number of their tests is not checked: ${firstOf(unchecked)}.`);
  const bases = tasksOf(plan).map(({ atBase }) => atBase);
  const lost = bases.flatMap((base) => base.lost.map(({ workspace }) => workspace));
  const known = new Set([...lost, ...agreed.map(({ workspace }) => workspace)]);
  const idle = dropped.filter((name) => name !== '*' && !known.has(name));
  const unknown = new Set(bases.flatMap((base) => base.unknown ?? []));
  if (unknown.size === 0 && idle.length > 0) ui.warning(`Listed as dropped, but they lost no task: ${idle.join(', ')}.`);
  for (const why of unknown) ui.verbose(`Unknown which workspaces had the task before: ${why}`);
  for (const { task, atBase } of tasksOf(plan)) {
    const names = atBase.lost.filter((one) => one.agreed === null).map(({ workspace }) => workspace);
    if (names.length > 0)
      ui.warning(`${countOf(names.length, 'workspace')} lost the task "${task}": ${firstOf(names)}. The gate will not pass.`);
  }
}

function firstOf(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}

/**
 * Prints a plan as the configuration of an engine. It shares a file with `plan`, which runs before it in the same job: a separate file
 * would add 3 kB to the package.
 */
export async function runEmit(
  engine: CiEngine,
  { cwd, plan }: { readonly cwd: AbsolutePath; readonly plan: string },
  { ui }: Services,
): Promise<void> {
  const configuration = engine.emit(readPlan(resolve(cwd, plan)));
  if (ui.flags.json) return ui.document({ schemaVersion: 1, engine: engine.name, configuration });
  ui.data(configuration);
}

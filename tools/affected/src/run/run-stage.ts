import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { orUnusable } from '@tributary/process/unusable-file';
import type { Services } from '@tributary/terminal/main';
import { locate } from '../io/locate.js';
import { readMachine } from '../io/machine.js';
import { listChangedFiles, listMadeFiles } from '../io/made-files.js';
import { listStageResults, removeStageResults, stageJobFolder } from '../io/stage-results.js';
import { runTurbo, type TurboTask } from '../io/turbo.js';
import type { Plan, StageJob } from '../plan/plan.js';
import { inOneLine } from '../plan/shape.js';
import { splitTaskId, type TaskId, taskId } from '../plan/upstream.js';
import { checkedOut, projectFolder } from './checked-out.js';

export interface StageRequest {
  readonly cwd: AbsolutePath;
  readonly plan: Plan;
  /** Ids of jobs. */
  readonly jobs: readonly string[];
  /** The folder for the results; each job has its own in it. */
  readonly stage: string;
}

/** The result of a job. */
export interface StageOutcome {
  readonly job: string;
  readonly built: readonly TaskId[];
  /** Builds that failed or did not run. The shards make them again. */
  readonly failed: readonly TaskId[];
}

/**
 * Makes the builds of jobs of a plan's stage, and keeps turborepo's results of them for the shards. Throws `USAGE` for an unknown job,
 * `PLAN_STALE` if another commit is checked out, and the errors of `runTurbo`.
 */
export async function runStage({ cwd, plan, jobs, stage }: StageRequest, services: Services): Promise<readonly StageOutcome[]> {
  const found = jobs.map((id) => findJob(plan, id));
  const place = locate(cwd);
  const folder = projectFolder(place);
  await checkedOut(place, plan);
  for (const { id } of found) removeStageResults(stageJobFolder(stage, id));
  const outcomes: StageOutcome[] = [];
  for (const job of found) {
    services.ui.status(
      `Stage job ${job.id}: ${job.builds.slice(-3).join(', ')}${job.builds.length > 3 ? ` and ${job.builds.length - 3} more` : ''}`,
    );
    const results = stageJobFolder(stage, job.id);
    const scene = { folder, results, services };
    const before = { made: await listMadeFiles(folder, relative(folder, stage)), changed: await listChangedFiles(folder) };
    const tasks = await runBuilds(job, scene);
    const passed = tasks.filter(({ exit }) => exit === 0).map(({ workspace, task, hash }) => ({ task: taskId(workspace, task), hash }));
    const made = passed.filter(({ task }) => job.builds.includes(task));
    const doubt = await doubtOf({ ...job, builds: made.map(({ task }) => task) }, { ...scene, stage, before });
    if (doubt !== undefined) services.ui.warning(`The shards make the builds of job ${job.id} themselves: ${doubt}.`);
    const planned = doubt === undefined ? made : [];
    const lost = listStageResults(results, { plan: plan.hash, builds: planned });
    if (lost.length > 0) services.ui.warning(`turborepo kept no result of ${lost.join(', ')}: the shards build that themselves.`);
    const built = planned.map(({ task }) => task);
    outcomes.push({ job: job.id, built, failed: job.builds.filter((task) => !built.includes(task)) });
  }
  return outcomes;
}

/** What an installation may have left. */
interface StateBefore {
  readonly made: ReadonlySet<string>;
  readonly changed: readonly string[];
}

interface StageScene {
  readonly folder: AbsolutePath;
  readonly results: string;
  readonly services: Services;
}

/**
 * Returns a clause why turborepo does not bring back all that builds have made, or have changed in files of the commit; `undefined` if it
 * does. The shards would lack the rest: if a test is among it, nobody would notice. To find out, the new files are removed, and turborepo
 * restores what it can.
 */
async function doubtOf(
  job: StageJob,
  { stage, before, ...scene }: StageScene & { readonly stage: string; readonly before: StateBefore },
): Promise<string | undefined> {
  const { folder } = scene;
  const except = relative(folder, stage);
  if (job.builds.length === 0) return undefined;
  const changed = (await listChangedFiles(folder)).find((file) => !before.changed.includes(file));
  if (changed !== undefined) return `they change ${inOneLine(changed)}, a file of the commit`;
  const made = [...(await listMadeFiles(folder, except))].filter((file) => !before.made.has(file));
  for (const file of made) orUnusable(file, 'written', () => rmSync(join(folder, file), { force: true }));
  const again = (await runBuilds(job, scene)).find(({ state }) => state !== 'replayed');
  if (again !== undefined) return `turborepo does not restore ${taskId(again.workspace, again.task)}`;
  const restored = await listMadeFiles(folder, except);
  const lost = made.find((file) => !restored.has(file));
  return lost && `${inOneLine(lost)} is in no outputs, so they would lack it`;
}

/** Each kind of task in a call of its own, because turborepo would run all of them for each workspace. */
async function runBuilds({ builds }: StageJob, { folder, results, services }: StageScene): Promise<readonly TurboTask[]> {
  const { concurrency } = readMachine(folder);
  const tasks: TurboTask[] = [];
  for (const task of new Set(builds.map((id) => splitTaskId(id).task))) {
    const workspaces = builds
      .map(splitTaskId)
      .filter((one) => one.task === task)
      .map(({ name }) => name);
    const call = { folder, task, workspaces, cacheFolder: results, concurrency, signal: services.signal };
    tasks.push(...(await runTurbo({ ...call, cache: 'used', scriptArguments: [], env: {} })));
  }
  return tasks;
}

function findJob({ stage }: Plan, id: string): StageJob {
  const job = stage?.jobs.find((one) => one.id === id);
  if (job !== undefined) return job;
  const known = stage === undefined ? 'The plan has no build stage.' : `It has ${stage.jobs.map((one) => one.id).join(', ')}.`;
  throw new ToolError({ code: 'USAGE', message: `Not a job of the plan's build stage: "${id}".`, hint: known, data: { job: id } });
}

import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Checkout } from '../io/checkout-files.js';
import { locate } from '../io/locate.js';
import { readMachine } from '../io/machine.js';
import { listStageResults, removeStageResults, stageJobFolder } from '../io/stage-results.js';
import { runTurbo, type TurboTask } from '../io/turbo.js';
import type { Plan, StageJob } from '../plan/plan.js';
import { splitTaskId, type TaskId, taskId } from '../plan/upstream.js';
import { checkedOut, projectFolder } from './checked-out.js';
import { StageWitness } from './stage-witness.js';

export interface StageRequest {
  readonly cwd: AbsolutePath;
  readonly plan: Plan;
  /** The file of the plan. */
  readonly planFile: string;
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
export async function runStage({ cwd, plan, planFile, jobs, stage }: StageRequest, services: Services): Promise<readonly StageOutcome[]> {
  const found = jobs.map((id) => findJob(plan, id));
  const place = locate(cwd);
  const folder = projectFolder(place);
  const commit = await checkedOut(place, plan);
  for (const { id } of found) removeStageResults(stageJobFolder(stage, id));
  const { workTree: root = folder, project } = place;
  const checkout = { root, project, commit, except: [stage, planFile] };
  const outcomes: StageOutcome[] = [];
  for (const job of found) {
    services.ui.status(
      `Stage job ${job.id}: ${job.builds.slice(-3).join(', ')}${job.builds.length > 3 ? ` and ${job.builds.length - 3} more` : ''}`,
    );
    const results = stageJobFolder(stage, job.id);
    const made = await makeJob(job, checkout, { folder, results, services });
    if (made.doubt !== undefined) services.ui.warning(`The shards make the builds of job ${job.id} themselves: ${made.doubt}.`);
    const planned = made.doubt === undefined ? made.builds : [];
    const lost = listStageResults(results, { plan: plan.hash, builds: planned });
    if (lost.length > 0) services.ui.warning(`turborepo kept no result of ${lost.join(', ')}: the shards build that themselves.`);
    const built = planned.map(({ task }) => task);
    outcomes.push({ job: job.id, built, failed: job.builds.filter((task) => !built.includes(task)) });
  }
  return outcomes;
}

interface StageScene {
  readonly folder: AbsolutePath;
  readonly results: string;
  readonly services: Services;
}

interface MadeJob {
  /** With turborepo's hash. */
  readonly builds: readonly { readonly task: TaskId; readonly hash: string }[];
  /** A clause why the shards must make them themselves. */
  readonly doubt: string | undefined;
}

/**
 * Makes the builds of a job, and finds out whether turborepo brings back all that they have made: it removes it, and lets turborepo restore
 * it. The shards would lack the rest: if a test is among it, nobody would notice. Leaves the checkout as it was.
 */
async function makeJob(job: StageJob, checkout: Checkout, scene: StageScene): Promise<MadeJob> {
  const witness = new StageWitness(checkout);
  const before = await witness.begin();
  if (before !== undefined) return { builds: [], doubt: before };
  const tasks = await runBuilds(job.builds, scene, (made) => witness.see(made));
  const builds = tasks
    .map(({ workspace, task, hash, exit }) => ({ task: taskId(workspace, task), hash, exit }))
    .filter(({ task, exit }) => exit === 0 && job.builds.includes(task));
  const doubt = builds.length === 0 ? undefined : await witness.doubt();
  witness.removeMade();
  if (doubt !== undefined || builds.length === 0) return { builds, doubt };
  const again = await runBuilds(
    builds.map(({ task }) => task),
    scene,
  );
  const unrestored = again.find(({ state }) => state !== 'replayed');
  const lost = unrestored && `turborepo does not restore ${taskId(unrestored.workspace, unrestored.task)}`;
  const different = lost ?? witness.findLost();
  witness.removeMade();
  return { builds, doubt: different };
}

/** No cache but that of the stage is read: what another run has left elsewhere would be unknown. */
const ONLY_HERE = { TURBO_CACHE: 'local:rw', TURBO_FORCE: '', TURBO_REMOTE_ONLY: '', TURBO_REMOTE_CACHE_READ_ONLY: '' };

/** Each kind of task in a call of its own, because turborepo would run all of them for each workspace. */
async function runBuilds(
  builds: readonly TaskId[],
  { folder, results, services }: StageScene,
  see?: (tasks: readonly TurboTask[]) => void,
): Promise<readonly TurboTask[]> {
  const { concurrency } = readMachine(folder);
  const tasks: TurboTask[] = [];
  for (const task of new Set(builds.map((id) => splitTaskId(id).task))) {
    const workspaces = builds
      .map(splitTaskId)
      .filter((one) => one.task === task)
      .map(({ name }) => name);
    const call = { folder, task, workspaces, cacheFolder: results, concurrency, signal: services.signal };
    const made = await runTurbo({ ...call, cache: 'used', scriptArguments: [], env: ONLY_HERE });
    see?.(made);
    tasks.push(...made);
  }
  return tasks;
}

function findJob({ stage }: Plan, id: string): StageJob {
  const job = stage?.jobs.find((one) => one.id === id);
  if (job !== undefined) return job;
  const known = stage === undefined ? 'The plan has no build stage.' : `It has ${stage.jobs.map((one) => one.id).join(', ')}.`;
  throw new ToolError({ code: 'USAGE', message: `Not a job of the plan's build stage: "${id}".`, hint: known, data: { job: id } });
}

import { proofIn } from '../io/task-evidence.js';
import type { TurboTask } from '../io/turbo.js';
import type { Plan } from '../plan/plan.js';
import { inOneLine } from '../plan/shape.js';
import type { Cut } from './cut-suite.js';
import type { ShardJob } from './shard-job.js';

/** Why a cached result does not count; `undefined`: it does. */
export function whyUnproven(
  task: TurboTask,
  job: ShardJob,
  { isWatched, cut }: { isWatched: boolean; cut: Cut | undefined },
): string | undefined {
  const { plan, folder } = job;
  const other = otherTurbo(task, job);
  if (other !== undefined || !isWatched) return other;
  const proof = proofIn(folder, task);
  if (proof === undefined) return UNPROVEN;
  if (cut?.count !== undefined) return UNNAMED;
  return proof.outside === outsideOf(plan) ? undefined : MOVED;
}

/** Another version may hash other things. A sentence; `undefined`: it is that of yarn.lock, or one of them is not known. */
export function otherTurbo({ turbo }: TurboTask, { plan }: ShardJob): string | undefined {
  if (turbo === undefined || plan.turbo === undefined || turbo === plan.turbo) return undefined;
  return `turborepo ${inOneLine(turbo)} runs here, and yarn.lock names ${plan.turbo}.`;
}

export function outsideOf({ outside }: Plan): string {
  return outside ?? 'unknown';
}

const MOVED = 'files outside all workspaces have changed since its cached result.';
// The gate compares the files that the parts ran with those that the runner lists.
const UNNAMED = 'its cached result does not say which test files this part ran.';
const UNPROVEN = 'affected did not observe the run of its cached result, so it is unknown whether all tests ran.';

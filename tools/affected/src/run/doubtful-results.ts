import { proofIn } from '../io/task-evidence.js';
import type { TurboTask } from '../io/turbo.js';
import type { Piece, Plan } from '../plan/plan.js';
import { describeOther, type Runtime } from '../plan/runtime.js';
import { inOneLine } from '../plan/shape.js';
import type { Cut } from './cut-suite.js';
import type { ShardJob } from './shard-job.js';

/** Why a cached result does not count whatever it proves, by the plan; `undefined`: it may. */
export function whyPlanned({ fresh, why }: Piece): string | undefined {
  return fresh ? (why ?? 'the plan does not trust a cached result.') : undefined;
}

/** Why a cached result does not count; `undefined`: it does. */
export function whyUnproven(
  task: TurboTask,
  job: ShardJob,
  { isWatched, cut }: { isWatched: boolean; cut: Cut | undefined },
): string | undefined {
  const { plan, folder } = job;
  const other = otherTurbo(task, job);
  if (other !== undefined) return other;
  if (!isWatched) return UNWATCHED;
  const proof = proofIn(folder, task);
  if (proof === undefined) return UNPROVEN;
  if (cut?.count !== undefined) return UNNAMED;
  return proof.outside === outsideOf(plan) ? whyElsewhere(proof.runtime, job) : MOVED;
}

/** turborepo hashes neither the machine nor Node. The variables that turbo.json declares are in its hash, by which the proof was found. */
function whyElsewhere(made: Runtime | undefined, { runtime }: ShardJob): string | undefined {
  if (runtime === undefined) return 'there is no `node` in PATH, so it is unknown under which Node it would run.';
  if (made === undefined) return 'its cached result does not say under which Node it was made.';
  const other = describeOther(made, runtime);
  return other === undefined ? undefined : `its cached result does not count: ${other}.`;
}

/** Another version may hash other things. A sentence; `undefined`: it is that of yarn.lock, or one of them is not known. */
export function otherTurbo({ turbo }: TurboTask, { plan }: ShardJob): string | undefined {
  if (turbo === undefined || plan.turbo === undefined || turbo === plan.turbo) return undefined;
  return `turborepo ${inOneLine(turbo)} runs here, and yarn.lock names ${plan.turbo}.`;
}

export function outsideOf({ outside }: Pick<Plan, 'outside'>): string {
  return outside ?? 'unknown';
}

const MOVED = 'files outside all workspaces have changed since its cached result.';
// The gate compares the files that the parts ran with those that the runner lists.
const UNNAMED = 'its cached result does not say which test files this part ran.';
const UNWATCHED = 'affected does not watch its tasks, so it is unknown how its cached result was made.';
const UNPROVEN = 'affected did not observe the run of its cached result, so it is unknown whether all tests ran.';

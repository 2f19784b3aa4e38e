import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Plan } from '../plan/plan.js';
import type { Runtime } from '../plan/runtime.js';
import type { ProvenTask } from '../plan/watched-task.js';
import type { watchCheckout } from './changed-checkout.js';

/** The input of a running shard. */
export interface ShardJob {
  readonly plan: Plan;
  /** The folder of the project. */
  readonly folder: AbsolutePath;
  /** The other tasks of the whole plan. */
  readonly others: readonly ProvenTask[];
  readonly concurrency: number;
  /** Of the tasks; `undefined`: not known. */
  readonly runtime: Runtime | undefined;
  readonly services: Services;
  /** `undefined`: the plan has one task. */
  readonly problemFor: Awaited<ReturnType<typeof watchCheckout>> | undefined;
  /** The hashes of tasks that it ran itself, whose output is in the checkout. */
  readonly built: Set<string>;
  /** The variables that turborepo passes to the task, by task and workspace, cached after the first request. */
  readonly environments: Map<string, Promise<Readonly<Record<string, string>> | undefined>>;
}

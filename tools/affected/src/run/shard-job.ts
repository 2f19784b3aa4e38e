import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Plan } from '../plan/plan.js';

/** The input of a running shard. */
export interface ShardJob {
  readonly plan: Plan;
  /** The folder of the project. */
  readonly folder: AbsolutePath;
  readonly concurrency: number;
  readonly services: Services;
  /** The hashes of tasks that it ran itself, whose output is in the checkout. */
  readonly built: Set<string>;
  /** The folder with the results of the build stage; missing: nothing is taken from a stage. */
  readonly stage?: string | undefined;
  /** The folder of turborepo's cache; missing: as the project and the job say. */
  readonly cacheFolder?: string;
  /** The hashes of tasks that came from a cache, as far as somebody asks. */
  readonly replayed?: Set<string>;
  /** The hashes of builds whose results the stage gave. */
  readonly staged?: ReadonlySet<string>;
  /** The variables that turborepo passes to the task, by workspace, cached after the first request. */
  readonly environments: Map<string, Promise<Readonly<Record<string, string>> | undefined>>;
}

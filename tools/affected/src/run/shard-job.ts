import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import type { Plan } from '../plan/plan.js';
import type { PieceTracing } from './trace-pieces.js';

/** What runs a shard. */
export interface ShardJob {
  /** Where pieces are watched; without it they are not. */
  readonly tracing?: PieceTracing | undefined;
  readonly plan: Plan;
  /** Of the project. */
  readonly folder: AbsolutePath;
  readonly concurrency: number;
  readonly services: Services;
  /** The hashes of tasks that it has run itself: what they made is there. */
  readonly built: Set<string>;
  /** The variables that turborepo gives to the task, by workspace, once they were asked for. */
  readonly environments: Map<string, Promise<Readonly<Record<string, string>> | undefined>>;
}

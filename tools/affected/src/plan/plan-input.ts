import type { AffectedResult } from '../result.js';
import type { ScriptFlaw } from '../scripts/script-flaw.js';
import type { Timings } from '../timings/timings.js';
import type { FileTime } from './file-parts.js';
import type { HashingFacts } from './hashed-files.js';
import type { AgreedLosses, BaseSide } from './lost-tasks.js';
import type { Machine } from './machine.js';
import type { SizeRequest } from './pack/choose.js';
import type { TestsAtBase } from './plan.js';
import type { TurboTasks } from './turbo-tasks.js';
import type { PlannedWorkspace } from './upstream.js';

/** The input of a plan. */
export interface PlanInput {
  readonly affected: AffectedResult;
  readonly task: string;
  /** All workspaces at the head. */
  readonly workspaces: readonly PlannedWorkspace[];
  readonly turboTasks: TurboTasks;
  readonly hashing: HashingFacts;
  readonly timings: Timings;
  /** The processor seconds of runs, as far as they are known, in the form of `timings`. */
  readonly cpuSeconds?: Timings;
  /** The machine of a shard; without it, one that runs one task after the other. */
  readonly machine?: Machine | undefined;
  /** By name, the number of files in a workspace that look like tests, to guess how long they take. */
  readonly testFiles: ReadonlyMap<string, number>;
  /** By name, the number of test files that its runner listed; only such a suite is split. */
  readonly listedFiles: ReadonlyMap<string, number>;
  /** By name, the times of its test files, as far as its runner reported them. */
  readonly fileTimes: ReadonlyMap<string, readonly FileTime[]>;
  /** How many tests each ran in its newest known run, by name, as far as that is known. */
  readonly testsRun?: ReadonlyMap<string, number>;
  /** By name, what shows that a workspace had tests at the merge base. */
  readonly testsAtBase?: ReadonlyMap<string, TestsAtBase>;
  /** Of affected workspaces. */
  readonly scriptFlaws?: readonly ScriptFlaw[];
  readonly strictScripts?: boolean;
  readonly shardRequest: SizeRequest;
  readonly base: BaseSide;
  readonly agreed: AgreedLosses;
  /** Everything runs, and the plan says what a selection would have left out. */
  readonly reportOnly?: boolean;
  readonly outside?: string;
  readonly turbo?: string | undefined;
  /** The major version of Node that makes the plan. */
  readonly node?: number;
  /** Called for each workspace that is looked at, and often after that. */
  readonly atWork?: (workspace?: string) => void;
}

import { ToolError } from '@tributary/model/errors';
import type { AffectedResult } from '../result.js';
import type { ScriptFlaw } from '../scripts/script-flaw.js';
import type { ChangedSet } from './changed-sets.js';
import type { FileTime } from './file-parts.js';
import type { Machine } from './machine.js';
import type { ReportingRunner } from './runner-call.js';

/**
 * The output of `affected plan`: which tests run, and in which shard. Schema: `schema/plan.schema.json`; a change of shape is a new
 * version.
 */
export interface Plan extends TaskPlan {
  readonly schemaVersion: 3;
  /** SHA-256 of everything else, in hexadecimal digits; an edited plan is invalid. */
  readonly hash: string;
  /** Seconds that each machine needs before it can begin. */
  readonly setupSeconds: number;
  /** The version of turborepo that yarn.lock names; missing: it names none. */
  readonly turbo?: string;
  /** The major version of Node that made the plan: plans for several versions are different plans. */
  readonly node?: number;
  /** Each piece is in exactly one shard; longest shard first. Empty if there is nothing to run. */
  readonly shards: readonly Shard[];
  /** The machine that times are predicted for, from the newest receipts. `null`: unknown, so the times of a shard are summed up. */
  readonly machine: Machine | null;
  /** The number of requested machines that are omitted because they would not make it faster. */
  readonly unusedShards: number;
  /** The same for each further task; missing in a plan of one task. */
  readonly also?: readonly TaskPlan[];
}

/** What a plan says of one task. */
export interface TaskPlan {
  /** The answer that the plan is based on. */
  readonly affected: AffectedResult;
  /** The task that turborepo runs, such as `test`. */
  readonly task: string;
  /** The changed files that selected pieces, and that the hash of a cached result must cover; without deleted files. */
  readonly changed: readonly ChangedFiles[];
  /** The subsets of `changed` that pieces share. */
  readonly changedSets: readonly ChangedSet[];
  /** A mark of the files outside of all workspaces: a cached result counts only if it was made with the same. `null`: not known. */
  readonly outside: string | null;
  /** The times of the test files of split suites, by which their parts are made; ordered by name. */
  readonly fileTimes: readonly SuiteTimes[];
  /** Ordered by name. */
  readonly leftOut: readonly LeftOut[];
  /** The workspaces that run although a selection would leave them out; ordered by name. Missing: only what was selected runs. */
  readonly unselected?: readonly Unselected[];
  /** The workspaces that had the task before the change, and no longer have it. */
  readonly atBase: TasksAtBase;
  /** Why scripts of planned workspaces may pass although a command in them fails; missing: nothing is known against them. */
  readonly scriptFlaws?: readonly ScriptFlaw[];
  /** The gate fails for a script that discards an exit code: `affected.strictScripts`. */
  readonly strictScripts?: true;
  /** The number of planned workspaces with unknown times, which are guessed. */
  readonly guessed: number;
  /** The seconds of one machine for the tests of every workspace; `null` if that would be a guess. */
  readonly everythingSeconds: number | null;
}

/** The changed files of one workspace, relative to the project's root. */
export interface ChangedFiles {
  readonly workspace: string;
  readonly files: readonly string[];
}

/** The test files of one suite, by paths relative to the workspace. */
export interface SuiteTimes {
  readonly workspace: string;
  readonly files: readonly FileTime[];
}

/** The pieces of one machine. */
export interface Shard {
  /** `01`, `02`, …: no engine requires quoting for it. */
  readonly id: string;
  /** Predicted seconds of pieces and builds, without the set-up. */
  readonly seconds: number;
  /** The part of these seconds for the builds of all dependencies. */
  readonly builds: number;
  /** At least one. */
  readonly pieces: readonly Piece[];
}

/** The tests of a workspace, or one part of them. */
export interface Piece {
  readonly workspace: string;
  /** One of the tasks of the plan; missing in a plan of one task. */
  readonly task?: string;
  /** `[1, 3]` is the first of three parts. */
  readonly part: readonly [number, number] | null;
  /** Predicted seconds if it runs alone on the machine. */
  readonly seconds: number;
  /** How many tests its workspace ran in its newest known run, all parts together; missing: not known. */
  readonly tests?: number;
  /** The tests of its workspace at the merge base; missing: none, or not known. */
  readonly testsAtBase?: TestsAtBase;
  /** Why it may run none of these, from `affected.dropped` or `--dropped`; missing: nobody said so, or nothing is known of tests. */
  readonly agreed?: string;
  /** A cached result does not count: turbo's hash does not see why the workspace was chosen. */
  readonly fresh: boolean;
  /** A sentence: why it does not; missing if it may count. */
  readonly why?: string;
  /**
   * An index in `changedSets` of the plan: the files that turbo must hash for a cached result to count. Missing if it does not count
   * anyway.
   */
  readonly changed?: number;
}

/** What shows that a workspace had tests. */
export interface TestsAtBase {
  /** The runners that its script started. */
  readonly runners: readonly ReportingRunner[];
  /** The number of files that these take for tests by their names. */
  readonly files: number;
}

export interface LeftOut {
  readonly workspace: string;
  readonly reason: string;
}

/** A workspace that a selection leaves out, with the reason, in a plan that only reports. */
export interface Unselected extends LeftOut {
  /** Its folder, relative to the project's root; `.` for the root. */
  readonly path: string;
}

/** The workspaces with the task at the merge base, compared with the head. */
export interface TasksAtBase {
  /** Why they are unknown; `null` if they are known. */
  readonly unknown: string | null;
  /** The number of workspaces that had the task. */
  readonly workspaces: number;
  /** Ordered by name. The gate passes only if each was agreed to. */
  readonly lost: readonly LostTask[];
}

/** A workspace that had the task at the merge base. At the head it has no such task, or is not a workspace. */
export interface LostTask {
  /** Its name at the merge base. */
  readonly workspace: string;
  readonly reason: string;
  /** The reason in `affected.dropped` or from `--dropped`; `null` if there is none. */
  readonly agreed: string | null;
}

/** Returns the predicted seconds until the last machine is done. */
export function wallOf({ shards, setupSeconds }: Pick<Plan, 'shards' | 'setupSeconds'>): number {
  return shards.length === 0 ? 0 : setupSeconds + Math.max(...shards.map(({ seconds }) => seconds));
}

/** Returns the name of a piece: `@acme/ui`, `@acme/ui (2 of 3)`; in a plan of several tasks `@acme/ui#lint`. */
export function pieceName(piece: Pick<Piece, 'workspace' | 'part' | 'task'>): string {
  const { part } = piece;
  return part === null ? wholeName(piece) : `${wholeName(piece)} (${part[0]} of ${part[1]})`;
}

/** Returns the same name for all parts of one task of a workspace. */
export function wholeName({ workspace, task }: Pick<Piece, 'workspace' | 'task'>): string {
  return task === undefined ? workspace : `${workspace}#${task}`;
}

/** Throws `USAGE` for an id that no shard has. */
export function findShard({ shards }: Plan, id: string): Shard {
  const shard = shards.find((one) => one.id === id);
  if (shard !== undefined) return shard;
  const range = shards.length === 1 ? `only ${shards[0]?.id}` : `${shards[0]?.id} to ${shards.at(-1)?.id}`;
  const known = shards.length === 0 ? 'The plan is empty, so it has no shards.' : `It has ${range}.`;
  throw new ToolError({ code: 'USAGE', message: `Not a shard of the plan: "${id}".`, hint: known, data: { shard: id } });
}

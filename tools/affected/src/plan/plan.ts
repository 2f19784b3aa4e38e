import type { AffectedResult } from '../result.js';
import type { ChangedSet } from './changed-sets.js';
import type { FileTime } from './file-parts.js';
import type { Machine } from './machine.js';

/** What `affected plan` writes: which tests run, and on which machine. Schema: `schema/plan.schema.json`; a change of shape is a new version. */
export interface Plan {
  readonly schemaVersion: 3;
  /** SHA-256 of all the rest, in hexadecimal digits: a plan that was edited is none. */
  readonly hash: string;
  /** The answer that the plan was made of. */
  readonly affected: AffectedResult;
  /** The task of turborepo that is run, such as `test`. */
  readonly task: string;
  /** What each machine needs before it can begin. */
  readonly setupSeconds: number;
  /** The changed files that pieces were selected for and that a cached result must have in its hash; deleted ones are not in it. */
  readonly changed: readonly ChangedFiles[];
  /** What pieces have in common of it. */
  readonly changedSets: readonly ChangedSet[];
  /** The version of turborepo that yarn.lock names; missing: it names none. */
  readonly turbo?: string;
  /** A mark of the files outside of all workspaces: a cached result counts only if it was made with the same. `null`: not known. */
  readonly outside: string | null;
  /** Each piece stands in exactly one of them. None if there is nothing to run. The longest first. */
  readonly shards: readonly Shard[];
  /** What the test files of suites that are cut took, by which their parts are made; ordered by name. */
  readonly fileTimes: readonly SuiteTimes[];
  /** Ordered by name. */
  readonly leftOut: readonly LeftOut[];
  /** Who had the task before the change, and has it no more. */
  readonly atBase: TasksAtBase;
  /** What more or fewer machines would mean; ascending. */
  readonly curve: readonly CurvePoint[];
  /** Of how many planned workspaces nobody knows how long they take, so that their times are guesses. */
  readonly guessed: number;
  /** What the times are predicted for, as the newest receipts tell; `null`: they tell nothing, and the times of a shard are added up. */
  readonly machine: Machine | null;
  /** How many of the machines that were asked for are left out because with them it would not be done earlier. */
  readonly unusedShards: number;
  /** What testing every workspace would take on one machine; `null` where that would be a guess. */
  readonly everythingSeconds: number | null;
}

/** The changed files of one workspace, from the root of the project. */
export interface ChangedFiles {
  readonly workspace: string;
  readonly files: readonly string[];
}

/** The test files of one suite, by their paths from the folder of the workspace. */
export interface SuiteTimes {
  readonly workspace: string;
  readonly files: readonly FileTime[];
}

/** What one machine runs. */
export interface Shard {
  /** `01`, `02`, … : letters of no engine need quoting for it. */
  readonly id: string;
  /** Predicted: pieces and builds, without the set-up. */
  readonly seconds: number;
  /** Of those, what the builds of everything that the pieces depend on take. */
  readonly builds: number;
  /** At least one. */
  readonly pieces: readonly Piece[];
}

/** The tests of a workspace, or one part of them. */
export interface Piece {
  readonly workspace: string;
  /** `[1, 3]` is the first of three. */
  readonly part: readonly [number, number] | null;
  /** Predicted: what it takes alone on the machine. */
  readonly seconds: number;
  /** How many tests its workspace ran in its newest known run, all parts together; missing: not known, or somebody agreed that it may lose them. */
  readonly tests?: number;
  /** A cached result does not count: turbo's hash does not see why the workspace was chosen. */
  readonly fresh: boolean;
  /** A place in `changedSets` of the plan: what turbo must hash for a cached result to count. None where it does not count anyway. */
  readonly changed?: number;
}

export interface LeftOut {
  readonly workspace: string;
  readonly reason: string;
}

/** The workspaces with the task at the merge base, held against the head. */
export interface TasksAtBase {
  /** Why they are not known; `null`: they are. */
  readonly unknown: string | null;
  /** How many had the task. */
  readonly workspaces: number;
  /** Ordered by name. The gate passes only if each was agreed to. */
  readonly lost: readonly LostTask[];
}

/** A workspace that had the task at the merge base. At the head it has no such task, or is no workspace. */
export interface LostTask {
  /** Its name at the merge base. */
  readonly workspace: string;
  readonly reason: string;
  /** Why that is wanted, by `affected.dropped` or `--dropped`; `null`: nobody said so. */
  readonly agreed: string | null;
}

export interface CurvePoint {
  readonly shards: number;
  /** Seconds until the last machine is done, set-up included. */
  readonly wallSeconds: number;
  /** Seconds of all machines together. */
  readonly machineSeconds: number;
}

/** A piece in words: `@acme/ui`, `@acme/ui (2 of 3)`. */
export function pieceName({ workspace, part }: Pick<Piece, 'workspace' | 'part'>): string {
  return part === null ? workspace : `${workspace} (${part[0]} of ${part[1]})`;
}

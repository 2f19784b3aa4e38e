import type { VisibleCall } from '@tributary/process/spawn';
import type { TaskTraces, TraceSummary } from '../observe/readings.js';

/** Why nothing can watch here. */
export interface NoTracer {
  readonly gap: 'tracer-missing' | 'tracer-denied';
  readonly detail: string;
}

/** A way to watch commands: strace, or hooks in Node. */
export interface WorkingTracer {
  /** With its version. */
  readonly name: string;
  /** Whether it is a file that Node loads. */
  readonly needsLoading?: true;
  /** Runs a command visibly, until it and all its child processes end. Throws `PROGRAM_MISSING`, `INTERRUPTED`, `DISK_FULL`. */
  readonly run: (call: TracedCall) => Promise<Traced>;
  /** Does the same for turborepo, and separates its tasks. */
  readonly runTasks: (call: VisibleCall & { readonly cwd: string }) => Promise<TracedTasks>;
}

export type Tracer = WorkingTracer | NoTracer;

/** A command to trace; `folder` is a path without links. */
export interface TracedCall {
  readonly command: readonly string[];
  readonly folder: string;
  /** Where its stdout goes. */
  readonly output: 'stdout' | 'stderr';
  readonly signal: AbortSignal;
}

/** `exit`: `null` if a signal ended the command. */
export interface Traced {
  readonly exit: number | null;
  readonly summary: TraceSummary;
}

/** A run of turborepo. `exit`: `null` if a signal ended it. */
export interface TracedTasks {
  readonly exit: number | null;
  readonly traces: TaskTraces;
}

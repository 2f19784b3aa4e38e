import type { Gap } from './observation.js';

/** A line that the hooks in a Node process write: JSON. Moments are nanoseconds of the system's clock that only runs forward. */
export type HookRecord =
  | readonly ['start', HookedThread]
  | readonly ['use', HookUse, path: string, moment: number]
  /** A program that the process started; `isNode`: it is Node, so it must write lines of its own. */
  | readonly ['program', path: string, isNode: boolean]
  /** A worker of this process, which must write lines of its own. */
  | readonly ['thread', id: number]
  | readonly ['gap', Gap, detail: string]
  /** The name of an environment variable that was read. */
  | readonly ['variable', name: string]
  /** All names were enumerated. */
  | readonly ['variables']
  | readonly ['reach', address: HookAddress]
  | readonly ['serve', address: HookAddress];

export type HookUse = 'read' | 'found' | 'absent' | 'listed' | 'moved' | 'written';

/** A socket's path, or a port. */
export type HookAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** The first line of a thread. */
export interface HookedThread {
  readonly pid: number;
  readonly ppid: number;
  /** 0: the main thread. */
  readonly thread: number;
  /** turborepo's hash of the task; `''` without turborepo. */
  readonly task: string;
  /** The version of Node. */
  readonly node: string;
  /** The names of the variables that it started with. */
  readonly variables: readonly string[];
  readonly moment: number;
}

/** The most paths that one thread of a process, or one task, may use. More would take more memory than a CI job has. */
export const MOST_PATHS = 250_000;

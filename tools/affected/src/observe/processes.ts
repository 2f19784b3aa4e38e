import type { Syscall } from './syscall.js';

/**
 * `task`: the hash of turborepo's task; `''` if it belongs to none. `file`: the test file that it runs, see `ownerOf`; child processes inherit it.
 */
export interface TracedProgram {
  isTool: boolean;
  /** Whether it has read its script, or another file in place of one. */
  hasScript: boolean;
  file?: string | undefined;
  readonly task: string;
  /**
   * `outer`: leads to the command. `child`: a package manager started it, and it may be another one. `inner`: everything that it starts.
   */
  readonly level: 'outer' | 'child' | 'inner';
}

/** Returns a program that another one has started. turborepo starts a task: everything before leads to no test. */
export function startedBy({ isTool, task, file, level }: TracedProgram, own: string): TracedProgram {
  const below = level === 'outer' ? (isTool ? 'child' : 'outer') : 'inner';
  return { isTool: false, hasScript: false, task: own, file, level: own === task ? below : 'outer' };
}

/** A traced process or thread. Threads share the working directory and program of their process. */
export interface TracedProcess {
  fs: { folder: string };
  program: TracedProgram;
}

/**
 * Tracks the working directory and program of each process. A child may act before the call that created it returns in its parent; its
 * calls are deferred until then.
 */
export class Processes {
  private readonly known = new Map<number, TracedProcess>();
  private readonly waiting = new Map<number, (() => void)[]>();
  private readonly folder: string;
  private isStarted = false;

  /** `folder`: the working directory of the first process. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Calls `use` with the process, immediately or as soon as it is known. */
  with(pid: number, use: (tracee: TracedProcess) => void): void {
    if (!this.isStarted) this.known.set(pid, newProcess(this.folder));
    this.isStarted = true;
    const tracee = this.known.get(pid);
    if (tracee !== undefined) return use(tracee);
    const later = this.waiting.get(pid) ?? [];
    this.waiting.set(pid, later);
    later.push(() => this.with(pid, use));
  }

  /** Handles the return of `clone`, `fork` or `vfork` in the parent. */
  adopt(parent: TracedProcess, call: Syscall): void {
    if (call.value === undefined || call.value <= 0) return;
    const flags = call.args.join();
    const isThread = flags.includes('CLONE_THREAD');
    this.known.set(call.value, {
      fs: flags.includes('CLONE_FS') ? parent.fs : { ...parent.fs },
      program: isThread ? parent.program : { ...parent.program },
    });
    this.catchUp(call.value);
  }

  /** Handles a thread that continues under the id of its process. */
  replace(pid: number, by: number): void {
    const tracee = this.known.get(pid);
    if (tracee !== undefined) this.known.set(by, tracee);
  }

  /** Forgets a process, because its id may be reused. */
  end(pid: number): void {
    if (this.known.delete(pid)) return;
    this.waiting.get(pid)?.push(() => this.known.delete(pid));
  }

  /**
   * Returns the processes whose parents were not seen, as in a separate namespace. Their calls are replayed as if they ran in the first
   * folder.
   */
  finish(): readonly number[] {
    const lost = [...this.waiting.keys()];
    for (const pid of lost) {
      this.known.set(pid, newProcess(this.folder));
      this.catchUp(pid);
    }
    return lost;
  }

  private catchUp(pid: number): void {
    const later = this.waiting.get(pid) ?? [];
    this.waiting.delete(pid);
    for (const go of later) go();
  }
}

function newProcess(folder: string): TracedProcess {
  return { fs: { folder }, program: { isTool: false, hasScript: false, task: '', level: 'outer' } };
}

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import crossSpawn from 'cross-spawn';
import { BoundedLog } from './bounded-log.js';
import { endTree } from './end-tree.js';
import type { Environment } from './environment.js';
import { listMarked, markedCommand } from './inherited-mark.js';
import { interrupted, notStarted } from './spawn.js';
import { hasCode } from './system-error.js';

/** A call of an untrusted program, such as the tests of a package. */
export interface ContainedCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  /** The file for both streams, in the order in which they are read. Its folder must exist. */
  readonly log: string;
  readonly timeoutMs: number;
  /**
   * A variable for the program, as `NAME=value`, shared by several calls. `endProcessesWith` finds the processes that any of them left
   * behind.
   */
  readonly mark?: string;
  /** The maximum number of bytes on its streams before it is stopped; the log keeps fewer (default: 512 MiB). */
  readonly outputLimit?: number;
  readonly signal: AbortSignal | undefined;
}

export interface ContainedResult {
  readonly ended: 'well' | 'badly' | 'too late' | 'too much output';
  /** The content of the log: beginning and end of both streams. */
  readonly output: string;
  /** The number of processes still running after the program ended. On systems other than Linux it is 0. */
  readonly leftBehind: number;
  /** How many of these keep running because they belong to another user. */
  readonly notEnded: number;
  /** Whether processes are found even if they left the group and dropped their environment (see `markedCommand`). */
  readonly isMarked: boolean;
}

const MEBIBYTE = 1024 * 1024;
const OUTPUT_LIMIT = 512 * MEBIBYTE;
/** How long a program may take to end after SIGTERM. */
const GRACE_MS = 1000;
/** The variable name of the mark of one call. */
const MARK = 'TRIBUTARY_CONTAINED';

/**
 * Runs a program to its end and leaves no process behind. It ends the process group, and on Linux also every process with the call's mark,
 * because a daemon has its own group (`inherited-mark.ts`). The program has no stdin. Its failure is a result, not an error. This is no
 * sandbox: the program may read and write whatever the user may. A process that another service starts for it stays. Throws
 * `PROGRAM_MISSING`, `INTERRUPTED`, `DISK_FULL`.
 */
export async function runContained(call: ContainedCall): Promise<ContainedResult> {
  refuseInterrupted(call);
  const mark = `${MARK}=${randomBytes(12).toString('hex')}`;
  const log = new BoundedLog(call.log);
  let onExit = (): void => {};
  try {
    const { child, isMarked } = start(call, mark);
    // For an immediate exit of this process, as after a second Ctrl-C.
    onExit = () => {
      signalGroup(child, 'SIGKILL');
      for (const pid of listMarked(mark)) signal(pid, 'SIGKILL');
    };
    process.on('exit', onExit);
    const [exit] = await Promise.allSettled([untilExit(call, child, log)]);
    const left = await endAll(child, mark);
    await untilClosed(child);
    // Thrown only now: a full disk must not keep the processes from being ended.
    if (exit.status === 'rejected') throw exit.reason;
    refuseInterrupted(call);
    return { ended: exit.value, output: log.finish(), ...left, isMarked };
  } finally {
    process.off('exit', onExit);
    log.finish();
  }
}

/**
 * Ends every process that carries a mark, and those it starts meanwhile. Used for a run that was killed and could not end them itself.
 * Returns how many there were; 0 on systems other than Linux.
 */
export async function endProcessesWith(mark: string): Promise<number> {
  const seen = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const left = listMarked(mark);
    if (left.length === 0) break;
    for (const pid of left) {
      seen.add(pid);
      signal(pid, 'SIGKILL');
    }
    await wait(10);
  }
  return seen.size;
}

function refuseInterrupted(call: ContainedCall): void {
  if (call.signal?.aborted === true) throw interrupted(call);
}

function start(call: ContainedCall, mark: string): { readonly child: ChildProcess; readonly isMarked: boolean } {
  try {
    const marks = [mark, ...(call.mark === undefined ? [] : [call.mark])] as const;
    const marked = markedCommand(call, { marks, cwd: call.cwd, path: call.env['PATH'] });
    const child = crossSpawn(marked.program, [...marked.args], {
      cwd: call.cwd,
      env: { ...call.env, ...Object.fromEntries(marks.map((one) => one.split('=', 2))) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The leader of a process group of its own. Windows has none, and would show a window for each program that this one starts.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    return { child, isMarked: marked !== call };
  } catch (error) {
    throw notStarted(call, error as NodeJS.ErrnoException);
  }
}

async function untilExit(call: ContainedCall, child: ChildProcess, log: BoundedLog): Promise<ContainedResult['ended']> {
  let stopped: ContainedResult['ended'] | undefined;
  let last: NodeJS.Timeout | undefined;
  const stop = (reason: ContainedResult['ended']): void => {
    stopped ??= reason;
    signalGroup(child, 'SIGTERM');
    last ??= setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  };
  const onAbort = (): void => stop('badly');
  let failure: unknown;
  const onData = (piece: Buffer): void => {
    try {
      log.write(piece);
    } catch (error) {
      failure ??= error;
      stop('badly');
    }
    if (log.bytes > (call.outputLimit ?? OUTPUT_LIMIT)) stop('too much output');
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', onData);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop('too late'), call.timeoutMs);
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error) => reject(notStarted(call, error)));
      // Not `close`: a process left behind may hold the streams open.
      child.on('exit', resolve);
    });
    if (failure !== undefined) throw failure;
    return stopped ?? (exit === 0 ? 'well' : 'badly');
  } finally {
    clearTimeout(timer);
    clearTimeout(last);
    call.signal?.removeEventListener('abort', onAbort);
  }
}

/** The maximum number of rounds, because processes may start others while they are ended. */
const ROUNDS = 20;

/** Ends all processes of a call. Returns how many were left behind, as far as is known. */
async function endAll(child: ChildProcess, mark: string): Promise<Pick<ContainedResult, 'leftBehind' | 'notEnded'>> {
  const leftBehind = listMarked(mark).length;
  signalGroup(child, 'SIGKILL');
  await endProcessesWith(mark);
  return { leftBehind, notEnded: listMarked(mark).length };
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (endTree(pid) === 'by signals' && pid !== undefined) signal(-pid, name);
}

/** Sends a signal. Does nothing if the process is gone or belongs to another user. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}

/** Waits until the streams are read to the end. A surviving process may hold them open; then they are closed here. */
async function untilClosed(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream?.once('close', resolve))));
  const late = new AbortController();
  await Promise.race([closed, wait(GRACE_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  for (const stream of streams) stream?.destroy();
}

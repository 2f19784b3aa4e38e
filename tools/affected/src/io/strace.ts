import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readSync, realpathSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isToolError } from '@tributary/model/errors';
import { callProgram, type ProgramResult, runVisibly, type VisibleCall } from '@tributary/process/spawn';
import { TRACED } from '../observe/calls.js';
import { Trace } from '../observe/trace.js';
import { definedEnvironment } from './environment.js';
import { findInterpreter } from './interpreter.js';
import type { Traced, TracedCall, TracedTasks, Tracer } from './tracer.js';

// Options: paths of descriptors; one character of strings that are not paths; no messages about processes on the command's terminal;
// signals end strace together with the command.
const OPTIONS = ['-f', '-y', '-s', '1', '-q', '-I', '2', '-e', `trace=${TRACED}`];

/**
 * Tries strace with all its options on a small program. It first tries the kernel filter (strace 5.3), which lets all other calls
 * pass at full speed.
 */
export async function findStrace(signal: AbortSignal): Promise<Tracer> {
  if (process.platform !== 'linux') return { gap: 'tracer-missing', detail: 'strace exists only on Linux' };
  return withTraceFile(({ path }) => tryStrace([...WITH_TASKS, '-o', path, 'true'], signal));
}

async function tryStrace(args: readonly string[], signal: AbortSignal): Promise<Tracer> {
  let detail = '';
  for (const options of [['--seccomp-bpf', ...OPTIONS], OPTIONS]) {
    const tried = await callStrace([...options, ...args], signal);
    if (tried === undefined) return { gap: 'tracer-missing', detail: 'strace is not installed' };
    if (tried.exit === 0) {
      const version = /version (\S+)/.exec((await callStrace(['-V'], signal))?.stdout.toString('utf8') ?? '')?.[1] ?? 'unknown';
      return {
        name: `strace ${version}${options === OPTIONS ? '' : ' --seccomp-bpf'}`,
        run: (call) => runTraced(call, options),
        runTasks: (call) => runTracedTasks(call, options),
      };
    }
    detail = tried.stderr.trim().split('\n').at(-1) ?? '';
  }
  return { gap: 'tracer-denied', detail };
}

async function callStrace(args: readonly string[], signal: AbortSignal): Promise<ProgramResult | undefined> {
  try {
    return await callProgram({ program: 'strace', args, env: definedEnvironment(), signal });
  } catch (error) {
    if (isToolError(error) && error.code === 'PROGRAM_MISSING') return undefined;
    throw error;
  }
}

/** Includes the environment of each program, to read the hash of its task. Longer values are truncated. */
const WITH_TASKS = ['-s', '27', '-e', 'abbrev=!execve,execveat'];

/** Does the same for turborepo, and separates tasks by their environment. Throws the errors of `runTraced`. */
async function runTracedTasks(call: VisibleCall & { readonly cwd: string }, options: readonly string[]): Promise<TracedTasks> {
  const signal = call.signal ?? new AbortController().signal;
  return withTraceFile(async (file) => {
    const args = [...options, ...WITH_TASKS, '-o', file.path, '--', call.program, ...call.args];
    const watcher = new Watcher(file, signal);
    const env = { ...call.env, UV_USE_IO_URING: '0' };
    const exit = await watcher.untilEnd(runVisibly({ ...call, program: 'strace', args, env, signal: watcher.signal }));
    const trace = await readTrace(file, realpathSync.native(call.cwd));
    const traces = trace.finishTasks();
    return { exit: exit === 'left' ? trace.exit : exit, traces };
  });
}

/**
 * Runs a command visibly under strace, until it and all its child processes end; it waits only a few seconds for those that stay. The trace
 * is in a temporary file meanwhile. Throws `PROGRAM_MISSING` for a missing command, `INTERRUPTED`, `DISK_FULL`.
 */
async function runTraced({ command, folder, output, signal }: TracedCall, options: readonly string[]): Promise<Traced> {
  return withTraceFile(async (file) => {
    const args = [...options, '-o', file.path, '--', ...command];
    const watcher = new Watcher(file, signal);
    const exit = await watcher.untilEnd(
      runVisibly({ program: 'strace', args, env: watchedEnvironment(), cwd: folder, output, signal: watcher.signal }),
    );
    const trace = await readTrace(file, folder);
    const summary = trace.finish(inputFile());
    return { exit: exit === 'left' ? summary.exit : exit, summary };
  });
}

/** A file without a name; `path`: the path by which strace opens it. */
interface TraceFile {
  readonly descriptor: number;
  readonly path: string;
}

/**
 * Runs with a trace file that has no name, because it contains parts of environment variables: however this process ends, nothing of it
 * remains.
 */
async function withTraceFile<T>(use: (file: TraceFile) => Promise<T>): Promise<T> {
  const name = join(tmpdir(), `affected-trace-${randomUUID()}`);
  const descriptor = openSync(name, 'wx+', 0o600);
  try {
    unlinkSync(name);
    return await use({ descriptor, path: `/proc/${process.pid}/fd/${descriptor}` });
  } finally {
    closeSync(descriptor);
  }
}

/** How long a program may outlive the command that started it. */
const LEFT_MS = 5000;

/** Ends the trace when the command has ended. strace itself waits for all child processes, and a daemon would keep it forever. */
class Watcher {
  readonly signal: AbortSignal;
  private readonly own = new AbortController();
  private readonly file: TraceFile;
  private goneSince: number | undefined;

  constructor(file: TraceFile, signal: AbortSignal) {
    this.file = file;
    this.signal = AbortSignal.any([signal, this.own.signal]);
  }

  async untilEnd(run: Promise<number | null>): Promise<number | null | 'left'> {
    const timer = setInterval(() => this.look(), 500);
    try {
      return await run;
    } catch (error) {
      if (this.own.signal.aborted) return 'left';
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  private look(): void {
    const pid = firstPid(this.file);
    if (pid === undefined || existsSync(`/proc/${pid}`)) return;
    this.goneSince ??= Date.now();
    if (Date.now() - this.goneSince >= LEFT_MS) this.own.abort();
  }
}

/** Returns the first process of a trace. */
function firstPid({ descriptor }: TraceFile): string | undefined {
  const start = Buffer.alloc(16);
  readSync(descriptor, start, { position: 0 });
  return /^\d+(?= )/.exec(start.toString('latin1'))?.[0];
}

/** Runs it without a tracer. Throws as `runTraced`. */
export async function runUntraced({ command, folder, output, signal }: TracedCall): Promise<Traced['exit']> {
  const [program = '', ...args] = command;
  return runVisibly({ program, args, env: definedEnvironment(), cwd: folder, output, signal });
}

/** libuv may read files by io_uring, which no tracer sees. A task that turborepo replays reads nothing. */
function watchedEnvironment(): Readonly<Record<string, string>> {
  return { ...definedEnvironment(), UV_USE_IO_URING: '0', TURBO_FORCE: 'true' };
}

/** Reads line by line, because a long run writes gigabytes. An incomplete last line was truncated. */
async function readTrace({ descriptor: fd }: TraceFile, folder: string): Promise<Trace> {
  const trace = new Trace(folder);
  const input = createReadStream('', { fd, start: 0, autoClose: false, encoding: 'latin1' });
  for await (const line of createInterface({ input, crlfDelay: Infinity })) trace.add(line);
  trace.addInterpreters(findInterpreter);
  return trace;
}

/** Returns the file of the command's standard input, which was opened before the trace began. Only Linux tells. */
export function inputFile(): string | undefined {
  try {
    const path = realpathSync.native('/proc/self/fd/0', 'latin1');
    return path.startsWith('/dev/') || path.startsWith('/proc/') ? undefined : path;
  } catch {
    // A pipe or terminal has no path.
    return undefined;
  }
}

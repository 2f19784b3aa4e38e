import { createReadStream, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isToolError } from '@tributary/model/errors';
import { callProgram, type ProgramResult, runVisibly } from '@tributary/process/spawn';
import { TRACED } from '../observe/calls.js';
import { Trace, type TraceSummary } from '../observe/trace.js';
import { definedEnvironment } from './environment.js';

/** How a command can be watched on this machine; `gap`: not at all, and why. */
export type Tracer =
  | { readonly name: string; readonly options: readonly string[] }
  | { readonly gap: 'tracer-missing' | 'tracer-denied'; readonly detail: string };

// Paths of descriptors; of texts that are no paths one character; no words about processes that come and go, on the terminal of the command;
// signals end it together with the command.
const OPTIONS = ['-f', '-y', '-s', '1', '-q', '-I', '2', '-e', `trace=${TRACED}`];

/** Tries strace on a small program, first with the filter in the kernel that lets all other calls pass at full speed (strace 5.3). */
export async function findTracer(signal: AbortSignal): Promise<Tracer> {
  let detail = '';
  for (const options of [['--seccomp-bpf', ...OPTIONS], OPTIONS]) {
    const tried = await callStrace([...options, '-o', '/dev/null', 'true'], signal);
    if (tried === undefined) return { gap: 'tracer-missing', detail: 'strace is not installed' };
    if (tried.exit === 0) {
      const version = /version (\S+)/.exec((await callStrace(['-V'], signal))?.stdout.toString('utf8') ?? '')?.[1] ?? 'unknown';
      return { name: `strace ${version}${options === OPTIONS ? '' : ' --seccomp-bpf'}`, options };
    }
    detail = tried.stderr.trim().split('\n').at(-1) ?? '';
  }
  return { gap: 'tracer-denied', detail };
}

async function callStrace(args: readonly string[], signal: AbortSignal): Promise<ProgramResult | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return await callProgram({ program: 'strace', args, env: definedEnvironment(), signal });
  } catch (error) {
    if (isToolError(error) && error.code === 'PROGRAM_MISSING') return undefined;
    throw error;
  }
}

/** A command that is to be watched; `folder` is without links. */
export interface TracedCall {
  readonly command: readonly string[];
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** `exit`: `null` when a signal ended the command. */
export interface Traced {
  readonly exit: number | null;
  readonly summary: TraceSummary;
}

/**
 * Runs a command visibly under strace, to its end and that of all that it started. The trace is in a temporary folder meanwhile. Throws
 * `PROGRAM_MISSING` for a command that is not there, `INTERRUPTED`, `DISK_FULL`.
 */
export async function runTraced({ command, folder, signal }: TracedCall, options: readonly string[]): Promise<Traced> {
  const place = mkdtempSync(join(tmpdir(), 'affected-trace-'));
  try {
    const file = join(place, 'trace');
    const args = [...options, '-o', file, '--', ...command];
    const exit = await runVisibly({ program: 'strace', args, env: watchedEnvironment(), cwd: folder, signal });
    return { exit, summary: await readTrace(file, folder) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Runs it without a tracer. Throws as `runTraced`. */
export async function runUntraced({ command, folder, signal }: TracedCall): Promise<Traced['exit']> {
  const [program = '', ...args] = command;
  return runVisibly({ program, args, env: definedEnvironment(), cwd: folder, signal });
}

/** libuv may read files by io_uring, which no tracer sees. */
function watchedEnvironment(): Readonly<Record<string, string>> {
  return { ...definedEnvironment(), UV_USE_IO_URING: '0' };
}

/** Line by line: a long run writes gigabytes. A last line that does not end is one that was cut off. */
async function readTrace(file: string, folder: string): Promise<TraceSummary> {
  const trace = new Trace(folder);
  if (existsSync(file))
    for await (const line of createInterface({ input: createReadStream(file, 'latin1'), crlfDelay: Infinity })) trace.add(line);
  const input = inputFile();
  return trace.finish(input);
}

/** The file that the command reads as its standard input; it was opened before the trace began. */
function inputFile(): string | undefined {
  try {
    const path = realpathSync.native('/proc/self/fd/0', 'latin1');
    return path.startsWith('/dev/') || path.startsWith('/proc/') ? undefined : path;
  } catch {
    // A pipe or a terminal has no path.
    return undefined;
  }
}

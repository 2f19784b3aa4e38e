import type { ChildProcess, StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import { type Duration, formatDuration } from '@tributary/model/time';
import crossSpawn from 'cross-spawn';
import { endTree } from './end-tree.js';
import type { Environment } from './environment.js';
import { holdSignals } from './hold-signals.js';

export interface ProgramCall {
  /** A name to look up in PATH, or an absolute path. */
  readonly program: string;
  /** Passed unchanged: no shell is involved. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly cwd?: string;
  readonly input?: Uint8Array | string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with every piece of stderr as it arrives, for progress. */
  readonly onStderr?: (text: string) => void;
}

export interface ProgramResult {
  /** `null` if a signal ended the program. */
  readonly exit: number | null;
  readonly stdout: Buffer;
  /** Without credentials; the last 64 KiB. */
  readonly stderr: string;
}

/** A running program with streams to read and write. */
export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Waits for the end. Throws `PROGRAM_FAILED` with stderr for any exit code but 0. */
  readonly done: () => Promise<void>;
}

const STDERR_KEPT = 64 * 1024;
/** The maximum length of an argument in a message. */
const ARGUMENT_SHOWN = 8 * 1024;
/** How long a program may take to end after SIGTERM. */
const GRACE_MS = 1000;

/** Runs a program to its end and returns its result, whatever the exit code. Throws `PROGRAM_MISSING`, `PROGRAM_TIMEOUT`, `INTERRUPTED`. */
export function callProgram(call: ProgramCall): Promise<ProgramResult> {
  return endedBySignals(async (also) => {
    // An unused pipe costs some tenths of a millisecond.
    const { child, stderr } = launch(call, call.input === undefined ? 'ignore' : 'pipe');
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin?.end(call.input);
    const exit = await untilEnd(call, child, also);
    return { exit, stdout: Buffer.concat(chunks), stderr: stderr() };
  });
}

/** Runs a program to its end and returns its stdout. Throws like `callProgram`, and `PROGRAM_FAILED` for any exit code but 0. */
export async function runProgram(call: ProgramCall): Promise<Buffer> {
  const result = await callProgram(call);
  if (result.exit !== 0) throw failed(call, result.exit, result.stderr);
  return result.stdout;
}

export interface VisibleCall extends Omit<ProgramCall, 'input' | 'onStderr'> {
  /** The destination of stderr. `stdout`: both streams go there, in the order in which they are written. */
  readonly errors?: 'stderr' | 'stdout';
  /** Where stdout goes: to stderr where stdout is for an answer. */
  readonly output?: 'stdout' | 'stderr';
  /** Called at once with each stream that would go to stdout; it passes the stream on. It has ended when the call returns. */
  readonly passOn?: (stream: Readable) => void;
}

/**
 * Runs a program that talks to the user directly, with this process's streams. Returns its exit code; `null` if a signal ended it. Throws
 * like `callProgram`.
 */
export async function runVisibly(call: VisibleCall): Promise<number | null> {
  if (call.signal?.aborted === true) throw interrupted(call);
  const { passOn } = call;
  const ofStdout = passOn === undefined ? 1 : 'pipe';
  const stdio: StdioOptions = ['inherit', call.output === 'stderr' ? 2 : ofStdout, call.errors === 'stdout' ? ofStdout : 'inherit'];
  return endedBySignals((also) => {
    const child = spawnChild(call, stdio);
    for (const stream of [child.stdout, child.stderr]) if (stream !== null) passOn?.(stream);
    return untilEnd(call, child, also);
  });
}

/**
 * Starts a program whose stdin and stdout are streamed. Errors reject `done` and end the streams. The streams end with this process, and the
 * program with them.
 */
export function startProgram(call: ProgramCall): RunningProgram {
  const { child, stderr } = launch(call, 'pipe');
  if (child.stdin === null || child.stdout === null) throw new Error('the program was started without pipes');
  const outcome = untilEnd(call, child).then(
    (exit) => ({ exit }),
    (error: unknown) => ({ error }),
  );
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    done: async () => {
      const result = await outcome;
      if ('error' in result) throw result.error;
      if (result.exit !== 0) throw failed(call, result.exit, stderr());
    },
  };
}

interface Launched {
  readonly child: ChildProcess;
  readonly stderr: () => string;
}

function launch(call: ProgramCall, stdin: 'pipe' | 'ignore'): Launched {
  if (call.signal?.aborted === true) throw interrupted(call);
  const child = spawnChild(call, [stdin, 'pipe', 'pipe']);
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = lastWords(tail + text);
    call.onStderr?.(text);
  });
  // A program that ends before it has read its whole input is judged by its exit code, not by the broken pipe.
  child.stdin?.on('error', ignoreBrokenPipe);
  return { child, stderr: () => redactUrls(tail) };
}

function spawnChild(call: ProgramCall, stdio: StdioOptions): ChildProcess {
  try {
    return crossSpawn(call.program, [...call.args], { cwd: call.cwd, env: { ...call.env }, stdio, windowsHide: true });
  } catch (error) {
    // Most failures arrive as the event `error`; some (E2BIG, an argument with NUL) are thrown at once.
    throw notStarted(call, error as NodeJS.ErrnoException);
  }
}

/** Returns the end of a text, starting with a whole word: half an address would not be recognised, and its password would be printed. */
function lastWords(text: string): string {
  return text.length <= STDERR_KEPT ? text : text.slice(-STDERR_KEPT).replace(/^\S*/, '');
}

/**
 * Runs a program with an abort signal that ends it before a signal ends this process: only Ctrl-C reaches both. It holds signals before the
 * program starts.
 */
async function endedBySignals<T>(run: (also: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const release = holdSignals(() => own.abort());
  try {
    return await run(own.signal);
  } finally {
    await release();
  }
}

/** Returns the exit code, after the program has ended and its output has been read to the end. */
async function untilEnd(call: ProgramCall, child: ChildProcess, also?: AbortSignal): Promise<number | null> {
  let stopped: ToolError | undefined;
  let last: NodeJS.Timeout | undefined;
  const stop = (reason: ToolError): void => {
    stopped ??= reason;
    signal(child, 'SIGTERM');
    last ??= setTimeout(() => kill(child, reason), GRACE_MS);
  };
  const onAbort = (): void => stop(interrupted(call));
  for (const signal of [call.signal, also]) signal?.addEventListener('abort', onAbort, { once: true });
  const timer = call.timeoutMs === undefined ? undefined : setTimeout(() => stop(timedOut(call)), call.timeoutMs);
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error) => reject(notStarted(call, error)));
      child.on('close', resolve);
    });
    if (stopped !== undefined) throw stopped;
    return exit;
  } finally {
    clearTimeout(timer);
    clearTimeout(last);
    for (const signal of [call.signal, also]) signal?.removeEventListener('abort', onAbort);
  }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (endTree(child.pid) === 'by signals') child.kill(name);
}

/** For a program that does not listen, or has left behind another one that holds its output open. */
function kill(child: ChildProcess, reason: ToolError): void {
  signal(child, 'SIGKILL');
  // The reason is for the one who reads the stream; where nobody does it must not become an error that nobody catches.
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {}).destroy(reason);
}

/** Writes all `pieces` to a stream, as fast as it accepts them, and ends the stream. */
export async function writeAll(stream: Writable, pieces: Iterable<Uint8Array | string>): Promise<void> {
  for (const piece of pieces) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await drained(stream);
  }
  stream.end();
  await finished(stream).catch(ignoreBrokenPipe);
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off('drain', settle).off('close', settle).off('error', settle);
      resolve();
    };
    stream.once('drain', settle).once('close', settle).once('error', settle);
  });
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  const expected = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EOF'];
  if (!expected.includes(error.code ?? '')) throw error;
}

type StartedCall = Pick<ProgramCall, 'program' | 'args' | 'cwd'>;

/**
 * Returns the command for a message, long arguments as their length. Half of one could be half an address, whose password would not be
 * recognised.
 */
function describeCall(call: StartedCall): string {
  const args = call.args.map((arg) => (arg.length <= ARGUMENT_SHOWN ? arg : `<${arg.length} characters>`));
  return redactUrls([call.program, ...args].join(' '));
}

function failed(call: ProgramCall, exit: number | null, stderr: string): ToolError {
  if (/No space left on device|Out of diskspace|Disk quota exceeded/i.test(stderr)) return diskFull(stderr);
  const detail = stderr.trim() === '' ? '' : `: ${stderr.trim()}`;
  return new ToolError({
    code: 'PROGRAM_FAILED',
    message: `${call.program} ended with ${exit === null ? 'a signal' : `exit code ${exit}`}${detail}`,
    data: { command: describeCall(call), exit, stderr },
  });
}

/** Returns the error for a full disk, as reported by a program's stderr or by Node. */
export function diskFull(cause: unknown): ToolError {
  return new ToolError({
    code: 'DISK_FULL',
    message: 'There is no space left on the disk.',
    hint: 'Free some space and run the same command again.',
    cause,
  });
}

/** Returns the error for a call that was stopped because the user interrupted the command. */
export function interrupted(call: StartedCall): ToolError {
  return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.', data: { command: describeCall(call) } });
}

function timedOut(call: ProgramCall): ToolError {
  return new ToolError({
    code: 'PROGRAM_TIMEOUT',
    message: `${call.program} did not end within ${formatDuration((call.timeoutMs ?? 0) as Duration)}.`,
    data: { command: describeCall(call) },
  });
}

/** Returns the error for a program that could not be started, or whose folder does not exist. */
export function notStarted(call: StartedCall, error: NodeJS.ErrnoException): ToolError {
  // Node reports the same error for a missing program and a missing folder. With the dot, a file does not pass as a folder.
  if (call.cwd !== undefined && !existsSync(`${call.cwd}/.`)) {
    const message = `${call.program} could not be started: no such folder: ${call.cwd}.`;
    return new ToolError({ code: 'PROGRAM_FAILED', message, data: { command: describeCall(call) }, cause: error });
  }
  return new ToolError({
    code: 'PROGRAM_MISSING',
    message: `${call.program} could not be started (${error.code ?? error.message}).`,
    hint: `Install ${call.program}, or add its folder to PATH.`,
    data: { command: describeCall(call) },
    cause: error,
  });
}

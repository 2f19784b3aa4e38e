import { closeSync, createReadStream, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isToolError, ToolError } from '@tributary/model/errors';
import { runVisibly } from '@tributary/process/spawn';
import { StraceTrace, TRACED } from '../observe/strace-trace.js';
import { definedEnvironment } from './environment.js';

// The kernel filter (strace 5.3), which lets all other calls pass at full speed; paths of descriptors; one character of strings that are not
// paths; no messages about processes on the command's terminal; signals end strace together with the command.
const OPTIONS = ['--seccomp-bpf', '-f', '-y', '-s', '1', '-q', '-I', '2', '-e', `trace=${TRACED}`];
/** libuv may read files by io_uring, which no tracer sees. A task that turborepo replays reads nothing. */
const ENVIRONMENT = { UV_USE_IO_URING: '0', TURBO_FORCE: 'true' };
/** How long a program may outlive the command that started it. */
const LEFT_MS = 5000;

interface TracedCall {
  readonly command: readonly string[];
  /** Without links. */
  readonly folder: string;
  /** Where its stdout goes. */
  readonly output: 'stdout' | 'stderr';
  readonly signal: AbortSignal;
}

/** What strace saw of a command. */
interface Traced extends Pick<StraceTrace, 'files' | 'exit'> {
  /** Why it may have read more, as sentences. */
  readonly gaps: readonly string[];
}

/**
 * Runs a command visibly under strace, until it and all its child processes end; it waits only a few seconds for those that stay. Throws
 * `PROGRAM_MISSING` without strace and for a command that did not start, `INTERRUPTED`, `DISK_FULL`.
 */
export async function runTraced({ command, folder, output, signal }: TracedCall): Promise<Traced> {
  const work = mkdtempSync(join(tmpdir(), 'affected-trace-'));
  const file = join(work, 'trace');
  const left = new AbortController();
  const timer = setInterval(watchForLeft(file, left), 500);
  try {
    const args = [...OPTIONS, '-o', file, '--', ...command];
    const call = { program: 'strace', args, env: { ...definedEnvironment(), ...ENVIRONMENT }, cwd: folder, output };
    await runVisibly({ ...call, signal: AbortSignal.any([signal, left.signal]) }).catch((error: unknown) => {
      if (isToolError(error) && error.code === 'PROGRAM_MISSING') throw notInstalled(error);
      if (signal.aborted || !left.signal.aborted) throw error;
    });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) throw notStarted(command);
    const trace = new StraceTrace();
    const lines = createInterface({ input: createReadStream(file, 'latin1'), crlfDelay: Infinity });
    for await (const line of lines) trace.add(line);
    const { files, exit, unread } = trace;
    const [first] = unread;
    return {
      files,
      exit,
      gaps: [
        ...(left.signal.aborted ? ['The trace ends while a program that the command started still runs.'] : []),
        ...(first === undefined ? [] : [`Line ${first} of the trace could not be read.`]),
      ],
    };
  } finally {
    clearInterval(timer);
    rmSync(work, { recursive: true, force: true });
  }
}

/** strace waits for all child processes, and a daemon would keep it forever: ends it some time after the first process. */
function watchForLeft(file: string, left: AbortController): () => void {
  let goneSince: number | undefined;
  return () => {
    const start = Buffer.alloc(16);
    const descriptor = existsSync(file) ? openSync(file, 'r') : undefined;
    if (descriptor === undefined) return;
    readSync(descriptor, start);
    closeSync(descriptor);
    const pid = /^\d+(?= )/.exec(start.toString('latin1'))?.[0];
    if (pid === undefined || existsSync(`/proc/${pid}`)) return;
    goneSince ??= Date.now();
    if (Date.now() - goneSince >= LEFT_MS) left.abort();
  };
}

function notInstalled(cause: ToolError): ToolError {
  const hint = 'On Linux, install it: apt-get install strace. Other systems do not have it.';
  return new ToolError({ code: 'PROGRAM_MISSING', message: 'strace is not installed.', hint, data: { program: 'strace' }, cause });
}

function notStarted([program = '']: readonly string[]): ToolError {
  return new ToolError({
    code: 'PROGRAM_MISSING',
    message: `strace could not start ${program}.`,
    hint: 'See its output above. A container has to allow it: docker run --cap-add=SYS_PTRACE. A script of a package.json needs a package manager before it: yarn run test.',
    data: { program },
  });
}

import { createHash } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Environment variables, as `NAME=value`, that identify the processes of a program. The second one is optional. */
export type Marks = readonly [string, ...string[]];

export interface MarkedCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Returns a command that starts the program so that its processes can be found even if they drop their environment. On Linux, `prlimit`
 * sets the limit of file locks to numbers derived from the marks. Every process inherits that limit, even through setsid, a double fork and
 * `env -i`. Linux has not enforced the limit since 2.4.25. Without `prlimit`, or with the limit already set, the command is unchanged.
 * Source: getrlimit(2), RLIMIT_LOCKS.
 */
export function markedCommand(
  command: MarkedCommand,
  { marks, cwd, path }: { readonly marks: Marks; readonly cwd: string; readonly path: string | undefined },
): MarkedCommand {
  if (process.platform !== 'linux' || !/^Max file locks +unlimited +unlimited/m.test(readProcess('self', 'limits'))) return command;
  const prlimit = findProgram('prlimit', cwd, path);
  // For a missing program, the system itself must report the error.
  if (prlimit === undefined || findProgram(command.program, cwd, path) === undefined) return command;
  const [soft, hard = soft] = marks.map(numberOf).sort((a, b) => a - b);
  return { program: prlimit, args: [`--locks=${soft}:${hard}`, '--', command.program, ...command.args] };
}

/** Returns the ids of the running processes that carry a mark, without this process. Empty on systems other than Linux. */
export function listMarked(mark: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const limit = new RegExp(`^Max file locks .*\\b${numberOf(mark)}\\b`, 'm');
  const isMarked = (pid: string): boolean =>
    readProcess(pid, 'environ').split('\0').includes(mark) || limit.test(readProcess(pid, 'limits'));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid) && isMarked(name) && isRunning(name))
    .map(Number);
}

/** Returns the limit for a mark. JavaScript represents it exactly; with 48 bits, a collision with another limit is unlikely. */
function numberOf(mark: string): number {
  return Number.parseInt(createHash('sha256').update(mark).digest('hex').slice(0, 12), 16);
}

/** Returns false for a zombie, which still has limits. */
function isRunning(pid: string): boolean {
  return /\) [^ZX] /.test(readProcess(pid, 'stat'));
}

/** Returns the content of a file in `/proc`; empty if it belongs to another user or the process is gone. */
function readProcess(pid: string, file: 'environ' | 'limits' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

function findProgram(name: string, cwd: string, path: string | undefined): string | undefined {
  const files = name.includes('/') ? [resolve(cwd, name)] : (path ?? '').split(delimiter).map((folder) => join(resolve(cwd, folder), name));
  return files.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

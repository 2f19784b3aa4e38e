import { createHash } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Variables, as `NAME=value`, by which the processes of a program are found again. The second one is optional. */
export type Marks = readonly [string, ...string[]];

export interface MarkedCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Returns how to start a program so that its processes are found again though they drop their environment. On Linux `prlimit` sets the limit
 * of file locks to numbers made of the marks. Every process inherits that limit, also through setsid, a double fork and `env -i`; Linux has not
 * enforced it since 2.4.25. Where there is no `prlimit`, or the limit is set already, the command stays as it is.
 * Source: getrlimit(2), RLIMIT_LOCKS.
 */
export function markedCommand(
  command: MarkedCommand,
  { marks, cwd, path }: { readonly marks: Marks; readonly cwd: string; readonly path: string | undefined },
): MarkedCommand {
  if (process.platform !== 'linux' || !/^Max file locks +unlimited +unlimited/m.test(readProcess('self', 'limits'))) return command;
  const prlimit = findProgram('prlimit', cwd, path);
  // Who starts a program that is not there must hear so from the system.
  if (prlimit === undefined || findProgram(command.program, cwd, path) === undefined) return command;
  const [soft, hard = soft] = marks.map(numberOf).sort((a, b) => a - b);
  return { program: prlimit, args: [`--locks=${soft}:${hard}`, '--', command.program, ...command.args] };
}

/** Returns the numbers of the processes that carry a mark, without this one and without those that have ended. Empty on systems other than Linux. */
export function listMarked(mark: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const limit = new RegExp(`^Max file locks .*\\b${numberOf(mark)}\\b`, 'm');
  const isMarked = (pid: string): boolean =>
    readProcess(pid, 'environ').split('\0').includes(mark) || limit.test(readProcess(pid, 'limits'));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid) && isMarked(name) && isRunning(name))
    .map(Number);
}

/** A limit as JavaScript writes it exactly; 48 bits make one that anything else has set unlikely. */
function numberOf(mark: string): number {
  return Number.parseInt(createHash('sha256').update(mark).digest('hex').slice(0, 12), 16);
}

/** What has ended and was not waited for still has limits. */
function isRunning(pid: string): boolean {
  return /\) [^ZX] /.test(readProcess(pid, 'stat'));
}

/** Empty for a file that belongs to somebody else, and for a process that is gone. */
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

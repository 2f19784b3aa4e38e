import { closedEnvironment, type Environment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';

/** A whole process to measure. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** In addition to the common environment. */
  readonly env?: Environment;
  /** The expected exit code (default: 0). */
  readonly exit?: number;
  readonly timeoutMs?: number;
}

/**
 * Returns the environment of all commands. It omits NODE_EXTRA_CA_CERTS, which triples the start of Node 20 and would favour native peers.
 */
export function benchEnvironment(home: string): Environment {
  return closedEnvironment(process.env, { HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' });
}

/** Runs a command to its end and returns its stdout. Throws an `Error` with its last output for any exit code but the expected one. */
export async function runCommand(command: Command, env: Environment): Promise<string> {
  const { exit, stdout, stderr } = await callProgram({ ...command, env: { ...env, ...command.env } });
  if (exit === (command.exit ?? 0)) return stdout.toString('utf8');
  throw new Error(`exit ${exit}: ${reasonIn(`${stderr}\n${stdout.toString('utf8')}`)}`);
}

/** Returns the output from the first line that mentions an error, as one short line, without the banners and news before it. */
function reasonIn(output: string): string {
  const [reason = output] = /^.*\b(error|fatal|could not|cannot|failed)\b[\s\S]*/im.exec(output) ?? [];
  return reason.replace(/\s+/g, ' ').trim().slice(0, 150);
}

/**
 * Returns the peak memory of a command in MB: that of its largest process, including processes that it waits for. Measured by GNU time in
 * separate runs, median of three; `undefined` without GNU time. Excludes a daemon.
 */
export async function peakOf(command: Command, env: Environment, prepare: () => void = () => {}): Promise<number | undefined> {
  const peaks: number[] = [];
  for (let round = 0; round < 3; round++) {
    prepare();
    const [kilobytes] = await gauge('%M', command, env);
    if (kilobytes === undefined) return undefined;
    peaks.push(kilobytes / 1024);
  }
  return peaks.sort((a, b) => a - b)[1];
}

/** Returns the processor time in milliseconds of a command and of the processes that it waits for. NaN without GNU time. */
export async function cpuOf(command: Command, env: Environment): Promise<number> {
  const [user = Number.NaN, system = Number.NaN] = await gauge('%U %S', command, env);
  return (user + system) * 1000;
}

/** The time of one run of a command, and the peak memory of its largest process. */
export interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Measures one run. Throws an `Error` with the last output of a failing command, and without GNU time. */
export async function takenBy(command: Command, env: Environment): Promise<Taken> {
  const args = ['-f', '%e %U %S %M', '--', command.program, ...command.args];
  const { exit, stderr } = await callProgram({ ...command, program: 'time', args, env: { ...env, ...command.env } });
  const [wall = 0, user = 0, system = 0, kilobytes = 0] = figuresAtEnd(stderr);
  if (exit !== (command.exit ?? 0)) throw new Error(`exit ${exit}: ${reasonIn(stderr)}`);
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, peakMb: kilobytes / 1024 };
}

async function gauge(format: string, command: Command, env: Environment): Promise<readonly number[]> {
  const timed = { program: 'time', args: ['-f', format, '--', command.program, ...command.args] };
  const call = { ...command, ...timed, env: { ...env, ...command.env } };
  const stderr = await callProgram(call).then(
    (result) => result.stderr,
    () => '',
  );
  return figuresAtEnd(stderr);
}

/** Returns the figures that GNU time prints after the program's own output. */
function figuresAtEnd(stderr: string): readonly number[] {
  const [figures] = /[\d.]+(?: [\d.]+)*(?=\s*$)/.exec(stderr) ?? [];
  return figures === undefined ? [] : figures.split(' ').map(Number);
}

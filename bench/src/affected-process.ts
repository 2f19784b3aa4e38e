import { closedEnvironment, type Environment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';

/** A whole process that is measured. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Beside what all are started with. */
  readonly env?: Environment;
  /** The exit code that is right; 0 if not given. */
  readonly exit?: number;
  readonly timeoutMs?: number;
}

/** What all commands are started with. NODE_EXTRA_CA_CERTS is not in it: it triples the start of Node 20 and would flatter native peers. */
export function benchEnvironment(home: string): Environment {
  return closedEnvironment(process.env, { HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' });
}

/** Runs a command to its end; its stdout. Throws an `Error` with its last words for another exit code than the right one. */
export async function runCommand(command: Command, env: Environment): Promise<string> {
  const { exit, stdout, stderr } = await callProgram({ ...command, env: { ...env, ...command.env } });
  if (exit === (command.exit ?? 0)) return stdout.toString('utf8');
  throw new Error(`exit ${exit}: ${reasonIn(`${stderr}\n${stdout.toString('utf8')}`)}`);
}

/** From the first line on that tells of an error, on one line of bearable length: before it stand banners and news. */
function reasonIn(output: string): string {
  const [reason = output] = /^.*\b(error|fatal|could not|cannot|failed)\b[\s\S]*/im.exec(output) ?? [];
  return reason.replace(/\s+/g, ' ').trim().slice(0, 150);
}

/**
 * The peak memory of a command in MB: of the largest of its processes, those that it waits for included. Measured by GNU time, in
 * runs of their own, median of three; `undefined` where there is no GNU time. A daemon is not in it.
 */
export async function peakOf(command: Command, env: Environment): Promise<number | undefined> {
  const peaks: number[] = [];
  for (let round = 0; round < 3; round++) {
    const [kilobytes] = await gauge('%M', command, env);
    if (kilobytes === undefined) return undefined;
    peaks.push(kilobytes / 1024);
  }
  return peaks.sort((a, b) => a - b)[1];
}

/** The processor time in milliseconds of a command and of the processes that it waits for. NaN without GNU time. */
export async function cpuOf(command: Command, env: Environment): Promise<number> {
  const [user = Number.NaN, system = Number.NaN] = await gauge('%U %S', command, env);
  return (user + system) * 1000;
}

/** What one run of a command took, and the peak memory of its largest process. */
export interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Throws an `Error` with the last words of a command that fails, and without GNU time. */
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

/** As GNU time prints them behind what the program itself has printed. */
function figuresAtEnd(stderr: string): readonly number[] {
  const [figures] = /[\d.]+(?: [\d.]+)*(?=\s*$)/.exec(stderr) ?? [];
  return figures === undefined ? [] : figures.split(' ').map(Number);
}

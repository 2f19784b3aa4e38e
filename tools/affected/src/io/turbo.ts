import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import { callProgram, runVisibly, type VisibleCall } from '@tributary/process/spawn';
import { readTextFile } from '@tributary/process/unusable-file';
import ciInfo from 'ci-info';
import { parseTurboHashes, type TurboHashes, turboFolder } from '../plan/turbo-hashes.js';
import { definedEnvironment } from './environment.js';
import { localCache } from './local-cache.js';
import { withStoppedCommands } from './stopped-commands.js';
import { withoutProofs } from './without-proofs.js';

/** One call of turborepo for some workspaces. */
export interface TurboCall {
  /** The root of the project. */
  readonly folder: string;
  readonly task: string;
  /** At least one: without a filter, turborepo runs all. */
  readonly workspaces: readonly string[];
  /** `ignored`: no result comes from a cache. `local`: results come only from this machine; those made go wherever the job's do. */
  readonly cache: 'used' | 'local' | 'ignored';
  /** The most tasks that run at once. */
  readonly concurrency: number;
  /** Passed to the scripts of the task. */
  readonly scriptArguments: readonly string[];
  /** For the processes of the tasks, in addition to the job's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A task that turborepo ran, or found in a cache. */
export interface TurboTask {
  readonly workspace: string;
  readonly task: string;
  readonly hash: string;
  readonly state: 'executed' | 'replayed';
  readonly exit: number;
  /** The file with its output, relative to the project's root. */
  readonly logFile?: string;
  /**
   * For a script without `outputs`: the folder of its workspace, relative to the project's root. A cache restores nothing that it
   * generated.
   */
  readonly unrestored?: string;
  /** The files of a cached result, relative to the project's root; for an executed task those that it made. */
  readonly outputs?: readonly string[];
  /** The version of turborepo. */
  readonly turbo?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * Runs turborepo with its output on the terminal, and reads the result from its run summary. Tasks that it did not reach are missing in the
 * list. Throws `PROGRAM_MISSING` without turbo, and `INTERRUPTED`. Throws `TURBO_FAILED` without a summary, or if turborepo failed although
 * all requested tasks passed.
 */
export async function runTurbo(call: TurboCall): Promise<readonly TurboTask[]> {
  if (call.workspaces.length === 0) throw new Error('turborepo would run all workspaces');
  const runs = join(call.folder, '.turbo/runs');
  const before = new Set(listRuns(runs));
  const args = [
    // Tests without their builds would prove nothing: turborepo skips them, and they are missing in the receipt. Requires turborepo 2.4.
    'run',
    call.task,
    ...call.workspaces.map((name) => `--filter=${name}`),
    '--continue=dependencies-successful',
    '--summarize',
    `--concurrency=${call.concurrency}`,
    ...(call.cache === 'ignored' ? ['--force'] : []),
    // Its output goes through a pipe, so that no proof is shown.
    ...(process.stdout.isTTY && process.stdout.hasColors() ? ['--color'] : []),
    ...(call.scriptArguments.length === 0 ? [] : ['--', ...call.scriptArguments]),
  ];
  // Tests need the job's environment; turborepo passes on what its configuration allows.
  const { program, first } = findTurbo(call.folder);
  const exit = await start({
    program,
    args: [...first, ...args],
    env: { ...environmentOfTurbo(call.folder), ...(call.cache === 'local' ? { TURBO_CACHE: localCache() ?? '' } : {}), ...call.env },
    cwd: call.folder,
    signal: call.signal,
  });
  const made = listRuns(runs)
    .filter((name) => !before.has(name))
    .map((name) => join(runs, name));
  // Another turborepo in the same checkout also writes its summary there.
  const [run, ...others] = made.length === 1 ? made : made.filter((file) => isSummaryOf(call, readTextFile(file)));
  if (run === undefined || others.length > 0) throw noSummary(exit);
  const tasks = readTurboSummary(readTextFile(run), run);
  if (exit !== 0 && havePassed(call, tasks)) throw failedOtherwise(exit, tasks);
  return tasks;
}

/**
 * Asks turborepo what it hashes for the task of some workspaces, without running anything; `undefined` if it does not tell. Throws
 * `INTERRUPTED`.
 */
export async function askTurbo({
  folder,
  task,
  workspaces,
  signal,
}: Pick<TurboCall, 'folder' | 'task' | 'workspaces' | 'signal'>): Promise<TurboHashes | undefined> {
  const { program, first } = findTurbo(folder);
  const args = [...first, 'run', task, ...workspaces.map((name) => `--filter=${name}`), '--dry=json'];
  try {
    const { exit, stdout } = await callProgram({ program, args, env: environmentOfTurbo(folder), cwd: folder, signal });
    return exit === 0 ? parseTurboHashes(stdout.toString('utf8')) : undefined;
  } catch (error) {
    // The run itself reports this better.
    if (isToolError(error) && error.code === 'PROGRAM_MISSING') return undefined;
    throw error;
  }
}

/** Runs the program visibly, and returns its exit code. In most jobs, a missing program means that nobody ran `yarn install`. */
async function start(call: VisibleCall): Promise<number | null> {
  try {
    return await withStoppedCommands((errors) => runVisibly({ ...call, errors, passOn: withoutProofs }));
  } catch (error) {
    if (!isToolError(error) || error.code !== 'PROGRAM_MISSING' || call.program !== 'turbo') throw error;
    const { code, message, data } = error;
    const hint = 'Run `yarn install` before `affected run-shard`. turbo belongs to the devDependencies of the root package.json.';
    throw new ToolError({ code, message, hint, data, cause: error });
  }
}

function havePassed({ task, workspaces }: TurboCall, tasks: readonly TurboTask[]): boolean {
  return workspaces.every((name) => tasks.some((one) => one.task === task && one.workspace === name && one.exit === 0));
}

function listRuns(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
}

interface Program {
  readonly program: string;
  readonly first: readonly string[];
}

/** The project's own, as its package.json asks for it; of Plug'n'Play only Yarn knows where that is. Else the one in PATH. */
export function findTurbo(folder: string, platform: NodeJS.Platform = process.platform): Program {
  // On Windows the other one goes through cmd.exe, which takes 8,191 characters: too few for the names of many workspaces.
  const script = join(folder, 'node_modules/turbo/bin/turbo');
  if (platform === 'win32' && existsSync(script)) return { program: process.execPath, first: [script] };
  const own = join(folder, 'node_modules/.bin/turbo');
  if (existsSync(own)) return { program: own, first: [] };
  return existsSync(join(folder, '.pnp.cjs')) ? { program: 'yarn', first: ['run', 'turbo'] } : { program: 'turbo', first: [] };
}

/**
 * Returns the job's environment. It disables telemetry, which turborepo would announce on each new machine, unless the job sets the
 * variable. In a job of CI it has `CI`, which turborepo passes on, and by which runners write no snapshot: not every engine sets it. A value
 * of the job stays, such as `false`. Scripts find the programs of the root: a runner may be in its devDependencies alone, and Yarn has them
 * in PATH where it starts turborepo itself.
 */
export function environmentOfTurbo(folder: string): Readonly<Record<string, string>> {
  const env = definedEnvironment();
  const isUnsaid = ciInfo.isCI && (env['CI'] ?? '') === '';
  // Windows calls it Path.
  const name = Object.keys(env).find((one) => one.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [env[name] ?? '', join(folder, 'node_modules/.bin')].filter((one) => one !== '').join(delimiter);
  return { TURBO_TELEMETRY_DISABLED: '1', ...env, ...(isUnsaid ? { CI: 'true' } : {}), [name]: path };
}

/** Parses a run summary (`--summarize`); `file` is for messages. Throws `TURBO_FAILED` for any other text. */
export function readTurboSummary(text: string, file: string): readonly TurboTask[] {
  const { tasks, version } = summaryIn(text);
  if (tasks === undefined) {
    const hint = 'Delete it; `turbo run --summarize` writes them.';
    throw new ToolError({ code: 'TURBO_FAILED', message: `${file} is not a run summary of turborepo.`, hint, data: { file } });
  }
  return tasks.flatMap((one): readonly TurboTask[] => {
    const { package: workspace, task, hash, cache, execution, logFile, directory, command, outputs, expandedOutputs } = one;
    const { startTime, endTime, exitCode } = asRecord(execution);
    // Neither run nor found in a cache, because something before it failed.
    if (typeof startTime !== 'number' || typeof endTime !== 'number' || exitCode === undefined) return [];
    const state = asRecord(cache)['status'] === 'HIT' ? 'replayed' : 'executed';
    // A task that could not be started has no exit code.
    const exit = Number.isInteger(exitCode) ? Number(exitCode) : 1;
    const log = typeof logFile === 'string' ? { logFile } : {};
    const isLost = typeof directory === 'string' && command !== '<NONEXISTENT>' && (!Array.isArray(outputs) || outputs.length === 0);
    return [
      {
        workspace,
        task,
        hash,
        state,
        exit,
        startedAt: startTime,
        endedAt: Math.max(startTime, endTime),
        ...(Array.isArray(expandedOutputs) ? { outputs: expandedOutputs.filter((path) => typeof path === 'string').map(turboFolder) } : {}),
        ...log,
        ...(isLost ? { unrestored: turboFolder(directory) } : {}),
        ...(version === undefined ? {} : { turbo: version }),
      },
    ];
  });
}

/** Tells whether a summary belongs to a call: it has the call's workspaces and arguments. */
function isSummaryOf({ task, workspaces, scriptArguments }: TurboCall, text: string): boolean {
  const { tasks = [] } = summaryIn(text);
  return workspaces.every((name) =>
    tasks.some((one) => one.task === task && one.package === name && isSameList(one.cliArguments, scriptArguments)),
  );
}

function isSameList(value: unknown, list: readonly string[]): boolean {
  return Array.isArray(value) && value.length === list.length && list.every((one, at) => value[at] === one);
}

interface SummaryTask {
  readonly package: string;
  readonly task: string;
  readonly hash: string;
  readonly cache?: unknown;
  readonly execution?: unknown;
  readonly cliArguments?: unknown;
  readonly logFile?: unknown;
  readonly directory?: unknown;
  readonly command?: unknown;
  readonly outputs?: unknown;
  readonly expandedOutputs?: unknown;
}

/** Nothing of a text that is none. */
function summaryIn(text: string): { readonly tasks?: readonly SummaryTask[]; readonly version?: string } {
  try {
    const { tasks, turboVersion: version } = asRecord(JSON.parse(text));
    if (!Array.isArray(tasks) || !tasks.every(isTask)) return {};
    return typeof version === 'string' ? { tasks, version } : { tasks };
  } catch {
    return {};
  }
}

function isTask(value: unknown): value is SummaryTask {
  const { package: workspace, task, hash } = asRecord(value);
  return [workspace, task, hash].every((text) => typeof text === 'string');
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function noSummary(exit: number | null): ToolError {
  return new ToolError({
    code: 'TURBO_FAILED',
    message: `turborepo ended with ${inWords(exit)}, without a run summary.`,
    hint: 'See its output above. Are dependencies installed, can it find Yarn, and does turbo.json have the task?',
    data: { exit },
  });
}

function failedOtherwise(exit: number | null, tasks: readonly TurboTask[]): ToolError {
  const failed = tasks.filter((one) => one.exit !== 0).map(({ workspace, task }) => `${workspace}#${task}`);
  return new ToolError({
    code: 'TURBO_FAILED',
    message: `turborepo ended with ${inWords(exit)}, although all planned tests passed${failed.length === 0 ? '' : `; ${failed.join(', ')} failed`}.`,
    hint: 'See its output above. Tasks that it runs with the tests (`with` in turbo.json) must pass too.',
    data: { exit, failed },
  });
}

function inWords(exit: number | null): string {
  return exit === null ? 'a signal' : `exit code ${exit}`;
}

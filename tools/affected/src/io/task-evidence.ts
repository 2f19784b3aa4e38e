import { copyFileSync, existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import { readTextFile } from '@tributary/process/unusable-file';
import { parseRunnerReport, type RunnerReport } from '../plan/runner-report.js';
import { PROBE_FILE, RUNNER_FILES, readProof, TASK_FILE, type WatchedTask } from '../plan/watched-task.js';
import type { TurboTask } from './turbo.js';

/** The evidence that the processes of a task left. */
export interface TaskEvidence {
  /** Processor time of all processes, in seconds; `null` if the system does not tell. */
  readonly cpuSeconds: number | null;
  /** One for each runner that the task started directly. */
  readonly runs: readonly RunnerRun[];
}

export interface RunnerRun {
  /** The absolute folder in which the runner was started. */
  readonly cwd: string;
  /** `cut off`: it was requested, but is incomplete or missing. `none`: it was not requested. */
  readonly report: RunnerReport | 'cut off' | 'none';
}

const HOOK = 'task-hook.cjs';
const REPORTS = 'reports-hook.cjs';
/** By the names of `RUNNER_FILES`. */
const LOADERS = {
  node: `import all from './${REPORTS}';\nexport default all.nodeReporter;\n`,
  mocha: `require('./${REPORTS}').watchMocha();\n`,
  playwright: `module.exports = require('./${REPORTS}').PlaywrightReporter;\n`,
} as const;
/** In bytes. Larger reports, for example with a coverage map, are not read. */
const LARGEST = 128 * 1024 * 1024;

/** Observes the tasks of one call of turborepo, by a file that Node loads into each process and a folder for its notes. */
export class TaskWatch {
  private readonly folder: string;

  constructor(task: WatchedTask) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'affected-tasks-')));
    writeFileSync(join(this.folder, TASK_FILE), JSON.stringify(task));
    for (const name of [HOOK, REPORTS]) copyFileSync(join(dirname(realpathSync(process.argv[1] ?? '.')), name), join(this.folder, name));
    for (const runner of ['node', 'mocha', 'playwright'] as const) writeFileSync(join(this.folder, RUNNER_FILES[runner]), LOADERS[runner]);
  }

  /** Returns the NODE_OPTIONS for the tasks. `options`: the present value. */
  nodeOptions(options: string | undefined): string {
    const load = `--require "${join(this.folder, HOOK).replaceAll('\\', '/')}"`;
    return options === undefined || options === '' ? load : `${options} ${load}`;
  }

  /** Reads the evidence of a task by turborepo's hash. */
  read(hash: string): TaskEvidence {
    const notes = this.names()
      .filter((name) => /^(?:cpu|run|file)-/.test(name))
      .map((name) => ({ name, note: this.note(name) }))
      .filter(({ note }) => note['hash'] === hash);
    const seconds = notes.flatMap(({ name, note }) => (name.startsWith('cpu-') && isSeconds(note['seconds']) ? [note['seconds']] : []));
    const files = notes.filter(({ name }) => name.startsWith('file-')).map(({ note }) => note);
    const runs = notes.filter(({ name }) => name.startsWith('run-')).map(({ note }) => this.run(note, files));
    return { cpuSeconds: seconds.length === 0 ? null : Math.max(...seconds), runs };
  }

  /** Returns the variables of a probe; `undefined` if it was not started. */
  readProbe(): Readonly<Record<string, string>> | undefined {
    if (!existsSync(join(this.folder, PROBE_FILE))) return undefined;
    return this.note(PROBE_FILE) as Readonly<Record<string, string>>;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the notes; none if tests emptied the temporary folder, so nothing is known. */
  private names(): readonly string[] {
    return existsSync(this.folder) ? readdirSync(this.folder) : [];
  }

  private note(name: string): Readonly<Record<string, unknown>> {
    try {
      const value: unknown = JSON.parse(readTextFile(join(this.folder, name)));
      return isPlainObject(value) ? value : {};
    } catch {
      // A process was killed while writing.
      return {};
    }
  }

  private run({ cwd, runner, report }: Readonly<Record<string, unknown>>, files: readonly Readonly<Record<string, unknown>>[]): RunnerRun {
    const folder = typeof cwd === 'string' ? cwd : '';
    const read = typeof report === 'string' ? this.report(basename(report)) : 'none';
    const processes = runner === 'node' ? ofProcesses(files.filter((one) => one['cwd'] === cwd)) : 'none';
    // For node, processes report the time of a file, and the report tells what failed.
    if (processes === 'none' || read === 'cut off') return { cwd: folder, report: read };
    return { cwd: folder, report: read === 'none' ? processes : { ...read, files: processes.files } };
  }

  private report(name: string): RunnerReport | 'cut off' | 'none' {
    const path = join(this.folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() !== true) return 'cut off';
    if (found.size > LARGEST) return 'none';
    return parseRunnerReport(readTextFile(path)) ?? 'cut off';
  }
}

/** Returns what the original run of a cached result proved, according to its log, which the cache restores. `undefined` if nothing. */
export function proofIn(project: string, { hash, logFile }: TurboTask): ReturnType<typeof readProof> {
  const path = logFile === undefined ? undefined : join(project, logFile);
  return path === undefined || !existsSync(path) ? undefined : readProof(readTextFile(path), hash);
}

/** Node's own runner starts a process for each file. */
function ofProcesses(notes: readonly Readonly<Record<string, unknown>>[]): RunnerReport | 'none' {
  const files = notes.flatMap(({ file, seconds }) => (typeof file === 'string' && isSeconds(seconds) ? [{ path: file, seconds }] : []));
  return files.length === 0 ? 'none' : { files, tests: null, partial: [], failed: 0, failures: [], retried: [] };
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

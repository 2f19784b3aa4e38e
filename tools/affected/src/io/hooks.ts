import { copyFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callProgram, runVisibly, type VisibleCall } from '@tributary/process/spawn';
import { readHookLogs } from '../observe/hook-trace.js';
import { addScopes } from '../observe/module-scopes.js';
import { systemPath, tracePath } from '../observe/paths.js';
import { addGap, newReadings, summariseReadings, type TaskTraces } from '../observe/readings.js';
import { definedEnvironment } from './environment.js';
import { findProgram, startsNode } from './node-program.js';
import { inputFile } from './strace.js';
import type { NoTracer, TracedCall, WorkingTracer } from './tracer.js';

const HOOK = 'trace-hook.cjs';
/** How long a process may outlive the command that started it. */
const LEFT_MS = 5000;

/** A folder with the hooks, in which each thread of each process keeps a log. */
class HookFolder {
  readonly path = realpathSync.native(mkdtempSync(join(tmpdir(), 'affected-hooks-')));

  constructor() {
    copyFileSync(join(dirname(realpathSync(process.argv[1] ?? '.')), HOOK), join(this.path, HOOK));
  }

  /** Before all other options, so that nothing loads earlier. */
  nodeOptions(options: string | undefined): string {
    const load = `--require "${join(this.path, HOOK).replaceAll('\\', '/')}"`;
    return options === undefined || options === '' ? load : `${load} ${options}`;
  }

  logs(): readonly (() => string)[] {
    return this.names().map((name) => () => readFileSync(join(this.path, name), 'utf8'));
  }

  /** Waits a few seconds for processes that stay; returns one that does not end. */
  async untilEnd(): Promise<number | undefined> {
    const pids = (): readonly number[] => [...new Set(this.names().map((name) => Number.parseInt(name, 10)))].filter(isAlive);
    for (const start = Date.now(); pids().length > 0 && Date.now() - start < LEFT_MS; ) await new Promise((end) => setTimeout(end, 50));
    return pids()[0];
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  private names(): readonly string[] {
    return readdirSync(this.path).filter((name) => name.endsWith('.log'));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What a Node must show of itself: modules of both kinds, one that is missing, and what a thread of loader hooks reads. */
const TRIAL: Readonly<Record<string, string>> = {
  'trial.cjs': `require('./a.cjs'); require('node:module').register('./loader.mjs', require('node:url').pathToFileURL(__filename));
import('./b.mjs').then(() => import('./missing.mjs')).catch(() => {});`,
  'a.cjs': '',
  'b.mjs': "import './c.mjs';",
  'c.mjs': '',
  'loader.mjs': "import { readFileSync } from 'node:fs';\nreadFileSync(new URL('./d.txt', import.meta.url));",
  'd.txt': '',
};

/** The newest minor version of each major one whose functions were compared with the hooks: a later one may read in new ways. */
const KNOWN: Readonly<Record<string, number>> = { 20: 20, 22: 23, 24: 21 };

/** Returns why the hooks may not see everything here. */
export function unknownNode(node: string, os: NodeJS.Platform): string | undefined {
  const [major = '', minor = ''] = node.split('.');
  if (os !== 'linux') return `the hooks are proven on Linux only, not on ${os}`;
  return Number(minor) <= (KNOWN[major] ?? -1) ? undefined : `the hooks are not proven with Node ${node}`;
}

/** Tries the hooks on a small program: another Node may load modules in ways that they do not see. */
export async function findHooks(signal: AbortSignal): Promise<WorkingTracer | NoTracer> {
  const node = process.versions.node;
  const folder = new HookFolder();
  try {
    for (const [name, text] of Object.entries(TRIAL)) writeFileSync(join(folder.path, name), text);
    const env = { ...definedEnvironment(), NODE_OPTIONS: folder.nodeOptions('--no-warnings') };
    const { exit } = await callProgram({ program: process.execPath, args: [join(folder.path, 'trial.cjs')], env, signal });
    const { tasks } = readHookLogs(folder.logs(), node);
    const names = [...Object.keys(TRIAL), 'missing.mjs'];
    const uses = [...tasks.values()].flatMap(({ table }) => [...table.uses.keys()]);
    const unseen = names.find((name) => !uses.includes(tracePath(join(folder.path, name))));
    if (exit !== 0 || unseen !== undefined)
      return { gap: 'tracer-missing', detail: `Node ${node} does not show the hooks all that it reads` };
  } finally {
    folder.remove();
  }
  return {
    name: `hooks of Node ${node}`,
    needsLoading: true,
    run: async (call) => {
      const [{ tasks, gaps }, exit] = await runHooked({ ...asCall(call), cwd: call.folder }, node);
      const start = startOf(call);
      if (tasks.size === 0 && start.gaps.size === 0) addGap(start.gaps, 'not-hooked', call.command.join(' '));
      return { exit, summary: { ...summariseReadings([...tasks.values(), start], gaps), exit } };
    },
    runTasks: async (call) => {
      const [traces, exit] = await runHooked(call, node);
      return { exit, traces };
    },
  };
}

function asCall({ command: [program = '', ...args], output, signal }: TracedCall): VisibleCall {
  // A task that turborepo replays reads nothing.
  return { program, args, env: { ...definedEnvironment(), TURBO_FORCE: 'true' }, output, signal };
}

/** Returns what is known of the command itself, which no hook has seen start. */
function startOf({ command: [name = ''], folder }: TracedCall): ReturnType<typeof newReadings> {
  const start = newReadings();
  const place = { path: definedEnvironment()['PATH'], cwd: folder };
  const program = findProgram(name, place);
  start.programs.add(tracePath(program));
  start.table.mark(tracePath(program), 'read', 0);
  const input = inputFile();
  if (input !== undefined) start.table.mark(input, 'read', 0);
  if (!startsNode(program, place)) addGap(start.gaps, 'native-program', program);
  return start;
}

function textAt(path: string): string | undefined {
  const file = systemPath(path);
  try {
    return statSync(file).isDirectory() ? '' : path.endsWith('/package.json') ? readFileSync(file, 'utf8') : 'file';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : '';
  }
}

async function runHooked(call: VisibleCall & { readonly cwd: string }, node: string): Promise<readonly [TaskTraces, number | null]> {
  const folder = new HookFolder();
  try {
    const exit = await runVisibly({ ...call, env: { ...call.env, NODE_OPTIONS: folder.nodeOptions(call.env['NODE_OPTIONS']) } });
    const left = await folder.untilEnd();
    const { tasks, gaps } = readHookLogs(folder.logs(), node);
    for (const { table } of tasks.values()) addScopes(table, textAt);
    const late = left === undefined ? [] : [{ gap: 'cut-off' as const, detail: `process ${left} did not end` }];
    const unknown = unknownNode(node, process.platform);
    const unproven = unknown === undefined ? [] : [{ gap: 'not-hooked' as const, detail: unknown }];
    return [{ tasks, gaps: [...gaps, ...late, ...unproven] }, exit];
  } finally {
    folder.remove();
  }
}

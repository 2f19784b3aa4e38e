import type { AffectedResult } from '../result.js';
import { startedRunner } from '../scripts/programs.js';
import { NO_TASK, type TurboTasks } from './turbo-tasks.js';

/** The data that tell whether a workspace has a task. */
export interface TaskOwner {
  readonly name: string;
  /** Relative to the project's root; `` for the root. */
  readonly path: string;
  readonly scripts: ReadonlyMap<string, string>;
  /** The commands of scripts that are only `wireit`. */
  readonly wireit?: ReadonlyMap<string, string>;
}

/** Returns why a task tests nothing or would not run; covers the cases of `whyNoTask`, and scripts that only print or exit. */
export function whyNoTests(owner: TaskOwner, task: string, tasks: TurboTasks): string | undefined {
  const script = owner.scripts.get(task) ?? '';
  return (
    whyNoTask(owner, task, tasks) ??
    (runsNothing(script, owner.scripts) ? `Its script "${task}" runs nothing: ${script.trim()}` : undefined)
  );
}

/**
 * Whether no command of a script can run a test: it prints, does nothing, or stands behind `exit`, or behind `||` and something that passes.
 * Whatever a shell may read in another way runs something. Not each shell knows comments, so one ends at the next command at the latest.
 */
function runsNothing(script: string, others: TaskOwner['scripts'], known = new Map<string, boolean>()): boolean {
  const before = known.get(script);
  if (before !== undefined) return before;
  // Scripts may call each other in a circle.
  known.set(script, false);
  const isNothing = hasNoCommand(script, others, known);
  known.set(script, isNothing);
  return isNothing;
}

function hasNoCommand(script: string, others: TaskOwner['scripts'], known: Map<string, boolean>): boolean {
  const text = script.trim().replace(/'[^'\n]*'|"[^"$`\\\n]*"/g, '_');
  if (/#.*\n/.test(text)) return false;
  const words = text.split(/(&&|\|\||;|\n)/);
  for (let at = 0; at < words.length; at += 2) {
    if (words[at - 1] === '||') continue;
    const command = (words[at] ?? '').replace(/(?:^|\s)#.*/, '').trim();
    if (/^exit(?: 0)?$/.test(command)) return true;
    if (!/^(?:(?:echo|true|:)(?: [^$`<>|&('"\\]*)?)?$/.test(command) && !isIdle(command, others, known)) return false;
  }
  return true;
}

/** Whether a command only prints a version or a list, as `jest --version`, or calls a script of the workspace that runs nothing. */
function isIdle(command: string, others: TaskOwner['scripts'], known: Map<string, boolean>): boolean {
  if (!/^[\w @%+=:,./~-]+$/.test(command)) return false;
  const words = command.split(/ +/);
  if (words.length === 2 && /^--(?:version|help)$/.test(words[1] ?? '')) return true;
  // Only the program itself: a path, a workspace or a script may have the name of a runner.
  const program = words.findIndex((word) => !/^(?:cross-env|npx|yarn|run|exec|\w+=.*)$/.test(word));
  const name = words[program] ?? '';
  if (/^(?:jest|vitest|mocha|playwright)$/.test(name) && !others.has(name)) return startedRunner(words.slice(program))?.isIdle === true;
  const [, called = ''] = /^(?:yarn|npm|pnpm)(?: run)? ([\w:.-]+)$/.exec(command) ?? [];
  const script = others.get(called);
  return script !== undefined && ['pre', 'post'].every((when) => !others.has(`${when}${called}`)) && runsNothing(script, others, known);
}

/** Returns why turborepo would not run the task of a workspace; `undefined` if it would. */
export function whyNoTask({ name, path, scripts }: TaskOwner, task: string, tasks: TurboTasks): string | undefined {
  if ((scripts.get(task) ?? '').trim() === '') return `It has no script "${task}".`;
  // The root's script usually runs those of all other workspaces.
  if (path === '') return tasks.has(`//#${task}`) ? undefined : `turbo.json has no task "//#${task}" for the root.`;
  if (tasks.get(`${name}#${task}`) === NO_TASK) return `Its turbo.json excludes it from the task "${task}".`;
  return tasks.has(task) || tasks.has(`${name}#${task}`) ? undefined : `turbo.json has no task "${task}" for it.`;
}

/**
 * Adds the root to an answer if turbo.json has the task for the root itself (`//#test`) and any workspace is affected. Such a script
 * usually runs the tests of all workspaces, which no manifest says.
 */
export function withRootTask(
  affected: AffectedResult,
  workspaces: readonly TaskOwner[],
  { task, turboTasks }: { readonly task: string; readonly turboTasks: TurboTasks },
): AffectedResult {
  const root = workspaces.find(({ path }) => path === '');
  const isIdle = affected.workspaces.length === 0 || affected.workspaces.some(({ path }) => path === '.');
  if (root === undefined || isIdle || whyNoTask(root, task, turboTasks) !== undefined) return affected;
  return { ...affected, workspaces: [{ name: root.name, path: '.', reasons: [{ kind: 'always' }] }, ...affected.workspaces] };
}

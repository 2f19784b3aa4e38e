import { NO_TASK, type TurboTasks } from './turbo-tasks.js';

/** The data that tell whether a workspace has a task. */
export interface TaskOwner {
  readonly name: string;
  /** Relative to the project's root; `` for the root. */
  readonly path: string;
  readonly scripts: ReadonlyMap<string, string>;
}

/** Returns why a task tests nothing or would not run; covers the cases of `whyNoTask`, and scripts that only print or exit. */
export function whyNoTests(owner: TaskOwner, task: string, tasks: TurboTasks): string | undefined {
  const script = owner.scripts.get(task) ?? '';
  return whyNoTask(owner, task, tasks) ?? (runsNothing(script) ? `Its script "${task}" runs nothing: ${script.trim()}` : undefined);
}

/** Whatever a shell would read in an argument may run something. Behind `exit` nothing does. */
function runsNothing(script: string): boolean {
  const commands = script.split(/&&|;/).map((command) => command.trim());
  const end = commands.findIndex((command) => /^exit(?: 0)?$/.test(command));
  return (end < 0 ? commands : commands.slice(0, end)).every((command) => /^(?:echo|true|:)(?: [^$`<>|&(]*)?$/.test(command));
}

/** Returns why turborepo would not run the task of a workspace; `undefined` if it would. */
export function whyNoTask({ name, path, scripts }: TaskOwner, task: string, tasks: TurboTasks): string | undefined {
  if ((scripts.get(task) ?? '').trim() === '') return `It has no script "${task}".`;
  // The root's script usually runs those of all other workspaces.
  if (path === '') return tasks.has(`//#${task}`) ? undefined : `turbo.json has no task "//#${task}" for the root.`;
  if (tasks.get(`${name}#${task}`) === NO_TASK) return `Its turbo.json excludes it from the task "${task}".`;
  return tasks.has(task) || tasks.has(`${name}#${task}`) ? undefined : `turbo.json has no task "${task}" for it.`;
}

import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { readJsonWithComments } from '@tributary/workspaces/json';

/** The tasks of turbo.json: for each key (`build`, `@acme/ui#build`, `//#lint`) its `dependsOn`. */
export type TurboTasks = ReadonlyMap<string, readonly string[]>;

/** A short turbo.json, for hints. */
export const TURBO_JSON = '{ "tasks": { "build": { "dependsOn": ["^build"] }, "test": { "dependsOn": ["^build"] } } }';

/** Parses turbo.json or turbo.jsonc, including those of turborepo 1 (`pipeline`). Throws `CONFIG_INVALID`. */
export function parseTurboTasks(text: string | undefined): TurboTasks {
  if (text === undefined) throw invalid('The commit has no turbo.json at the root of the project.', `Commit one, such as ${TURBO_JSON}`);
  const value = readObject(text, 'turbo.json');
  const tasks = value['tasks'] ?? value['pipeline'];
  if (!isPlainObject(tasks)) throw invalid('turbo.json has no "tasks".', 'Declare the task that the shards should run.');
  return new Map(Object.entries(tasks).map(([key, task]) => [key, dependsOn(task) ?? []]));
}

/** The turbo.json of a workspace. */
export interface OwnTurboFile {
  readonly workspace: string;
  /** The path, for messages. */
  readonly file: string;
  readonly text: string;
}

/**
 * Adds the tasks in the turbo.json of workspaces, which override those of the root. Source: turborepo.com, "Package Configurations". Throws
 * `CONFIG_INVALID`.
 */
export function withOwnTasks(tasks: TurboTasks, own: readonly OwnTurboFile[]): TurboTasks {
  return new Map([...tasks, ...own.flatMap((one) => [...ownTasks(tasks, one)])]);
}

function ownTasks(tasks: TurboTasks, { workspace, file, text }: OwnTurboFile): TurboTasks {
  const value = readObject(text, file);
  const own = new Map(Object.entries(asRecord(value['tasks'] ?? value['pipeline'])));
  // Other inheritance is not supported: such tasks count as depending on nothing.
  const from = value['extends'];
  const isPlain = Array.isArray(from) && from.length === 1 && from[0] === '//';
  const others = isPlain ? [] : [...tasks.keys()].filter((key) => !key.includes('#'));
  return new Map(
    [...own.keys(), ...others].map((task) => {
      const declared = own.get(task);
      if (isTakenOut(declared)) return [`${workspace}#${task}`, NO_TASK];
      const inherited = dependenciesOf(tasks, workspace, task);
      const asked = isPlain && asRecord(declared)['extends'] === undefined ? (dependsOn(declared) ?? inherited) : [];
      return [`${workspace}#${task}`, asked.flatMap((entry) => (entry === '$TURBO_EXTENDS$' ? inherited : [entry]))];
    }),
  );
}

/** The value of a task that a workspace opts out of. */
export const NO_TASK: readonly string[] = [];

/** Tells whether it is `{ "extends": false }` and nothing else; with other keys it defines a task. Source: turborepo 2.11, tried. */
function isTakenOut(declared: unknown): boolean {
  return isPlainObject(declared) && declared['extends'] === false && Object.keys(declared).length === 1;
}

/** Returns what a workspace's task depends on; its own key takes precedence over the general one. */
export function dependenciesOf(tasks: TurboTasks, workspace: string, task: string): readonly string[] {
  return tasks.get(`${workspace}#${task}`) ?? tasks.get(task) ?? [];
}

/** Throws `TASK_UNKNOWN` for a task that turborepo would reject. */
export function checkTask(tasks: TurboTasks, task: string): void {
  if ([...tasks.keys()].some((key) => key === task || key.endsWith(`#${task}`))) return;
  const known = [...new Set([...tasks.keys()].map((key) => key.slice(key.indexOf('#') + 1)))].sort();
  throw new ToolError({
    code: 'TASK_UNKNOWN',
    message: `turbo.json has no task "${task}".`,
    hint: known.length === 0 ? 'Declare it there.' : `It has ${known.join(', ')}; name one with --task.`,
    data: { task, known },
  });
}

/** Returns the names of the tasks that may run before a task, in whatever workspace. */
export function tasksBefore(task: string, turboTasks: TurboTasks): ReadonlySet<string> {
  const nameOf = (entry: string): string => entry.slice(entry.indexOf('#') + 1).replace(/^\^/, '');
  const found = new Set<string>();
  const open = [task];
  for (const one of open)
    for (const other of [...turboTasks].flatMap(([key, entries]) => (nameOf(key) === one ? entries.map(nameOf) : []))) {
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  return found;
}

/**
 * Sorts tasks so that those that others run after come first: their results are then in the cache. Only in a circle does a task
 * come before one that it runs after.
 */
export function inRunOrder(tasks: readonly string[], turboTasks: TurboTasks): readonly string[] {
  const seen = new Set<string>();
  const visit = (task: string): readonly string[] => {
    if (seen.has(task)) return [];
    seen.add(task);
    const before = tasksBefore(task, turboTasks);
    return [...tasks.filter((other) => before.has(other)).flatMap(visit), task];
  };
  return tasks.flatMap(visit);
}

function dependsOn(task: unknown): readonly string[] | undefined {
  const list = asRecord(task)['dependsOn'];
  return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === 'string') : undefined;
}

/** Parses JSON with comments. Throws `CONFIG_INVALID` for everything that is not an object. */
export function readObject(text: string, file: string): Readonly<Record<string, unknown>> {
  const reading = readJsonWithComments(text);
  if ('value' in reading && isPlainObject(reading.value)) return reading.value;
  throw invalid(`${file} cannot be read: it is not JSON.`, 'Correct the file.', file);
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

function invalid(message: string, hint: string, file = 'turbo.json'): ToolError {
  return new ToolError({ code: 'CONFIG_INVALID', message, hint, data: { file } });
}

import { posix } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import type { TaskId } from './upstream.js';

/** What turborepo says it hashes, from `turbo run --dry=json`. */
export class TurboHashes {
  private readonly tasks: ReadonlyMap<TaskId, DryTask>;
  /** In the hash of every task. */
  private readonly globalFiles: ReadonlySet<string>;

  constructor(tasks: readonly DryTask[], globalFiles: readonly string[]) {
    this.tasks = new Map(tasks.map((task) => [task.taskId, task]));
    this.globalFiles = new Set(globalFiles);
  }

  /** Returns the first of some files (relative to the project's root) that is in no hash of a task or its upstream. */
  firstMissing(task: TaskId, files: readonly string[]): string | undefined {
    const hashed = new Set(this.before(task).flatMap(({ files: own }) => [...own]));
    return files.find((file) => !hashed.has(file) && !this.globalFiles.has(file));
  }

  /** Returns the task itself and all its upstream tasks. */
  private before(task: TaskId): readonly DryTask[] {
    const found = new Set([task]);
    for (const id of found) for (const other of this.tasks.get(id)?.dependencies ?? []) found.add(other);
    return [...found].flatMap((id) => this.tasks.get(id) ?? []);
  }
}

interface DryTask {
  readonly taskId: TaskId;
  readonly dependencies: readonly TaskId[];
  /** Relative to the project's root. */
  readonly files: readonly string[];
}

/** Parses turborepo's output; `undefined` for any other text. */
export function parseTurboHashes(text: string): TurboHashes | undefined {
  const value = readJson(text.slice(Math.max(0, text.indexOf('{'))));
  if (!isPlainObject(value) || !Array.isArray(value['tasks'])) return undefined;
  const tasks = value['tasks'].map(readTask);
  const files = isPlainObject(value['globalCacheInputs']) ? value['globalCacheInputs']['files'] : undefined;
  if (!tasks.every((task) => task !== undefined)) return undefined;
  return new TurboHashes(tasks, isPlainObject(files) ? Object.keys(files) : []);
}

function readTask(value: unknown): DryTask | undefined {
  if (!isPlainObject(value)) return undefined;
  const { taskId, directory, inputs, dependencies } = value;
  if (typeof taskId !== 'string' || typeof directory !== 'string' || !isPlainObject(inputs) || !Array.isArray(dependencies))
    return undefined;
  const ids = dependencies.filter((one): one is string => typeof one === 'string');
  return { taskId, dependencies: ids, files: Object.keys(inputs).map((file) => posix.join(turboFolder(directory), file)) };
}

/** A folder as turborepo names it; on Windows with backslashes, which stand in no path of a workspace. */
export function turboFolder(folder: string): string {
  return folder.replaceAll('\\', '/');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { DroppedTask } from '@tributary/model/dropped-tasks';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { type TaskOwner, whyNoTests } from './has-task.js';
import type { LostTask, TasksAtBase } from './plan.js';
import type { TurboTasks } from './turbo-tasks.js';

/** The workspaces of a commit, and the tasks in its turbo.json. */
export interface TaskSide {
  readonly workspaces: readonly TaskOwner[];
  readonly turboTasks: TurboTasks;
}

/** The merge base, if it can be read. */
export type BaseSide =
  | { readonly unknown: string }
  | (TaskSide & {
      /**
       * By folder at the base, workspaces that still exist at the head but are no longer workspaces. The value is a sentence about where
       * they are now.
       */
      readonly leftBehind: ReadonlyMap<string, string>;
      /** By their folder at the base, workspaces that are gone, and the folder of the workspace that has most of their files now. */
      readonly movedTo?: ReadonlyMap<string, string>;
      /** Its files that may be tests by their names; missing: as at the head, but for the changed files. */
      readonly testFiles?: readonly string[];
    });

/** Losses that somebody agreed to: those in tributary.json, and names, or `*` for all, on the command line. */
export interface AgreedLosses {
  readonly dropped: readonly DroppedTask[];
  readonly named: readonly string[];
}

/**
 * Finds the workspaces that had a task at the base and lost it. They have no script, one that runs nothing, or no task in turbo.json, or
 * are no longer workspaces although they still exist. Deleted, renamed and moved workspaces lost nothing.
 */
export function findLostTasks(base: BaseSide, head: TaskSide, { task, agreed }: { task: string; agreed: AgreedLosses }): TasksAtBase {
  if ('unknown' in base) return { unknown: withoutBreaks(base.unknown), workspaces: 0, lost: [] };
  const had = base.workspaces.filter((one) => whyNoTests(one, task, base.turboTasks) === undefined);
  const byName = new Map(head.workspaces.map((one) => [one.name, one]));
  const byPath = new Map(head.workspaces.map((one) => [one.path, one]));
  const lost = had.flatMap(({ name, path }): readonly LostTask[] => {
    // Both count: the name may have gone to a new workspace, and the folder too.
    const place = base.movedTo?.get(path) ?? path;
    const heirs = [byName.get(name), byPath.get(place)].filter((one) => one !== undefined);
    const reason =
      heirs.length === 0
        ? base.leftBehind.get(path)
        : heirs.map((heir) => whyNoTests(heir, task, head.turboTasks)).find((why) => why !== undefined);
    return reason === undefined ? [] : [{ workspace: name, reason: withoutBreaks(reason), agreed: agreement(name, task, agreed) }];
  });
  return { unknown: null, workspaces: had.length, lost: lost.sort((a, b) => (a.workspace < b.workspace ? -1 : 1)) };
}

/** Why a workspace may lose its tests; `null`: nobody said so. */
export function agreement(name: string, task: string, { dropped, named }: AgreedLosses): string | null {
  const entry = dropped.find((one) => one.name === name && one.task === task);
  if (entry !== undefined) return withoutBreaks(entry.because);
  return named.includes(name) || named.includes(EVERY) ? 'The job that made the plan says so (--dropped).' : null;
}

/**
 * Of what the command line of a plan of several tasks says, returns the names that count for one of them. A name without a task means tests:
 * who drops those of a workspace does not drop its lint.
 */
export function namedFor(task: string, named: readonly string[]): readonly string[] {
  return named.flatMap((name) => {
    const [workspace = '', of] = name.split('#');
    return (of === undefined ? kindOfTask(task) === 'test' : of === task) ? [workspace] : [];
  });
}

/** Cannot be a package name. */
const EVERY = '*';

/** Makes a person's sentence safe for logs. */
function withoutBreaks(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

import type { ChangedFile } from '@tributary/model/changeset';
import { parentFolder } from '@tributary/workspaces/folders';
import type { BaseSide, TaskSide } from '../plan/lost-tasks.js';
import type { TestsAtBase } from '../plan/plan.js';
import type { PlanInput } from '../plan/plan-input.js';
import { isTestOf } from '../plan/runner.js';
import { dependenciesOf, type TurboTasks } from '../plan/turbo-tasks.js';
import { ScriptReader } from '../scripts/script-reader.js';

// A file of its own, loaded late: the parser of scripts is large.

interface Sides {
  readonly head: TaskSide;
  readonly base: BaseSide;
  readonly task: string;
  /** All tasks of the plan. */
  readonly planned: readonly string[];
  /** Of the affected workspaces. */
  readonly names: ReadonlySet<string>;
  readonly changed: ReadonlyMap<string, readonly ChangedFile[]>;
  /** At the head, what may be tests. */
  readonly files: readonly string[];
}

/** Returns why affected workspaces may hide a failure in their scripts or in tasks before, and what shows that these workspaces had tests at the base. */
export function readScripts(sides: Sides): Pick<PlanInput, 'scriptFlaws' | 'testsAtBase'> {
  const { head, task, names } = sides;
  const reader = new ScriptReader(head.workspaces);
  const sorted = [...names].sort();
  return {
    scriptFlaws: sorted.flatMap((workspace) => [
      ...reader.read(workspace, task).flaws.map((flaw) => ({ workspace, ...flaw })),
      ...ownTasksBefore(workspace, task, head.turboTasks)
        .filter((other) => !sides.planned.includes(other) && reader.read(workspace, other).runners.length > 0)
        .map((other) => ({ workspace, kind: 'before' as const, what: other })),
    ]),
    testsAtBase: testsAtBase(sides),
  };
}

/** Returns the tasks of a workspace that run before one of its tasks. */
function ownTasksBefore(workspace: string, task: string, turboTasks: TurboTasks): readonly string[] {
  const found = [task];
  // The loop also visits what it adds.
  for (const one of found) {
    const own = dependenciesOf(turboTasks, workspace, one).map((entry) =>
      entry.startsWith(`${workspace}#`) ? entry.slice(workspace.length + 1) : entry,
    );
    found.push(...own.filter((entry) => !/[\^#]/.test(entry) && !found.includes(entry)));
  }
  return found.slice(1);
}

function testsAtBase({ base, task, names, changed, files }: Sides): ReadonlyMap<string, TestsAtBase> {
  if ('unknown' in base) return new Map();
  const reader = new ScriptReader(base.workspaces);
  const byOwner = filesByOwner(base.testFiles ?? filesBefore(files, changed), base);
  return new Map(
    [...names].flatMap((name): readonly [string, TestsAtBase][] => {
      const { runners } = reader.read(name, task);
      const files = (byOwner.get(name) ?? []).filter((path) => runners.some((runner) => isTestOf(runner, path))).length;
      // Without a change of its own, it has lost nothing.
      return files === 0 || (changed.get(name) ?? []).length === 0 ? [] : [[name, { runners, files }]];
    }),
  );
}

function filesBefore(files: readonly string[], changed: Sides['changed']): readonly string[] {
  const all = [...changed.values()].flat();
  const added = new Set<string>(all.filter(({ status }) => status === 'added').map(({ path }) => path));
  return [...files.filter((path) => !added.has(path)), ...all.filter(({ status }) => status === 'deleted').map(({ path }) => path)];
}

/** Returns the files by the name of the innermost workspace around them, relative to it. */
function filesByOwner(files: readonly string[], { workspaces }: TaskSide): ReadonlyMap<string, readonly string[]> {
  const names = new Map(workspaces.map(({ path, name }) => [path, name]));
  const found = new Map<string, string[]>();
  for (const file of files) {
    let folder: string = parentFolder(file);
    while (folder !== '' && !names.has(folder)) folder = parentFolder(folder);
    const owner = names.get(folder);
    if (owner !== undefined) found.set(owner, [...(found.get(owner) ?? []), folder === '' ? file : file.slice(folder.length + 1)]);
  }
  return found;
}

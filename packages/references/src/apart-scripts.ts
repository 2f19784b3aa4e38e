import { isApart, isOfRelease } from '@tributary/workspaces/script-kinds';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { Collected, OwnReferences, PlacedTask } from './own-references.js';
import type { ManifestFacts } from './reference.js';

/** The tasks of a kind, and what task runners run for them in each workspace. */
export interface Tasks {
  readonly kind: TaskKind;
  readonly needed: readonly PlacedTask[];
}

export function tasksOf({ rootFiles }: Collected, kind: TaskKind): Tasks {
  return { kind, needed: [...rootFiles.values()].flatMap(({ tasks }) => tasks ?? []) };
}

/** Leaves out what scripts name that take no part in tasks of a kind, such as `lint:files` and `changelog:update` in tests. */
export function forTasks(own: OwnReferences, tasks: Tasks): OwnReferences {
  const scripts = own.manifest?.scripts ?? [];
  const counting = new Set(scriptsFor(own, tasks).map(({ name }) => `scripts.${name}`));
  if (counting.size === scripts.length) return own;
  const apart = new Set(scripts.map(({ name }) => `scripts.${name}`).filter((key) => !counting.has(key)));
  return { ...own, paths: own.paths.filter(({ key }) => key === undefined || !apart.has(key)) };
}

/** Returns the scripts that may take part in tasks of a kind, judged by their names and by who calls them. */
export function scriptsFor(own: OwnReferences, tasks: Tasks): ManifestFacts['scripts'] {
  const counting = countingNames(own, tasks);
  return own.manifest?.scripts.filter(({ name }) => counting.has(name)) ?? [];
}

/**
 * Returns what a task runner runs of other workspaces for tasks of a kind of one workspace, by its name; `//` for the root. What the settings
 * of the root say of all workspaces counts for those whose scripts need it, also through tasks without a script.
 */
export function tasksElsewhere(name: string, own: OwnReferences, tasks: Tasks): readonly PlacedTask[] {
  const meant = tasks.needed.filter(({ of }) => of === name || (of === undefined && name !== '//'));
  const all = [...(own.tasks ?? []), ...meant];
  if (all.every((one) => one.in === undefined)) return [];
  const run = new Set(scriptsFor(own, tasks).map((script) => script.name));
  // The loop also visits those that it adds.
  for (const one of run) for (const { task, needs } of all) if (task === one) run.add(needs);
  const counting = countingNames(own, tasks);
  const isOfAll = new Set(meant.filter(({ of }) => of === undefined));
  return all.filter((one) => one.in !== undefined && (isOfAll.has(one) ? run : counting).has(one.task));
}

function countingNames({ manifest, tasks = [], commands = [] }: OwnReferences, { kind, needed }: Tasks): ReadonlySet<string> {
  const scripts = manifest?.scripts ?? [];
  const isOutside = (name: string): boolean => isApart(name, kind) || isOfRelease(name);
  const needs = [...tasks, ...needed].filter((one) => one.in !== '//');
  const counting = new Set([...scripts.map(({ name }) => name), ...needs.map(({ task }) => task)].filter((name) => !isOutside(name)));
  const texts = new Map(scripts.map(({ name, text }) => [name, text]));
  const isIn = (text: string, name: string): boolean => text.includes(name.replace(/:.*$/s, ''));
  for (const name of texts.keys()) if (commands.some(({ specifier }) => isIn(specifier, name))) counting.add(name);
  // The loop also visits those that it adds.
  for (const one of counting) {
    for (const { task, needs: other } of needs) if (task === one) counting.add(other);
    for (const name of texts.keys()) if (isIn(texts.get(one) ?? '', name)) counting.add(name);
  }
  return counting;
}

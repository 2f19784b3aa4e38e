import { isPlainObject } from '@tributary/model/plain-object';
import { changedKeys } from '../same-value.js';
import type { TaskKind } from '../task-kinds.js';

/**
 * Returns the changed keys of lerna.json that a task of this kind may depend on, such as `npmClient`; keys of `command` as `command.run`.
 * Includes every key that is not known to concern only releases.
 */
export function diffLerna(base: Settings, head: Settings, kind: TaskKind): readonly string[] {
  const command = changedKeys(base['command'], head['command'], () => 'is free').map((key) => `command.${key}`);
  const isReadable = [base, head].every((side) => side['command'] === undefined || isPlainObject(side['command']));
  const changed = changedKeys(base, head, () => 'is free').flatMap((key) => (key === 'command' && isReadable ? command : [key]));
  return kind === 'other' ? changed : changed.filter((key) => !isOfReleases(key));
}

export type Settings = Readonly<Record<string, unknown>>;

const RELEASES: ReadonlySet<string> = new Set([
  '$schema',
  'version',
  'command.changed',
  'command.diff',
  'command.publish',
  'command.version',
  'conventionalCommits',
  'ignoreChanges',
]);

function isOfReleases(key: string): boolean {
  return RELEASES.has(key) || key.startsWith('changelog');
}

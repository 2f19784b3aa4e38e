import type { RepoFolder } from '@tributary/model/paths';
import { expandBraces } from '@tributary/workspaces/glob';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { leadsOut, moduleAt, pathAt } from './place.js';
import { guess } from './short-names.js';

/**
 * Reads the `inputs` of tasks in a turbo.json, and what it extends. Those for all tasks (`globalDependencies`, `global.inputs`) are not
 * read here, and a negated entry narrows nothing. Source: `schema.json` of turbo 2.11.9; version 1 had `pipeline` in place of `tasks`.
 */
export function readTurbo(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  return values.flatMap((value) => {
    const { keys, text } = value;
    if (isSelected(keys, 'extends')) return text === '//' ? [] : moduleAt(value, folder, guess);
    if (keys[0] === 'boundaries' && keys[1] === 'implicitDependencies' && folder !== '') return moduleAt(value, folder, guess);
    if (!isInput(keys) || /^!|^\$TURBO_(DEFAULT|EXTENDS)\$/.test(text)) return [];
    return expandBraces(text).flatMap((one) => {
      const input = { ...value, text: one };
      return folder === '' ? inputOfRoot(input) : [pathAt(input, folder)];
    });
  });
}

function isSelected(keys: readonly string[], list: string): boolean {
  return keys[0] === list && keys.length <= 2;
}

/** `tasks.build.inputs.0`, and `tasks.build.inputs.0.globs.0` of a structured entry. */
function isInput(keys: readonly string[]): boolean {
  if ((keys[0] !== 'tasks' && keys[0] !== 'pipeline') || keys[2] !== 'inputs') return false;
  return keys.length === 4 || (keys.length === 6 && keys[4] === 'globs');
}

/** An entry in the root's file is relative to each workspace that has the task: only those from the root, or upwards, lead out of all of them. */
function inputOfRoot(value: KeyedText): readonly SettingPath[] {
  const task = value.keys[1] ?? '';
  const workspace = task.slice(0, Math.max(task.indexOf('#'), 0));
  const isFromRoot = value.text.startsWith('$TURBO_ROOT$');
  const path = pathAt(value, '', isFromRoot || workspace === '//' ? 'path' : 'text');
  if (workspace === '//') return [path];
  if (workspace !== '') return [{ ...path, reader: workspace }];
  return isFromRoot || leadsOut(value.text) ? [{ ...path, reader: '*' }] : [];
}

import { faultWarnings, type ObjectFault } from './object-faults.js';
import type { PlannedTag } from './plan-tags.js';
import { findUnportable } from './unportable-paths.js';

/** Problems of a source that are no reason to reject it. */
export interface SourceConcerns {
  readonly name: string;
  readonly faults: readonly ObjectFault[];
  /** Paths in the last commit, as bytes in Latin-1 text. */
  readonly paths: readonly string[];
  /** Tags that keep their names in full. */
  readonly apart: readonly PlannedTag[];
}

/** Returns warnings about machines and servers that may reject the imported files. */
export function sourceWarnings({ name, faults, paths, apart }: SourceConcerns): readonly string[] {
  const { windows, colliding } = findUnportable(paths);
  return [
    ...faultWarnings(name, faults),
    ...(apart.length === 0
      ? []
      : [
          `${counted(apart.length, 'tag')} of ${name} would have the same name as another one on a different commit, and got another: ${shown(apart.map((tag) => `${tag.name} is ${tag.newName}`))}.`,
        ]),
    ...(windows.length === 0 ? [] : [`Windows cannot check out ${counted(windows.length, 'path')} of ${name}: ${shown(windows)}.`]),
    ...(colliding.length === 0
      ? []
      : [
          `On file systems that ignore case or the form of accents (Windows, macOS), ${counted(colliding.length, 'path')} of ${name} ${colliding.length === 1 ? 'is' : 'are'} not unique: ${shown(colliding.map((group) => group.join(' and ')))}.`,
        ]),
  ];
}

const SHOWN = 3;

function shown(all: readonly string[]): string {
  const first = all.slice(0, SHOWN).map((one) => JSON.stringify(one).slice(1, -1));
  return `${first.join(', ')}${all.length > SHOWN ? ', …' : ''}`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathAt, pathOut } from './place.js';
import type { Meanings } from './short-names.js';

/** Lists what the values of a settings file, or of a block of a manifest, refer to. `folder`: the folder of the file. */
export type SettingsReader = (values: readonly KeyedText[], folder: RepoFolder) => readonly SettingPath[];

type ValueReader = (value: KeyedText, folder: RepoFolder) => readonly SettingPath[];

/** A reader of single values, with the selectors of those that it reads. */
export type Rule = readonly [read: ValueReader, ...selectors: readonly string[]];

/**
 * Builds a reader that reads each value by the first rule that selects its keys. A selector is keys joined by dots: `*` stands for one key
 * or index, a leading `**` for any number, and `**` alone for all. Without a rule, a value is read if it leads out of the folder.
 */
export function readerBy(...rules: readonly Rule[]): SettingsReader {
  const compiled = rules.flatMap(([read, ...selectors]) => selectors.map((selector) => ({ read, selects: parseSelector(selector) })));
  return (values, folder) =>
    values.flatMap((value) => (compiled.find(({ selects }) => selects(value.keys))?.read ?? pathOut)(value, folder));
}

function parseSelector(selector: string): (keys: readonly string[]) => boolean {
  const isAnywhere = selector.startsWith('**');
  const wanted = selector
    .replace(/^\*\*\.?/, '')
    .split('.')
    .filter((key) => key !== '');
  return (keys) => {
    const start = keys.length - wanted.length;
    return (isAnywhere ? start >= 0 : start === 0) && wanted.every((key, at) => key === '*' || key === keys[start + at]);
  };
}

/** FOR RULES. Returns a reader of names of packages. */
export function modules(namesOf: (name: string) => Meanings): ValueReader {
  return (value, folder) => moduleAt(value, folder, namesOf);
}

/** FOR RULES. Reads nothing. */
export function nothing(): readonly SettingPath[] {
  return [];
}

/** FOR RULES. Reads a folder in which imported names are looked up. `node_modules` has no files of the project. */
export function searched(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return value.text === 'node_modules' ? [] : file(value, folder).map((path) => ({ ...path, isPattern: true, isCapture: true }));
}

/** FOR RULES. Reads a path, with or without `./`. A negated one narrows nothing. */
export function file(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return value.text.startsWith('!') ? [] : [pathAt(value, folder)];
}

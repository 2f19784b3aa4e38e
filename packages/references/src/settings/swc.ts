import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathAt } from './place.js';
import { file, readerBy } from './rules.js';

/** Reads a `.swcrc`, which may be a list of settings. Source: `Config` of @swc/types. */
export function readSwc(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const baseUrl = values.find(({ keys }) => keys.at(-1) === 'baseUrl')?.text ?? '.';
  const base = resolveFolder(folder, baseUrl) ?? folder;
  return values.flatMap((value) => (value.keys.includes('paths') ? [pathAt(value, base)] : readOthers([value], folder)));
}

const readOthers = readerBy(
  [file, '**.jsc.baseUrl'],
  [moduleAt, '**.jsc.experimental.plugins.*.0', '**.jsc.transform.react.importSource', '**.extends'],
);

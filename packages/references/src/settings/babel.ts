import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathOut } from './place.js';
import { file, type Rule, readerBy } from './rules.js';
import { babelNames } from './short-names.js';

/** The rules for presets and plugins, which stand also in the options of other tools. */
export const BABEL_RULES: readonly Rule[] = [
  [babelModule, '**.presets.*', '**.presets.*.0', '**.plugins.*', '**.plugins.*.0'],
  [optionOf, ...optionsBelow('presets'), ...optionsBelow('plugins')],
];

/** Options are seldom nested deeper. */
function optionsBelow(list: string): readonly string[] {
  return ['1.*', '1.*.*', '1.*.*.*'].map((keys) => `**.${list}.*.${keys}`);
}

/** Reads the settings of Babel. Source: `validation/options` and `files/plugins` of @babel/core 7. */
export const readBabel = readerBy([moduleAt, '**.extends'], [file, 'babelrcRoots', 'babelrcRoots.*'], ...BABEL_RULES);

function babelModule(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return moduleAt(value, folder, babelNames);
}

/** An option may name a package whose code is injected: `importSource`, `libraryName`. */
function optionOf(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  if (/^(@[\w.-]+\/)?[\w.-]+(\/[\w./-]*)?$/.test(value.text) && !value.text.startsWith('.')) return moduleAt(value, folder);
  return value.text.startsWith('./') ? file(value, folder) : pathOut(value, folder);
}

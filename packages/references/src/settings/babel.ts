import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathOut } from './place.js';
import { file, type Rule, readerBy } from './rules.js';
import { babelNames, guess, itself } from './short-names.js';

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
  const list = value.keys.findLast((key) => key === 'presets' || key === 'plugins');
  const names = moduleAt(value, folder, (name) => babelNames(name, list === 'presets' ? 'preset' : 'plugin'));
  return [...names, ...names.flatMap(({ specifier }) => helpersOf({ ...value, text: specifier }, folder))];
}

/** Compiled code imports what these plugins take out of each file. Source: `getRuntimePath` in the plugin, and that of Babel 6. */
const HELPERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['@babel/plugin-transform-runtime', ['@babel/runtime', '@babel/runtime-corejs3', '@babel/runtime-corejs2']],
  ['babel-plugin-transform-runtime', ['babel-runtime']],
]);

/** Returns the packages of a plugin's helpers, one of which is imported. */
function helpersOf({ text: plugin, ...value }: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return (HELPERS.get(plugin) ?? []).flatMap((text) => moduleAt({ ...value, key: `${value.key}.helpers`, text }, folder));
}

/** The options of common presets and plugins that name a package whose code is injected. */
const INJECTED = /^(?:importSource|libraryName|moduleName)$/;

function optionOf(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  const isName = /^(@[\w.-]+\/)?[\w.-]+(\/[\w./-]*)?$/.test(value.text) && !value.text.startsWith('.');
  if (isName) return moduleAt(value, folder, INJECTED.test(value.keys.at(-1) ?? '') ? itself : guess);
  return value.text.startsWith('./') ? file(value, folder) : pathOut(value, folder);
}

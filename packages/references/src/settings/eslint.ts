import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { BABEL_RULES } from './babel.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathAt } from './place.js';
import { modules, nothing, readerBy } from './rules.js';
import { eslintNames, except, prefixedNames } from './short-names.js';

/** Reads an `.eslintrc`. Source: `conf/config-schema.js` of @eslint/eslintrc, and the documented options of its common parsers. */
export function readEslint(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const babel = values.filter(({ keys }) => keys.includes('babelOptions'));
  return [
    ...readOptions(
      values.filter((value) => !babel.includes(value)),
      folder,
    ),
    ...readBabelOptions(babel, folder),
  ];
}

const readOptions = readerBy(
  [modules((name) => eslintNames(name, 'config')), '**.extends', '**.extends.*'],
  [modules((name) => eslintNames(name, 'plugin')), '**.plugins.*', '**.processor'],
  [moduleAt, '**.parser', '**.parserOptions.parser', '**.parserOptions.parser.*'],
  [resolver, '**.import/resolver', '**.import/resolver.*'],
  [fromFolder, '**.parserOptions.project', '**.parserOptions.project.*', '**.parserOptions.tsconfigRootDir'],
  [fromFolder, '**.import/resolver.typescript.project', '**.import/resolver.typescript.project.*', '**.import/resolver.node.paths.*'],
);

const readBabelOptions = readerBy([moduleAt, '**.configFile'], ...BABEL_RULES);

/** Reads the names of members in settings of eslint-plugin-import. Source: its `resolve` and `parse` of eslint-module-utils. */
export const readEslintMembers = readerBy([resolver, '**.import/resolver'], [moduleAt, '**.import/parsers'], [nothing, '**']);

function resolver(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return moduleAt(
    value,
    folder,
    except('node', (name) => prefixedNames(name, 'eslint-import-resolver')),
  );
}

function fromFolder(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return [pathAt(value, folder, 'text')];
}

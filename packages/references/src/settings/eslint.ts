import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { BABEL_RULES } from './babel.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathAt } from './place.js';
import { readerBy } from './rules.js';
import { eslintNames } from './short-names.js';

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
  [eslintModule, '**.extends', '**.extends.*', '**.plugins.*', '**.processor'],
  [moduleAt, '**.parser', '**.parserOptions.parser', '**.parserOptions.parser.*', 'settings.import/resolver'],
  [fromFolder, '**.parserOptions.project', '**.parserOptions.project.*', '**.parserOptions.tsconfigRootDir'],
  [fromFolder, '**.import/resolver.typescript.project', '**.import/resolver.typescript.project.*', '**.import/resolver.node.paths.*'],
);

const readBabelOptions = readerBy([moduleAt, '**.configFile'], ...BABEL_RULES);

function eslintModule(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return moduleAt(value, folder, eslintNames);
}

function fromFolder(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return [pathAt(value, folder, 'text')];
}

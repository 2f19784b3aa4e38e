import { fileOrModuleAt, moduleAt } from './place.js';
import { file, modules, nothing, readerBy } from './rules.js';
import { prefixedNames } from './short-names.js';

/** Reads a `biome.json`. Source: its `configuration_schema.json`. */
export const readBiome = readerBy(
  // `//` is the file of the root.
  [(value, folder) => (value.text === '//' ? [] : fileOrModuleAt(value, folder)), 'extends', 'extends.*'],
  [file, '**.plugins.*', '**.plugins.*.path'],
);

/** Reads an `.oxlintrc.json`. Source: its `configuration_schema.json`. */
export const readOxlint = readerBy([file, 'extends.*'], [moduleAt, '**.jsPlugins.*', '**.jsPlugins.*.specifier']);

/** Reads a `.stylelintrc`. Source: `absolutizePaths` in `augmentConfig` of stylelint 17. */
export const readStylelint = readerBy(
  [
    moduleAt,
    '**.extends',
    '**.extends.*',
    '**.plugins',
    '**.plugins.*',
    '**.customSyntax',
    '**.processors.*',
    '**.referenceFiles.*.loader',
  ],
  [file, '**.referenceFiles', '**.referenceFiles.*', '**.referenceFiles.*.files', '**.referenceFiles.*.files.*'],
);

/** Reads a `.prettierrc`. Source: `Options` and `loadConfig` of prettier 3: the whole may be the name of a package. */
export const readPrettier = readerBy([moduleAt, '', '**.plugins.*'], [nothing, '**.parser']);

/** Reads a `.commitlintrc`. Source: its `commitlint.schema.json`, and `getId` of @commitlint/resolve-extends. */
export const readCommitlint = readerBy(
  [modules((name) => prefixedNames(name, 'commitlint-config')), 'extends', 'extends.*'],
  [moduleAt, 'parserPreset', 'parserPreset.name', 'formatter', 'plugins.*'],
);

/** Reads a `.remarkrc`. Source: `configuration` of unified-engine. */
export const readRemark = readerBy([modules((name) => prefixedNames(name, 'remark')), 'plugins.*', 'plugins.*.0']);

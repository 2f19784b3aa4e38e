import { fileOrModuleAt, moduleAt } from './place.js';
import { file, nothing, readerBy } from './rules.js';

/** Reads a `biome.json`. Source: its `configuration_schema.json`. */
export const readBiome = readerBy(
  // `//` is the file of the root.
  [(value, folder) => (value.text === '//' ? [] : fileOrModuleAt(value, folder)), 'extends', 'extends.*'],
  [file, '**.plugins.*', '**.plugins.*.path'],
);

/** Reads an `.oxlintrc.json`. Source: its `configuration_schema.json`. */
export const readOxlint = readerBy([file, 'extends.*'], [moduleAt, '**.jsPlugins.*', '**.jsPlugins.*.specifier']);

/** Reads a `.stylelintrc`. */
export const readStylelint = readerBy([
  moduleAt,
  '**.extends',
  '**.extends.*',
  '**.plugins',
  '**.plugins.*',
  '**.customSyntax',
  '**.processors.*',
]);

/** Reads a `.prettierrc`, or the block `prettier` of a manifest, which may be the name of a package. */
export const readPrettier = readerBy([moduleAt, '', '**.plugins.*'], [nothing, '**.parser']);

import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { readJest } from './jest.js';
import { below, type KeyedText } from './keyed-text.js';
import { fileOrModuleAt, moduleAt } from './place.js';
import { file, readerBy } from './rules.js';
import { readScript } from './script-paths.js';
import { except, guess } from './short-names.js';

const OF_ISTANBUL = 'clover cobertura html html-spa json json-summary lcov lcovonly none teamcity text text-lcov text-summary';

/** Reads an `.nycrc` or `.c8rc`. Source: `@istanbuljs/load-nyc-config`: `extends` is a module or a file, even without `./`. */
export const readCoverage = readerBy(
  [fileOrModuleAt, 'extends', 'extends.*', 'require', 'require.*', 'instrumenter'],
  [(value, folder) => fileOrModuleAt(value, folder, except(OF_ISTANBUL)), 'reporter', 'reporter.*'],
  // These are names of Babel's parser.
  [(value, folder) => fileOrModuleAt(value, folder, guess), 'parser-plugins.*'],
  [file, 'cwd'],
);

/** Reads the block `ava` of a manifest. Source: `lib/load-config.js` and `lib/api.js` of ava 7. */
export const readAva = readerBy([fileOrModuleAt, 'require', 'require.*', 'require.*.0'], [file, 'files.*', 'snapshotDir']);

/** Reads `vitest.workspace.json`, a list of folders and files of settings. */
export const readVitestWorkspace = readerBy([file, '*']);

/** Reads `cypress.json` of Cypress before 10. Source: `ResolvedConfigOptions` in the types of cypress 9, without what it writes. */
export const readCypress = readerBy(
  [file, '**.supportFile', '**.pluginsFile', '**.fixturesFolder', '**.integrationFolder', '**.componentFolder'],
  [file, '**.supportFolder', '**.fileServerFolder'],
);

/**
 * Reads a `stryker.conf.json`. Source: `schema/stryker-core.json` of @stryker-mutator/api 9, and the schemas of its runners for Jest, Karma,
 * Mocha and Vitest.
 */
export function readStryker(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  return [...readStrykerOptions(values, folder), ...readJest(below(values, 'jest', 'config'), folder)];
}

const readStrykerOptions = readerBy(
  [moduleAt, 'plugins.*', 'appendPlugins.*'],
  [fileOrModuleAt, 'mochaOptions.require.*'],
  [file, 'tsconfigFile', 'mutate.*', 'testFiles.*', 'jest.configFile', 'karma.configFile', 'vitest.configFile', 'vitest.dir'],
  [file, 'mochaOptions.file.*', 'mochaOptions.spec.*', 'mochaOptions.config', 'mochaOptions.package', 'mochaOptions.opts'],
  [readScript, 'buildCommand', 'commandRunner.command'],
);

/** Reads a `.taprc`. Source: `plugin` in @tapjs/config; `!` removes a plugin. */
export const readTap = readerBy([(value, folder) => (value.text.startsWith('!') ? [] : moduleAt(value, folder)), 'plugin', 'plugin.*']);

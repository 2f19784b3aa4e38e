import { fileOrModuleAt, moduleAt } from './place.js';
import { file, readerBy } from './rules.js';

/** Reads an `.nycrc` or `.c8rc`. Source: `@istanbuljs/load-nyc-config`: `extends` is a module or a file, even without `./`. */
export const readCoverage = readerBy(
  [fileOrModuleAt, 'extends', 'extends.*', 'require', 'require.*', 'reporter', 'reporter.*', 'parser-plugins.*', 'instrumenter'],
  [file, 'cwd'],
);

/** Reads the block `ava` of a manifest. Source: `lib/load-config.js` and `lib/api.js` of ava 7. */
export const readAva = readerBy([fileOrModuleAt, 'require', 'require.*', 'require.*.0'], [file, 'files.*', 'snapshotDir']);

/** Reads `vitest.workspace.json`, a list of folders and files of settings. */
export const readVitestWorkspace = readerBy([file, '*']);

/** Reads `cypress.json` of Cypress before 10. */
export const readCypress = readerBy([file, 'supportFile', 'pluginsFile', 'fixturesFolder', 'integrationFolder', 'componentFolder']);

/** Reads a `stryker.conf.json`. Source: `schema/stryker-core.json` of @stryker-mutator/api. */
export const readStryker = readerBy(
  [moduleAt, 'plugins.*', 'appendPlugins.*', 'jest.config.preset'],
  [file, 'jest.configFile', 'mochaOptions.require.*', 'mochaOptions.spec.*', 'tsconfigFile', 'vitest.configFile', 'karma.configFile'],
);

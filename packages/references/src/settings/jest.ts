import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { SettingPath } from '../reference.js';
import { cutPattern } from '../written-path.js';
import { BABEL_RULES } from './babel.js';
import { below, type KeyedText } from './keyed-text.js';
import { cut, EXPRESSION, moduleAt, pathAt, pathOut } from './place.js';
import { file, modules, nothing, readerBy, searched } from './rules.js';
import { except, jestEnvironmentNames, prefixedNames } from './short-names.js';

/** Reads the settings of Jest. Source: `normalize` of jest-config 30, which resolves nearly everything from `rootDir`. */
export function readJest(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const projects = new Set(values.flatMap(({ keys }) => (keys[0] === 'projects' && keys.length > 2 ? [keys[1] ?? ''] : [])));
  const own = values.filter(({ keys }) => keys[0] !== 'projects' || keys.length === 2);
  const rootDir = own.find(({ keys }) => keys.length === 1 && keys[0] === 'rootDir')?.text;
  const base = (rootDir === undefined ? undefined : resolveFolder(folder, rootDir.replace(/^<rootDir>/, '.'))) ?? folder;
  const roots = own.flatMap((value) => (value.keys[0] === 'rootDir' ? [pathAt(value, folder)] : readOptions([value], base)));
  return [...roots, ...[...projects].flatMap((project) => readJest(below(values, 'projects', project), base))];
}

const readOptions = readerBy(
  // A string in the place of the settings is the path of their file.
  [file, '', 'roots.*', 'projects.*'],
  [moduleAt, 'preset', 'dependencyExtractor', 'filter', 'globalSetup', 'globalTeardown', 'moduleLoader', 'prettierPath', 'resolver'],
  [
    moduleAt,
    'runtime',
    'setupFiles.*',
    'setupFilesAfterEnv.*',
    'setupTestFrameworkScriptFile',
    'snapshotResolver',
    'snapshotSerializers.*',
  ],
  [modules(except('jasmine2 circus jest-circus jest-circus/runner jest-jasmine2')), 'testRunner'],
  [modules(except('default summary github-actions')), 'reporters.*', 'reporters.*.0'],
  [moduleAt, 'testResultsProcessor', 'transform.*', 'transform.*.0'],
  [moduleAt, 'haste.hasteImplModulePath', 'haste.hasteMapModulePath', 'haste.providesModuleNodeModules.*'],
  [modules(jestEnvironmentNames), 'testEnvironment'],
  [modules(except('jest-runner', (name) => prefixedNames(name, 'jest-runner'))), 'runner', 'runner.0'],
  [modules((name) => prefixedNames(name, 'jest-sequencer')), 'testSequencer'],
  [modules((name) => prefixedNames(name, 'jest-watch')), 'watchPlugins.*', 'watchPlugins.*.0'],
  [replacement, 'moduleNameMapper.*', 'moduleNameMapper.*.*'],
  [searched, 'modulePaths.*', 'moduleDirectories.*', 'moduleDirectories'],
  [nothing, 'displayName', 'testRegex', 'testRegex.*'],
  ...BABEL_RULES,
  [tagged, '**'],
);

/** `<rootDir>/../$1/src`: the groups of the expression are put in. */
function replacement(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return moduleAt(value, folder).map((name) => {
    const { ending, isCapture } = name.isPattern ? {} : cutPattern(name.specifier);
    return {
      ...name,
      ...cut(name.specifier, EXPRESSION),
      ...(name.isPattern ? { isPattern: true } : {}),
      ...(ending === undefined ? {} : { ending }),
      ...(isCapture === true ? { isCapture } : {}),
    };
  });
}

/** Whatever the key is, a path from `rootDir` is one. */
function tagged(value: KeyedText, folder: RepoFolder): readonly SettingPath[] {
  return value.text.startsWith('<rootDir>') ? [pathAt(value, folder, 'text')] : pathOut(value, folder);
}

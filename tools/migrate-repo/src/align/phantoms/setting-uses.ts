import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { isAskedBy } from '../lock/asks.js';
import { directDependencies } from '../lock/direct.js';
import { type Aliases, aliasesOf } from './aliases.js';
import { classOf, isSettings } from './file-class.js';
import { packageOf } from './package-name.js';
import { readSettings, type SettingText } from './settings.js';
import type { PackageView } from './surroundings.js';
import { namesIn, namesInManifest, toolOf } from './tool-settings.js';
import type { PlacedUse, UnreadFile } from './use.js';

/** A parsed settings file. */
export interface SettingsFile {
  readonly path: RepoPath;
  readonly settings: readonly SettingText[];
}

/** Returns the settings files of an imported package, its package.json first. */
export function readSettingsFiles(around: PackageView): {
  readonly files: readonly SettingsFile[];
  readonly unread: readonly UnreadFile[];
} {
  const manifest = `${around.workspace.path}/package.json` as RepoPath;
  const files: SettingsFile[] = [];
  const unread: UnreadFile[] = [];
  const others = around.paths.filter((path) => isSettings(path) && mayNamePackages(relativeTo(around.workspace.path, path)));
  for (const path of [manifest, ...others]) {
    const text = around.read(path);
    if (text === undefined) continue;
    try {
      files.push({ path, settings: readSettings(path, text) });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (classOf(relativeTo(around.workspace.path, path)) !== 'fixture') unread.push({ file: path, problem: error.message });
    }
  }
  return { files, unread };
}

/** Whether settings may name packages. Settings of bundlers in tests are test data. */
function mayNamePackages(own: string): boolean {
  return toolOf(own) !== 'other' || (/\.[cm]?[jt]s$/.test(own) && classOf(own) === 'config');
}

/** Returns TypeScript's aliases in the tsconfig files among these. */
export function aliasesIn(files: readonly SettingsFile[], around: PackageView): Aliases {
  const configs = files.filter(({ path }) => /(?:^|\/)[tj]sconfig[\w.-]*\.json$/.test(path));
  return aliasesOf(configs, { folder: around.workspace.path, paths: new Set(around.paths) });
}

/** Returns the packages that settings of tools name. */
export function usesInSettings({ path, settings }: SettingsFile, around: PackageView): readonly PlacedUse[] {
  const own = relativeTo(around.workspace.path, path);
  const tool = toolOf(own);
  const place = classOf(own);
  const usedIn = place === 'test' || place === 'fixture' ? place : 'config';
  const named = settings.flatMap((setting): readonly PlacedUse[] => {
    const meant = own === 'package.json' ? namesInManifest(setting) : namesIn(tool, setting);
    const names = meant.flatMap((name) => (around.isOwnFile(name) ? [] : (packageOf(name) ?? [])));
    if (names.length === 0) return [];
    return [
      {
        names,
        kind: 'config',
        line: setting.line,
        guarded: false,
        file: path,
        usedIn: usedIn === 'config' && isInOutput(tool, setting) ? 'production' : usedIn,
      },
    ];
  });
  return own === 'tsconfig.json' && isCompiled(around) ? [...named, compilerOf(path)] : named;
}

/**
 * Returns the use of the compiler. Tools that build with a tsconfig.json look for it from the package's folder upwards.
 * A package that does not declare it got the copy at the top of its own node_modules; in a monorepo, that copy may be
 * another.
 */
function compilerOf(file: RepoPath): PlacedUse {
  return { names: [COMPILER], kind: 'config', line: 1, guarded: false, file, usedIn: 'config' };
}

const COMPILER = 'typescript';

/** Whether the package is compiled. Otherwise its tsconfig.json is for editors, or for a build elsewhere. */
function isCompiled({ lock, paths, workspace }: PackageView): boolean {
  if (lock?.topVersionOf(COMPILER) === undefined || !paths.some((path) => /(?<!\.d)\.[cm]?tsx?$/.test(path))) return false;
  return isAskedBy(COMPILER, directDependencies(workspace.manifest).keys(), lock.asks);
}

/** Whether the compiler adds the named package to its output. */
function isInOutput(tool: string, { keys }: SettingText): boolean {
  return tool === 'tsconfig' && ['importHelpers', 'jsxImportSource'].includes(keys.at(-1) ?? '');
}

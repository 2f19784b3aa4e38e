import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { isCodeSettings, isSettingsFile } from '@tributary/references/file-kinds';
import { readReferences } from '@tributary/references/read-references';
import type { FileReferences, SettingPath } from '@tributary/references/reference';
import { codeSettingsKind } from '@tributary/references/settings/kinds';
import { isAskedBy } from '../lock/asks.js';
import { directDependencies } from '../lock/direct.js';
import { type Aliases, aliasesOf } from './aliases.js';
import { classOf, isSettings } from './file-class.js';
import { packageOf } from './package-name.js';
import type { PackageView } from './surroundings.js';
import type { PlacedUse } from './use.js';

/** Returns what the settings files of an imported package refer to, its package.json first. */
export function readSettings(around: PackageView): readonly FileReferences[] {
  const manifest = `${around.workspace.path}/package.json` as RepoPath;
  const others = around.paths.filter((path) => mayNamePackages(path, relativeTo(around.workspace.path, path)));
  return [manifest, ...others].map((path) => readReferences(path, around.read(path) ?? ''));
}

/** Whether settings may name packages. Settings of bundlers in tests are test data. */
function mayNamePackages(path: RepoPath, own: string): boolean {
  if (!isSettings(own)) return false;
  return isSettingsFile(path) || (isCodeSettings(path) && (codeSettingsKind(path) !== undefined || classOf(own) === 'config'));
}

/** Returns the settings that could not be read. Nothing is certain about code, and nobody needs to read fixtures. */
export function unreadAmong(files: readonly FileReferences[], around: PackageView): readonly RepoPath[] {
  const isUnread = ({ path, opaque }: FileReferences): boolean => isSettingsFile(path) && opaque.length > 0;
  return files.filter(isUnread).flatMap(({ path }) => (classOf(relativeTo(around.workspace.path, path)) === 'fixture' ? [] : [path]));
}

/**
 * Returns TypeScript's aliases in the tsconfig files among these. Without an old lockfile, any name may be a package.
 * Then names that other settings map, and paths to own files, are aliases too.
 */
export function aliasesIn(files: readonly FileReferences[], around: PackageView): Aliases {
  const { workspace, paths, read, lock, isOwnFile } = around;
  const configs = files.filter(({ path }) => /(?:^|\/)[tj]sconfig[\w.-]*\.json$/.test(path));
  const ofTypeScript = aliasesOf(configs.flatMap(settingsIn), { folder: workspace.path, paths: new Set(paths) });
  if (lock !== undefined) return ofTypeScript;
  const own = paths.map((path) => ({ path, file: relativeTo(workspace.path, path) }));
  const settings = own.filter(({ file }) => file === 'package.json' || classOf(file) === 'config').map(({ path }) => read(path) ?? '');
  const maps = settings.filter((text) => /alias|moduleNameMapper|"browser"/i.test(text));
  const isOwn = (name: string): boolean => name.includes('/') && isOwnFile(name);
  return { cover: (name) => ofTypeScript.cover(name) || isOwn(name) || maps.some((text) => isMapped(text, packageOf(name))) };
}

/** Whether a text maps a name, or only its scope, to another: as a key, also of an expression, or as what is to be found. */
function isMapped(text: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  const [first = ''] = name.split('/');
  const names = [name, first].map((one) => one.replace(/[.~]/g, '\\$&')).join('|');
  const key = String.raw`["']\^?(?:${names})(?![\w.-])[^"'\n]*["']\s*:|[{,]\s*(?:${names})\s*:|\bfind\s*:\s*["'/]\^?(?:${names})(?![\w.-])`;
  return new RegExp(key).test(text);
}

function settingsIn({ names }: FileReferences): readonly SettingPath[] {
  return names.filter((name) => 'key' in name);
}

/** Returns the packages that settings of tools name. */
export function usesInSettings(file: FileReferences, around: PackageView): readonly PlacedUse[] {
  const own = relativeTo(around.workspace.path, file.path);
  const place = classOf(own);
  const usedIn = place === 'test' || place === 'sample' || place === 'fixture' ? place : 'config';
  const named = modulesIn(file).flatMap(({ key, line, specifiers }): readonly PlacedUse[] => {
    const names = specifiers.flatMap((name) => (around.isOwnFile(name) ? [] : (packageOf(name) ?? [])));
    const isShipped = usedIn === 'config' && IN_OUTPUT.test(key);
    const use = { names, kind: 'config', line, guarded: false, file: file.path } as const;
    return names.length === 0 ? [] : [{ ...use, usedIn: isShipped ? 'production' : usedIn }];
  });
  return own === 'tsconfig.json' && isCompiled(around) ? [...named, compilerOf(file.path)] : named;
}

/** The settings with packages that the compiler adds to its output. */
const IN_OUTPUT = /^compilerOptions\.(?:importHelpers|jsxImportSource)$/;

interface NamedModule {
  readonly key: string;
  readonly line: number;
  /** What it may mean, the likeliest first. */
  readonly specifiers: readonly string[];
}

function modulesIn(file: FileReferences): readonly NamedModule[] {
  const found = new Map<string, NamedModule>();
  for (const { key, line, specifier, form, isGuess } of settingsIn(file)) {
    if (form !== 'module' || isGuess === true) continue;
    const id = `${line} ${key}`;
    found.set(id, { key, line, specifiers: [...(found.get(id)?.specifiers ?? []), specifier] });
  }
  return [...found.values()];
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

import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import type { SettingPath } from '../reference.js';
import type { KeyedText } from './keyed-text.js';
import { moduleAt, pathAt } from './place.js';
import { file, modules, nothing, readerBy, type SettingsReader, searched } from './rules.js';
import { typesNames } from './short-names.js';

/**
 * Reads a tsconfig or jsconfig. It omits output paths (`outDir`). Source: the schema of tsconfig.json, and `ts-node` and `ts-patch`, which
 * keep their settings in it.
 */
export function readTypeScript(values: readonly KeyedText[], folder: RepoFolder): readonly SettingPath[] {
  const baseUrl = values.find(({ key }) => key === 'compilerOptions.baseUrl')?.text ?? '.';
  const pathsBase = resolveFolder(folder, baseUrl.replace(/^\$\{configDir\}(\/|$)/, './')) ?? folder;
  return values.flatMap((value) => (isInPaths(value) ? [pathAt(value, pathsBase)] : readOthers([value], folder)));
}

function isInPaths({ keys }: KeyedText): boolean {
  return keys[0] === 'compilerOptions' && keys[1] === 'paths';
}

const readOthers = readerBy(
  [moduleAt, 'extends', 'extends.*', 'compilerOptions.plugins.*.name', 'compilerOptions.plugins.*.transform'],
  [moduleAt, 'compilerOptions.plugins.*.import', 'compilerOptions.jsxImportSource', 'ts-node.require.*', 'ts-node.compiler', 'ts-node.swc'],
  [moduleAt, 'vueCompilerOptions.plugins.*'],
  [modules(typesNames), 'compilerOptions.types.*'],
  [file, 'references.*.path', 'files.*', 'include.*', 'compilerOptions.rootDirs.*', 'compilerOptions.typeRoots.*'],
  [searched, 'compilerOptions.baseUrl'],
  [nothing, '**'],
);

/** Compiled code imports the helpers. */
export const readTypeScriptMembers: SettingsReader = (members, folder) =>
  members.filter(({ key }) => key === 'compilerOptions.importHelpers').flatMap((member) => moduleAt({ ...member, text: 'tslib' }, folder));

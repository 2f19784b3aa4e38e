import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { isTypeScript } from '@tributary/references/scan-file';
import { jestEnvironmentNames, vitestEnvironmentNames } from '@tributary/references/settings/short-names';
import type { Aliases } from './aliases.js';
import { modulesIn } from './code-references.js';
import { classOf } from './file-class.js';
import { isOfNode, packageOf, typesOf } from './package-name.js';
import type { PackageView } from './surroundings.js';
import type { ModuleReference, PackageUse, PlacedUse } from './use.js';

/** Returns what a code file uses. */
export function usesOfCode(file: RepoPath, around: PackageView, aliases: Aliases): readonly PlacedUse[] {
  const text = around.read(file) ?? '';
  const usedIn = classOf(relativeTo(around.workspace.path, file));
  // Types of packages that a fixture names are not needed.
  const language = isTypeScript(file, text) && usedIn !== 'fixture' ? 'ts' : 'js';
  const modules = modulesIn(file, text).filter(({ specifier }) => !aliases.cover(specifier));
  return modules.flatMap((reference) => asUses(reference, { language, around })).map((use) => ({ ...use, file, usedIn }));
}

/** Returns the uses of a reference. Besides the package itself, TypeScript needs types: those in the old lockfile are used too. */
function asUses(
  { specifier, by, kind, line, guarded }: ModuleReference,
  { language, around }: { language: 'js' | 'ts'; around: PackageView },
): readonly PackageUse[] {
  if (kind === 'config') {
    const { meant } = by === '@jest-environment' ? jestEnvironmentNames(specifier) : vitestEnvironmentNames(specifier);
    return [{ names: meant.flatMap((name) => packageOf(name) ?? []), kind, line, guarded }].filter((use) => use.names.length > 0);
  }
  const types: Omit<PackageUse, 'names'> = { kind: 'type', line, guarded: false };
  if (isOfNode(specifier)) return language === 'ts' ? typesFromLock('node', around).map((name) => ({ ...types, names: [name] })) : [];
  const name = packageOf(specifier);
  if (name === undefined) return [];
  if (kind === 'reference') return [{ names: specifier === name ? [typesOf(name), name] : [name, typesOf(name)], kind, line, guarded }];
  const mayBeTypes = kind === 'type' || (language === 'ts' && !around.exists(name));
  const use: PackageUse = { names: mayBeTypes ? [name, typesOf(name)] : [name], kind, line, guarded };
  // In TypeScript, the result of `require` and similar calls is untyped.
  if (language === 'js' || kind === 'require' || kind === 'resolve' || kind === 'mock') return [use];
  return [use, ...typesFromLock(name, around).map((one) => ({ ...types, names: [one] }))];
}

/**
 * Returns the types of a package on DefinitelyTyped. Omitted if they only refer to the package's own types, or are left
 * from a version that had none.
 */
function typesFromLock(name: string, { lock, neighbour }: PackageView): readonly string[] {
  const types = typesOf(name);
  const version = lock?.topVersionOf(types);
  if (version === undefined || neighbour(name) !== undefined || lock?.asks.get(types)?.has(name) === true) return [];
  const own = name === 'node' ? undefined : lock?.topVersionOf(name);
  return own === undefined || isInUse(majorOf(version), majorOf(own)) ? [types] : [];
}

/**
 * Whether types belong to a version of a package. Types of version 4 may be those for version 5 (parse-json); those of
 * 0 for version 2 are a stub (json5).
 */
function isInUse(types: number, own: number): boolean {
  return types === 0 ? own === 0 : types >= own - 1;
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

import { isPlainObject } from '@tributary/model/plain-object';
import type { FileReferences } from '@tributary/references/reference';
import type { Workspace } from '@tributary/workspaces/discover';
import { commandsIn } from './commands.js';
import { isOfTheSystem, packagesOfBinary } from './known-binaries.js';
import { packageOf } from './package-name.js';
import type { PackageView } from './surroundings.js';
import type { PlacedUse } from './use.js';

/** Scripts that run when others install the package. */
const OF_INSTALL: ReadonlySet<string> = new Set(['preinstall', 'install', 'postinstall']);

/** Returns what the scripts in a package.json start or load. */
export function usesInScripts({ path: file, manifest }: FileReferences, around: PackageView): readonly PlacedUse[] {
  const scripts = manifest?.scripts ?? [];
  const names = new Set(scripts.map(({ name }) => name));
  return scripts.flatMap(({ name: script, text, line }) => {
    const usedIn = OF_INSTALL.has(script) ? ('production' as const) : ('script' as const);
    const found = commandsIn(text, names).flatMap(({ binary, loads }): readonly (readonly string[])[] => [
      packagesOf(binary, around),
      ...loads.map((specifier) => (around.isOwnFile(specifier) ? [] : [packageOf(specifier) ?? ''].filter((name) => name !== ''))),
    ]);
    const uses = found.filter((one) => one.length > 0);
    return uses.map((one): PlacedUse => ({ names: one, kind: 'binary', line, guarded: false, file, usedIn }));
  });
}

/** Returns the packages of a binary. yarn classic's lockfile has no binaries, so a package with that name is assumed. */
function packagesOf(binary: string, around: PackageView): readonly string[] {
  if (isOfTheSystem(binary) || !/^[\w@][\w.@-]*$/.test(binary)) return [];
  const { lock, workspace } = around;
  const locked = lock?.binaries.get(binary);
  const own = binariesOf(workspace).has(binary) ? [workspace.name] : [];
  const hasBinaries = lock !== undefined && lock.binaries.size > 0;
  const named = hasBinaries && locked === undefined ? [] : [binary];
  const names = new Set([...own, ...packagesOfBinary(binary), ...(locked === undefined ? [] : [locked]), ...named]);
  // Without a lockfile, only well-known binaries are reported.
  const isKnown = packagesOfBinary(binary).length > 0 || around.neighbour(binary) !== undefined || around.formerRange(binary) !== undefined;
  return lock === undefined && !isKnown ? [] : [...names];
}

function binariesOf({ name, manifest }: Workspace): ReadonlySet<string> {
  const { bin } = manifest.raw;
  if (isPlainObject(bin)) return new Set(Object.keys(bin));
  return new Set(typeof bin === 'string' ? [name.replace(/^@[^/]+\//, '')] : []);
}

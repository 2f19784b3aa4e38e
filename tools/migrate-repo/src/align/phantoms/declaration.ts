import type { InternalConfig } from '@tributary/model/config';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { asksRegistry } from '../lock/content.js';
import type { OldLock } from '../project.js';
import { diffVersions, type VersionChange } from '../version-change.js';
import { type Missing, needsDependency } from './missing.js';
import type { PhantomDeclaration } from './phantom.js';
import type { PackageView } from './surroundings.js';

/**
 * Returns what to declare for a missing package. For a third-party package, it is the version that undeclared imports
 * used. For a workspace, it is itself, unless its version does not match the one in the old lockfile. `undefined`
 * without an old lockfile, and for packages that only fixtures use.
 */
export function declarationOf(missing: Missing, around: PackageView, choices: InternalConfig): PhantomDeclaration | undefined {
  if (missing.problem === 'development only' || missing.use.usedIn === 'fixture') return undefined;
  const range = rangeOf(missing.name, around, choices);
  if (range === undefined) return undefined;
  // Consumers provide peers themselves.
  const isForAll = needsDependency(missing.use, around) && !around.workspace.manifest.peerDependencies.has(missing.name);
  return { block: isForAll ? 'dependencies' : 'devDependencies', range };
}

/** Returns what to declare for a package that only development needs; `undefined` unless the old lockfile has it. */
export function developmentDeclaration(name: string, around: PackageView, choices: InternalConfig): PhantomDeclaration | undefined {
  const range = rangeOf(name, around, choices);
  return range === undefined ? undefined : { block: 'devDependencies', range };
}

/** Returns the change from the locked version to a declared workspace's version. */
export function replacedBy({ range }: PhantomDeclaration, name: string, { lock, neighbour }: PackageView): VersionChange | undefined {
  return range.startsWith('workspace:') ? diffVersions(lock?.topVersionOf(name), neighbour(name)?.manifest.version) : undefined;
}

/** Returns the range to declare. Where the former root declared the package, it is that one. `undefined` if no version is certain. */
function rangeOf(name: string, around: PackageView, choices: InternalConfig): string | undefined {
  const { lock } = around;
  const above = around.formerRange(name);
  const locked = above !== undefined && asksRegistry(above) ? above : lock && lockedRange(name, lock);
  const neighbour = around.neighbour(name);
  if (neighbour === undefined || (lock === undefined && above === undefined)) return locked;
  const { version } = neighbour.manifest;
  const goesWith = locked === undefined || version === undefined || parseSemverRange(locked)?.test(version) === true;
  if (around.packer === 'npm') return locked ?? (version === undefined ? undefined : `^${version}`);
  return goesWith || choices.convert === 'all' ? choices.range : locked;
}

/** Returns the range of the locked version. A package that was installed under an alias keeps it. */
function lockedRange(name: string, lock: OldLock): string | undefined {
  const version = lock.topVersionOf(name) ?? lock.versionsOf(name).at(-1);
  if (version === undefined) return undefined;
  const alias = lock.requests.find((one) => one.name === name && one.version === version && one.range.startsWith('npm:'));
  return alias === undefined ? `^${version}` : alias.range.replace(/(?<=.)@[^@]*$/, `@^${version}`);
}

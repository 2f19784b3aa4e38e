import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { FileClass } from './file-class.js';
import type { Phantom } from './phantom.js';
import type { PackageView } from './surroundings.js';
import type { PlacedUse } from './use.js';

/** A use of an undeclared package. */
export interface Missing {
  readonly name: string;
  readonly problem: Phantom['problem'];
  readonly use: PlacedUse;
}

/** Returns what a use lacks; `undefined` if one of the packages that it may refer to is declared, or none is known to exist. */
export function missingUse(use: PlacedUse, around: PackageView): Missing | undefined {
  const standings = use.names.map((name) => around.standingOf(name, use.file));
  if (standings.includes('declared')) return undefined;
  const development = use.names[standings.indexOf('development')];
  if (development !== undefined) {
    return isShipped(use, around) && !around.workspace.manifest.private && !around.isBundled(use.file)
      ? { name: development, problem: 'development only', use }
      : undefined;
  }
  const name = use.names.find(around.exists);
  if (name === undefined || isGuess(use, around) || comesWithJest(name, around)) return undefined;
  // What exists only as types is nothing else to its importers.
  const isOfTypes = use.kind === 'import' && name.startsWith('@types/');
  const problem = around.neighbour(name) === undefined ? 'third party' : 'workspace';
  return { name, problem, use: isOfTypes ? { ...use, kind: 'type' } : use };
}

/** Returns the rank of a use. Of two uses of a package, the one that requires more of the manifest decides. */
export function strength({ use }: Missing, around: PackageView): number {
  return needsDependency(use, around) ? 2 : RANKS[use.usedIn];
}

const RANKS: Readonly<Record<FileClass, number>> = { production: 1, test: 0, config: 0, script: 0, sample: -1, fixture: -2 };

/** Whether consumers need what a use refers to: its code, or the published types. */
export function needsDependency(use: PlacedUse, around: PackageView): boolean {
  if (isShipped(use, around)) return true;
  const isOfTypes = use.kind === 'type' && !use.names.some((name) => name.startsWith('@types/') && use.names.length === 1);
  return use.usedIn === 'production' && isOfTypes && publishesTypes(around.workspace.manifest) && around.isReached(use.file);
}

function isShipped({ usedIn, guarded, kind, file }: PlacedUse, { isReached }: PackageView): boolean {
  return usedIn === 'production' && !guarded && kind !== 'type' && kind !== 'reference' && kind !== 'mock' && isReached(file);
}

/** Whether a name is only a guess: without a lockfile, a name in settings may mean anything. */
function isGuess({ kind, names }: PlacedUse, { lock, neighbour, formerRange }: PackageView): boolean {
  const isKnown = (name: string): boolean => neighbour(name) !== undefined || formerRange(name) !== undefined;
  return lock === undefined && kind === 'config' && !names.some(isKnown);
}

/** Whether a package came with jest. Before version 28, jest depended on its browser environment and resolved it itself. */
function comesWithJest(name: string, { lock, neighbour }: PackageView): boolean {
  const version = name === 'jest-environment-jsdom' ? (lock?.topVersionOf(name) ?? neighbour(name)?.manifest.version) : undefined;
  return Number.parseInt(version ?? '28', 10) < 28;
}

function publishesTypes({ raw }: Manifest): boolean {
  return typeof raw['types'] === 'string' || typeof raw['typings'] === 'string' || namesTypes(raw['exports']);
}

function namesTypes(exported: unknown): boolean {
  if (!isPlainObject(exported)) return false;
  return Object.entries(exported).some(([key, value]) => key === 'types' || namesTypes(value));
}

import { plainRange } from '@tributary/lockfile/lockfile';
import type { WorkspaceName } from '@tributary/model/ids';
import { findResolution, normalizeRange, parseResolutions, type Resolution } from '@tributary/workspaces/lock/resolutions';
import type { Manifest } from '@tributary/workspaces/manifest';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { compare } from 'semver';
import type { LockedRequest, OldLock } from '../project.js';
import { asksRegistry } from './content.js';
import { directDependencies } from './direct.js';

/** An imported package between its old lockfile and the monorepo's. */
export interface SeedImportedPackage {
  readonly name: WorkspaceName;
  /** The manifest before the alignment. */
  readonly before: Manifest;
  /** The manifest with the final ranges. A later edit of a range loses its pin. */
  readonly manifest: Manifest;
  readonly oldLock: OldLock;
}

/** A request with the version to use. */
export interface Pin {
  /** `lib@npm:^1.0.0` */
  readonly descriptor: string;
  /** `lib@npm:1.2.0` */
  readonly resolution: string;
  readonly version: string;
  /** Other versions that one of these packages had for it elsewhere. */
  readonly others: readonly string[];
  /** The packages that have it locked; at least one. */
  readonly by: readonly WorkspaceName[];
}

/** A locked version that is not kept, with the reason as a sentence without a full stop. */
export interface DroppedPin extends Omit<Pin, 'resolution'> {
  readonly why: string;
}

export interface Pins {
  /** By descriptor. */
  readonly pins: ReadonlyMap<string, Pin>;
  readonly dropped: readonly DroppedPin[];
}

/**
 * Returns the locked versions of imported packages for the current ranges of their manifests. If a range changed, or a
 * dependency was newly declared, the locked version is kept if it satisfies the range. A lockfile has one version for a
 * descriptor; if imported packages have several, the highest is used. A version outside its range (overrides,
 * `resolutions`) is dropped, because Yarn would reject it in the checks of a pull request. A version that `resolutions`
 * of the root give to all who ask for it in a package is no pin: others would get it with the same range.
 */
export function buildPins(importedPackages: readonly SeedImportedPackage[], resolutions: ReadonlyMap<string, string> = new Map()): Pins {
  const byName = parseResolutions(resolutions);
  const wanted = new Map<string, Pin[]>();
  const dropped: DroppedPin[] = [];
  for (const importedPackage of importedPackages) {
    for (const request of [...importedPackage.oldLock.requests, ...finalRequests(importedPackage)]) {
      if (isGivenByRoot(request, importedPackage, byName.get(request.name) ?? [])) continue;
      const pin = pinOf(request, importedPackage.name);
      if (satisfiesRange(request)) wanted.set(pin.descriptor, withPin(wanted.get(pin.descriptor) ?? [], pin));
      else dropped.push({ ...dropOf(pin), why: 'the version does not satisfy the range: it was overridden' });
    }
  }
  const pins = new Map<string, Pin>();
  for (const [descriptor, versions] of wanted) {
    const best = highestOf(versions);
    pins.set(descriptor, best);
    const why = `${best.version} is what ${best.by.join(' and ')} had locked`;
    dropped.push(...versions.filter((pin) => pin !== best).map((pin) => ({ ...dropOf(pin), why })));
  }
  return { pins, dropped };
}

function isGivenByRoot(
  { name, range, version }: LockedRequest,
  { name: own, before, oldLock }: SeedImportedPackage,
  resolutions: readonly Resolution[],
): boolean {
  if (resolutions.length === 0) return false;
  const askers = oldLock.askersOf(name).filter((one) => one.range === undefined || one.range === range);
  const parents = askers.map((one) => `${one.name}@npm:${one.version}`);
  const all = plainRange(directDependencies(before).get(name) ?? '') === range ? [`${own}@workspace:`, ...parents] : parents;
  const isGiven = (parent: string): boolean => {
    const found = findResolution(resolutions, parent, normalizeRange(range));
    return found !== undefined && plainRange(found.to) === version;
  };
  return all.length > 0 && all.every(isGiven);
}

/** Returns the highest version. Packages with an older one accept it too, and nobody gets an older version than before. */
function highestOf(versions: readonly Pin[]): Pin {
  const [first, ...rest] = versions;
  if (first === undefined) throw new Error('no version is wanted');
  return rest.reduce((best, one) => (compare(one.version, best.version) > 0 ? one : best), first);
}

/** Adds a pin. Each version is listed once, in order of appearance. */
function withPin(versions: readonly Pin[], pin: Pin): Pin[] {
  const known = versions.find(({ version }) => version === pin.version);
  if (known === undefined) return [...versions, pin];
  return versions.map((one) => (one === known ? joined(known, pin) : one));
}

/** Returns requests of the final manifest that the old lockfile lacks, with the version that was locked for another range. */
function finalRequests({ before, manifest, oldLock }: SeedImportedPackage): LockedRequest[] {
  const old = directDependencies(before);
  return [...directDependencies(manifest)].flatMap(([name, written]) => {
    const range = plainRange(written);
    if (!asksRegistry(range) || oldLock.resolve(name, range) !== undefined) return [];
    const oldRange = old.get(name);
    const locked = (oldRange === undefined ? undefined : oldLock.resolve(name, oldRange)) ?? oldLock.topVersionOf(name);
    const candidates = [...(locked === undefined ? [] : [locked]), ...oldLock.versionsOf(name).toReversed()];
    const version = candidates.find((candidate) => satisfiesRange({ range, version: candidate }));
    return version === undefined ? [] : [{ name, range, version }];
  });
}

function joined(known: Pin, more: Pin): Pin {
  return { ...known, by: [...new Set([...known.by, ...more.by])], others: [...new Set([...known.others, ...more.others])] };
}

function pinOf({ name, range, version, others = [] }: LockedRequest, by: WorkspaceName): Pin {
  const [, real] = /^npm:(@?[^@]+)@/.exec(range) ?? [];
  return { descriptor: descriptorOf(name, range), resolution: `${real ?? name}@npm:${version}`, version, others, by: [by] };
}

function descriptorOf(name: string, range: string): string {
  return `${name}@${range.startsWith('npm:') ? range : `npm:${range}`}`;
}

function dropOf({ descriptor, version, others, by }: Pin): Omit<DroppedPin, 'why'> {
  return { descriptor, version, others, by };
}

/** Whether a version satisfies a range. A tag accepts any version. */
export function satisfiesRange({ range, version }: Omit<LockedRequest, 'name'>): boolean {
  const asked = parseSemverRange(range.replace(/^(?:npm:)?@?[^@]+@/, ''));
  return asked === undefined || asked.test(version);
}

import { plainRange } from '@tributary/lockfile/lockfile';
import type { WorkspaceName } from '@tributary/model/ids';
import type { Manifest } from '@tributary/workspaces/manifest';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { compare } from 'semver';
import type { LockedRequest, OldLock } from '../project.js';
import { directDependencies } from './direct.js';
import { asksRegistry } from './reading.js';

/** An imported package between its old lockfile and the monorepo's. */
export interface SeedImportedPackage {
  readonly name: WorkspaceName;
  /** As it came. */
  readonly before: Manifest;
  /** With its final ranges: an edit after this loses its pin. */
  readonly manifest: Manifest;
  readonly oldLock: OldLock;
}

/** A descriptor with the version that it shall have. */
export interface Pin {
  /** `lib@npm:^1.0.0` */
  readonly descriptor: string;
  /** `lib@npm:1.2.0` */
  readonly resolution: string;
  readonly version: string;
  /** Other versions that somebody of these had for it elsewhere. */
  readonly others: readonly string[];
  /** Who has it locked so; at least one. */
  readonly by: readonly WorkspaceName[];
}

/** What was locked and will not be, with the reason as a sentence without its end. */
export interface DroppedPin extends Omit<Pin, 'resolution'> {
  readonly why: string;
}

export interface Pins {
  /** By descriptor. */
  readonly pins: ReadonlyMap<string, Pin>;
  readonly dropped: readonly DroppedPin[];
}

/**
 * What imported packages have locked, for the ranges that their manifests have now: where a range was changed or a dependency newly declared, the version
 * that was locked holds if it satisfies it. A lockfile has one version for a descriptor; where imported packages have several, the highest counts.
 * What does not satisfy its range (overrides, `resolutions`) is dropped: Yarn would reject it in the checks of a pull request.
 */
export function buildPins(importedPackages: readonly SeedImportedPackage[]): Pins {
  const wanted = new Map<string, Pin[]>();
  const dropped: DroppedPin[] = [];
  for (const importedPackage of importedPackages) {
    for (const request of [...importedPackage.oldLock.requests, ...finalRequests(importedPackage)]) {
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

/** The highest: whoever had an older one asks for it as well, and nobody gets an older one than they had. */
function highestOf(versions: readonly Pin[]): Pin {
  const [first, ...rest] = versions;
  if (first === undefined) throw new Error('no version is wanted');
  return rest.reduce((best, one) => (compare(one.version, best.version) > 0 ? one : best), first);
}

/** Each version once, in the order in which they come. */
function withPin(versions: readonly Pin[], pin: Pin): Pin[] {
  const known = versions.find(({ version }) => version === pin.version);
  if (known === undefined) return [...versions, pin];
  return versions.map((one) => (one === known ? joined(known, pin) : one));
}

/** Requests of the final manifest that the old lockfile does not know, with the version that was locked for another range. */
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

/** Whether a version is one that the range asks for; a tag asks for any. */
export function satisfiesRange({ range, version }: Omit<LockedRequest, 'name'>): boolean {
  const asked = parseSemverRange(range.replace(/^(?:npm:)?@?[^@]+@/, ''));
  return asked === undefined || asked.test(version);
}

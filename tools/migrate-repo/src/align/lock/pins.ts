import type { WorkspaceName } from '@tributary/model/ids';
import type { Manifest } from '@tributary/workspaces/manifest';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import type { LockedRequest, OldLock } from '../project.js';
import { directDependencies } from './direct.js';
import { asksRegistry, plainRange } from './reading.js';

/** A newcomer between its old lockfile and the monorepo's. */
export interface SeedNewcomer {
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
  /** Who has it locked so; at least one. */
  readonly by: readonly WorkspaceName[];
}

/** What was locked and will not be, with the reason as a sentence without its end. */
export interface DroppedPin {
  readonly descriptor: string;
  readonly version: string;
  readonly by: readonly WorkspaceName[];
  readonly why: string;
}

export interface Pins {
  /** By descriptor. */
  readonly pins: ReadonlyMap<string, Pin>;
  readonly dropped: readonly DroppedPin[];
}

/**
 * What newcomers have locked, for the ranges that their manifests have now: where a range was changed or a dependency newly declared, the version
 * that was locked holds if it satisfies it. Of two newcomers with different versions for one descriptor the first wins. What does not
 * satisfy its range (overrides, `resolutions`) is dropped: Yarn would reject it in the checks of a pull request.
 */
export function buildPins(newcomers: readonly SeedNewcomer[]): Pins {
  const pins = new Map<string, Pin>();
  const dropped: DroppedPin[] = [];
  for (const newcomer of newcomers) {
    for (const request of [...newcomer.oldLock.requests, ...finalRequests(newcomer)]) {
      const pin = pinOf(request, newcomer.name);
      const known = pins.get(pin.descriptor);
      if (!satisfiesRange(request)) dropped.push({ ...dropOf(pin), why: 'the version does not satisfy the range: it was overridden' });
      else if (known === undefined) pins.set(pin.descriptor, pin);
      else if (known.version !== pin.version)
        dropped.push({ ...dropOf(pin), why: `${known.version} is what ${known.by.join(' and ')} had locked` });
      else if (!known.by.includes(newcomer.name)) pins.set(pin.descriptor, { ...known, by: [...known.by, newcomer.name] });
    }
  }
  return { pins, dropped };
}

/** Requests of the final manifest that the old lockfile does not know, with the version that was locked for another range. */
function finalRequests({ before, manifest, oldLock }: SeedNewcomer): LockedRequest[] {
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

function pinOf({ name, range, version }: LockedRequest, by: WorkspaceName): Pin {
  const [, real] = /^npm:(@?[^@]+)@/.exec(range) ?? [];
  const asked = range.startsWith('npm:') ? range : `npm:${range}`;
  return { descriptor: `${name}@${asked}`, resolution: `${real ?? name}@npm:${version}`, version, by: [by] };
}

function dropOf({ descriptor, version, by }: Pin): Omit<DroppedPin, 'why'> {
  return { descriptor, version, by };
}

/** Whether a version is one that the range asks for; a tag asks for any. */
export function satisfiesRange({ range, version }: Omit<LockedRequest, 'name'>): boolean {
  const asked = parseSemverRange(range.replace(/^(?:npm:)?@?[^@]+@/, ''));
  return asked === undefined || asked.test(version);
}

import compare from 'semver/functions/compare.js';
import type { Micros } from '../model/event.js';

/** From a commit of the consumer on, its lockfile resolves a package to this version. */
export interface ResolvedVersion {
  readonly at: Micros;
  /** Of that commit on its main line. */
  readonly place: number;
  readonly version: string;
  /** `came in`: the first that it had, or the first after the package was a workspace of its own: no upgrade. */
  readonly how: 'came in' | 'upgrade';
}

/** When a consumer took a version, or one that is later. */
export interface Adoption {
  readonly at: Micros;
  readonly place: number;
  /** `skipped`: it went to a later one without it. */
  readonly kind: 'taken' | 'skipped';
}

/**
 * Returns when a consumer had a version or a later one first; `resolutions` are its own, in their order. `undefined` where it has not come so far, and where it was there or beyond when
 * the package came in, which is no upgrade.
 */
export function adoptionOf(version: string, resolutions: readonly ResolvedVersion[]): Adoption | undefined {
  const found = resolutions.find((resolution) => compare(resolution.version, version) >= 0);
  if (found === undefined || found.how === 'came in') return undefined;
  return { at: found.at, place: found.place, kind: compare(found.version, version) === 0 ? 'taken' : 'skipped' };
}

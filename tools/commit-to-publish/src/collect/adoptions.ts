import compare from 'semver/functions/compare.js';
import type { Micros } from '../model/event.js';

/** A version to which the consumer's lockfile resolves a package, from a commit on. */
export interface ResolvedVersion {
  readonly at: Micros;
  /** The index of that commit on the consumer's main line. */
  readonly position: number;
  readonly version: string;
  /** `came in`: the first version that the consumer had, also after a time as a workspace of its own; that is not an upgrade. */
  readonly how: 'came in' | 'upgrade';
}

/** The moment when a consumer took a version, or a later one. */
export interface Adoption {
  readonly at: Micros;
  readonly position: number;
  /** `skipped`: the consumer went to a later version without it. */
  readonly kind: 'taken' | 'skipped';
}

/**
 * Returns when a consumer first had a version or a later one, given its resolutions in chronological order. `undefined` if it has not come
 * that far, or if the package came in at that version or beyond it, which is not an upgrade.
 */
export function adoptionOf(version: string, resolutions: readonly ResolvedVersion[]): Adoption | undefined {
  const found = resolutions.find((resolution) => compare(resolution.version, version) >= 0);
  if (found === undefined || found.how === 'came in') return undefined;
  return { at: found.at, position: found.position, kind: compare(found.version, version) === 0 ? 'taken' : 'skipped' };
}

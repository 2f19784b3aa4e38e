import { parseSemverRange } from '@tributary/workspaces/ranges';
import SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import intersects from 'semver/ranges/intersects.js';
import subset from 'semver/ranges/subset.js';
import type { Declaration } from './declarations.js';
import { isPin, lowestOf } from './loosening.js';
import { breaksInMinors, diffVersions } from './version-change.js';

/** A range that other workspaces have, and that an imported package could use. */
export interface Candidate {
  /** As written in the manifest. */
  readonly range: string;
  readonly versions: string;
  readonly from: 'manifest' | 'catalog';
  readonly locked: Declaration['locked'];
  /** The number of declarations with it. */
  readonly count: number;
}

/** Returns the distinct ranges of some declarations of one package, the most frequent first, then the higher one. */
export function candidatesOf(declarations: readonly Declaration[]): readonly Candidate[] {
  const byRange = new Map<string, Candidate>();
  for (const { range, versions, from, locked } of declarations) {
    const known = byRange.get(range);
    byRange.set(range, { range, versions, from, locked: known?.locked ?? locked, count: (known?.count ?? 0) + 1 });
  }
  return [...byRange.values()].sort((a, b) => b.count - a.count || compare(heightOf(b), heightOf(a)));
}

/** Returns the version that orders declarations and candidates: the locked one, else the lowest that the range admits. */
export function heightOf({ locked, versions }: Pick<Candidate, 'locked' | 'versions'>): string {
  return locked?.version ?? lowestOf(versions);
}

/** Why an imported package cannot use a range and stay within its own. */
export type Obstacle =
  /** No version satisfies both. */
  | 'ranges exclude each other'
  /** Some version may, but the locked version of one side does not satisfy the other. */
  | 'locked apart'
  /** Some version does, but it is another minor version of a package whose minor versions may break. */
  | 'breaks in minors'
  /** It admits versions that the imported package's own range excludes: `^1.0.0` beside `^1.2.0`, `*` beside `^25.0.0`. */
  | 'lower or wider'
  /** It admits only one version, so consumers of the imported package would get no other. */
  | 'a pin'
  /** The package is published, and either no version would change, or npm packs it and leaves `catalog:` in its manifest. */
  | 'published'
  /** Its locked version is older than the imported package's. */
  | 'an older version'
  /** The imported package overrides the version at its own root, regardless of the range. */
  | 'overridden';

/**
 * Returns why an imported package cannot use a range of the others; `undefined` if it can. It can if the range is
 * within its own, and the version that it would get satisfies its own. That is the version that the workspace has
 * locked. Without one, it is the imported package's own, which then stays locked.
 */
export function obstacleTo(candidate: Candidate, own: Declaration): Obstacle | undefined {
  if (!intersects(own.versions, candidate.versions)) return 'ranges exclude each other';
  if (candidate.from === 'catalog' && own.from === 'manifest' && own.catalogs === 'published as they are') return 'published';
  if (candidate.versions === own.versions) return undefined;
  if (!isWithin(candidate, own)) return 'lower or wider';
  if (own.reach === 'consumers' && isPin(candidate.versions)) return 'a pin';
  const [theirs, mine] = [candidate.locked?.version, own.locked?.version];
  const got = theirs ?? mine;
  if (got === undefined) return undefined;
  const satisfies = theirs === undefined ? admits(candidate.versions, got) : theirs === mine || admits(own.versions, theirs);
  if (!satisfies) return 'locked apart';
  const change = diffVersions(mine, got);
  if (change?.direction === 'down') return 'an older version';
  const isBreaking = breaksInMinors(own.name) && change?.level === 'minor' && !admits(own.versions, nextMajor(got));
  return isBreaking ? 'breaks in minors' : undefined;
}

/** Whether the first range is a subset of the second. */
export function isWithin(inner: Pick<Candidate, 'versions'>, outer: Pick<Candidate, 'versions'>): boolean {
  return subset(inner.versions, outer.versions);
}

function nextMajor(version: string): string {
  return `${new SemVer(version).major + 1}.0.0`;
}

/** Whether a range admits a version. */
export function admits(versions: string, version: string): boolean {
  return parseSemverRange(versions)?.test(version) === true;
}

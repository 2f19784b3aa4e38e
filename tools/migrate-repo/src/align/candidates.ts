import { parseSemverRange } from '@tributary/workspaces/ranges';
import SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import intersects from 'semver/ranges/intersects.js';
import subset from 'semver/ranges/subset.js';
import type { Declaration } from './declarations.js';
import { isPin, lowestOf } from './loosening.js';
import { breaksInMinors, diffVersions } from './version-change.js';

/** A range that others in the workspace have, and that an imported package could take over. */
export interface Candidate {
  /** As it would be written. */
  readonly range: string;
  readonly versions: string;
  readonly from: 'manifest' | 'catalog';
  readonly locked: Declaration['locked'];
  /** How many declare it. */
  readonly count: number;
}

/** The different ranges of some declarations of one package, those that most declare first; of equally many, the higher first. */
export function candidatesOf(declarations: readonly Declaration[]): readonly Candidate[] {
  const byRange = new Map<string, Candidate>();
  for (const { range, versions, from, locked } of declarations) {
    const known = byRange.get(range);
    byRange.set(range, { range, versions, from, locked: known?.locked ?? locked, count: (known?.count ?? 0) + 1 });
  }
  return [...byRange.values()].sort((a, b) => b.count - a.count || compare(heightOf(b), heightOf(a)));
}

/** By what declarations and candidates that exclude each other are ordered: the version that is locked, else the lowest that is admitted. */
export function heightOf({ locked, versions }: Pick<Candidate, 'locked' | 'versions'>): string {
  return locked?.version ?? lowestOf(versions);
}

/** Why an imported package cannot take over a range and stay within its own. */
export type Obstacle =
  /** No version satisfies both. */
  | 'ranges exclude each other'
  /** Some version may, but what is locked on one side does not satisfy the other. */
  | 'locked apart'
  /** Some version does, but it is another minor one of a package that breaks in those. */
  | 'breaks in minors'
  /** It admits versions that the imported package's own range excludes: `^1.0.0` beside `^1.2.0`, `*` beside `^25.0.0`. */
  | 'lower or wider'
  /** It is one version, and those who install the imported package would get no other any more. */
  | 'a pin'
  /** The package is published: with a range for which no version would change, or by npm, which writes no range in the place of `catalog:`. */
  | 'published'
  /** What is locked for it is older than what the imported package has locked. */
  | 'an older version'
  /** The imported package says at its own root what it gets, whatever the range. */
  | 'overridden';

/**
 * What stands between an imported package and a range of the others. Nothing, where it asks for less than the imported package's own, and the
 * version that it would get satisfies that: the one that the workspace has locked; if it has none, the imported package's own, which stays locked then.
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

/** Whether all that the first admits is admitted by the second too. */
export function isWithin(inner: Pick<Candidate, 'versions'>, outer: Pick<Candidate, 'versions'>): boolean {
  return subset(inner.versions, outer.versions);
}

function nextMajor(version: string): string {
  return `${new SemVer(version).major + 1}.0.0`;
}

/** Whether a version is one of those that a range means. */
export function admits(versions: string, version: string): boolean {
  return parseSemverRange(versions)?.test(version) === true;
}

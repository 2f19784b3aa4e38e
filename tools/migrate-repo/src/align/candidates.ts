import { parseSemverRange } from '@tributary/workspaces/ranges';
import SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import intersects from 'semver/ranges/intersects.js';
import minVersion from 'semver/ranges/min-version.js';
import subset from 'semver/ranges/subset.js';
import type { Declaration } from './declarations.js';
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
  return locked?.version ?? minVersion(versions)?.version ?? '0.0.0';
}

/** Why an imported package cannot take over a range and stay within its own. */
export type Obstacle =
  /** No version satisfies both. */
  | 'ranges exclude each other'
  /** Some version may, but what is locked on one side does not satisfy the other. */
  | 'locked apart'
  /** Some version does, but it is another minor one of a package that breaks in those. */
  | 'breaks in minors'
  /** It admits versions that break more than the imported package's own: `*` beside `^25.0.0`. The next upgrade would be one by accident. */
  | 'open above'
  /** Nothing is locked, and the range admits what that of the imported package does not. */
  | 'nothing locked'
  /** The imported package says at its own root what it gets, whatever the range. */
  | 'overridden';

/**
 * What stands between an imported package and a range of the others. Nothing, where the version that it would get satisfies its own range: that
 * is the version that the workspace has locked; if it has none, the imported package's own, which stays locked then.
 */
export function obstacleTo(candidate: Candidate, own: Declaration): Obstacle | undefined {
  if (!intersects(own.versions, candidate.versions)) return 'ranges exclude each other';
  if (candidate.versions === own.versions) return undefined;
  const [theirs, mine] = [candidate.locked?.version, own.locked?.version];
  const got = theirs ?? mine;
  if (got === undefined) return isWithin(candidate, own) ? undefined : 'nothing locked';
  const satisfies = theirs === undefined ? admits(candidate.versions, got) : theirs === mine || admits(own.versions, theirs);
  if (!satisfies) return 'locked apart';
  if (breaksInMinors(own.name) && isMinorStep(mine, got) && !admits(own.versions, nextMajor(got))) return 'breaks in minors';
  const breaking = `>=${nextBreaking(own.name, got)}`;
  return intersects(candidate.versions, breaking) && !intersects(own.versions, breaking) ? 'open above' : undefined;
}

/** Whether all that the first admits is admitted by the second too. */
export function isWithin(inner: Pick<Candidate, 'versions'>, outer: Pick<Candidate, 'versions'>): boolean {
  return subset(inner.versions, outer.versions);
}

function isMinorStep(from: string | undefined, to: string): boolean {
  return diffVersions(from, to)?.level === 'minor';
}

/** The first version that may break those who use this one. */
function nextBreaking(name: string, version: string): string {
  const { major, minor } = new SemVer(version);
  return major > 0 && !breaksInMinors(name) ? nextMajor(version) : `${major}.${minor + 1}.0`;
}

function nextMajor(version: string): string {
  return `${new SemVer(version).major + 1}.0.0`;
}

/** Whether a version is one of those that a range means. */
export function admits(versions: string, version: string): boolean {
  return parseSemverRange(versions)?.test(version) === true;
}

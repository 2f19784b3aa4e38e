import SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import intersects from 'semver/ranges/intersects.js';
import minVersion from 'semver/ranges/min-version.js';
import subset from 'semver/ranges/subset.js';

/**
 * Whether a range is looser than another one: it admits a version below the other's lowest, or extends further up from
 * its own lowest. Users of the other range have not asked for that.
 */
export function isLooser(range: string, than: string): boolean {
  if (subset(range, than)) return false;
  return compare(lowestOf(range), lowestOf(than)) < 0 || reachOf(range) > reachOf(than) || subset(than, range);
}

/** Whether a range admits only one version. */
export function isPin(range: string): boolean {
  return reachOf(range) === REACH.pin;
}

/** Compares ranges for `sort`, the strictest first: by the highest minimum, then by the smallest extent upwards. */
export function byStrictness(one: string, other: string): number {
  return compare(lowestOf(other), lowestOf(one)) || reachOf(one) - reachOf(other);
}

/** Returns the lowest version that a range admits. */
export function lowestOf(range: string): string {
  return minVersion(range)?.version ?? '0.0.0';
}

/** How far up a range extends from its lowest version. */
const REACH = { pin: 0, patches: 1, compatible: 2, open: 3 } as const;

function reachOf(range: string): number {
  const lowest = lowestOf(range);
  const { major, minor } = new SemVer(lowest);
  if (subset(range, lowest)) return REACH.pin;
  if (major > 0 && !intersects(range, `>=${major}.${minor + 1}.0-0`)) return REACH.patches;
  const breaking = major > 0 ? `${major + 1}.0.0-0` : `0.${minor + 1}.0-0`;
  return intersects(range, `>=${breaking}`) ? REACH.open : REACH.compatible;
}

import SemVer from 'semver/classes/semver.js';

/** A dependency gets another version than before. */
export interface VersionChange {
  readonly from: string;
  readonly to: string;
  /** The first part that differs; of 0.x versions too, where a minor change may break. */
  readonly level: 'major' | 'minor' | 'patch' | 'prerelease';
  readonly direction: 'up' | 'down';
}

/** What changes from one locked version to another; `undefined` where one is not known, or both are equal but for the build. */
export function diffVersions(from: string | undefined, to: string | undefined): VersionChange | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [before, after] = [new SemVer(from), new SemVer(to)];
  const order = before.compare(after);
  if (order === 0) return undefined;
  const level = (['major', 'minor', 'patch'] as const).find((part) => before[part] !== after[part]) ?? 'prerelease';
  return { from, to, level, direction: order < 0 ? 'up' : 'down' };
}

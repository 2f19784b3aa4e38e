import parse from 'semver/functions/parse.js';

/** A dependency gets another version than before. */
export interface VersionChange {
  readonly from: string;
  readonly to: string;
  /** The first part that differs; what may break is asked of `isBreaking`. */
  readonly level: 'major' | 'minor' | 'patch' | 'prerelease';
  readonly direction: 'up' | 'down';
}

/** What changes from one version to another; `undefined` where one is not known or is none, or both are equal but for the build. */
export function diffVersions(from: string | undefined, to: string | undefined): VersionChange | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [before, after] = [parse(from), parse(to)];
  if (before === null || after === null) return undefined;
  const order = before.compare(after);
  if (order === 0) return undefined;
  const level = (['major', 'minor', 'patch'] as const).find((part) => before[part] !== after[part]) ?? 'prerelease';
  return { from, to, level, direction: order < 0 ? 'up' : 'down' };
}

/** A package gets another version of a dependency. */
export interface Moved {
  /** Of the dependency. */
  readonly name: string;
  readonly change: VersionChange;
}

/** Whether a change may break: another major, or another minor of 0.x or of a package that does not keep to semantic versions. */
export function isBreaking({ name, change: { from, to, level } }: Moved): boolean {
  return level === 'major' || (level === 'minor' && (breaksInMinors(name) || (from.startsWith('0.') && to.startsWith('0.'))));
}

/** Whether minor versions of a package may break as majors of others do, as its authors say themselves. */
export function breaksInMinors(name: string): boolean {
  return name === 'typescript';
}

/** `a minor upgrade from 1.2.0 to 1.4.1`, without the article. */
export function changeInWords({ from, to, level, direction }: VersionChange): string {
  return `${level} ${direction === 'up' ? 'upgrade' : 'downgrade'} from ${from} to ${to}`;
}

/** What may break first, then minor changes, then patches; of equal ones what goes down. For `sort`. */
export function byWeight(one: Moved, other: Moved): number {
  return weightOf(other) - weightOf(one);
}

const WEIGHTS = { major: 6, minor: 4, prerelease: 4, patch: 2 };

function weightOf(moved: Moved): number {
  const { level, direction } = moved.change;
  return (isBreaking(moved) ? WEIGHTS.major : WEIGHTS[level]) + (direction === 'down' ? 1 : 0);
}

import parse from 'semver/functions/parse.js';
import type { VersionChangeResult } from '../result/aligned-result.js';

/** A change of a dependency's version. `isBreaking` answers whether it may break. */
export type VersionChange = VersionChangeResult;

/** Returns the change between two versions; `undefined` if one is unknown or invalid, or they differ at most in build metadata. */
export function diffVersions(from: string | undefined, to: string | undefined): VersionChange | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [before, after] = [parse(from), parse(to)];
  if (before === null || after === null) return undefined;
  const order = before.compare(after);
  if (order === 0) return undefined;
  const level = (['major', 'minor', 'patch'] as const).find((part) => before[part] !== after[part]) ?? 'prerelease';
  return { from, to, level, direction: order < 0 ? 'up' : 'down' };
}

/** A package with a changed version. */
export interface Moved {
  /** The dependency's name. */
  readonly name: string;
  readonly change: VersionChange;
}

/**
 * Whether a change may break: another major version; the first number after the zeros of 0.x; a minor version of a
 * package that does not follow semantic versioning; and any change from or to a prerelease, which promises nothing.
 */
export function isBreaking({ name, change: { from, level } }: Moved): boolean {
  switch (level) {
    case 'major':
    case 'prerelease':
      return true;
    case 'minor':
      return breaksInMinors(name) || from.startsWith('0.');
    case 'patch':
      return from.startsWith('0.0.');
  }
}

/** Whether a package's minor versions may break as other packages' major versions do, according to its authors. */
export function breaksInMinors(name: string): boolean {
  return name === 'typescript';
}

/** Returns `minor upgrade from 1.2.0 to 1.4.1`. */
export function changeInWords({ from, to, level, direction }: VersionChange): string {
  return `${level} ${direction === 'up' ? 'upgrade' : 'downgrade'} from ${from} to ${to}`;
}

/** Compares for `sort`: what may break first, then minor changes, then patches; within each, downgrades first. */
export function byWeight(one: Moved, other: Moved): number {
  return weightOf(other) - weightOf(one);
}

function weightOf(moved: Moved): number {
  const { level, direction } = moved.change;
  return (isBreaking(moved) ? 4 : level === 'minor' ? 2 : 0) + (direction === 'down' ? 1 : 0);
}

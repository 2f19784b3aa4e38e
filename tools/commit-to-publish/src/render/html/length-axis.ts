import type * as Plot from '@observablehq/plot';

export const MINUTE = 60e6;
const DAY = 24 * 60 * MINUTE;
const TICKS = [
  [MINUTE, '1 min'],
  [60 * MINUTE, '1 h'],
  [DAY, '1 d'],
  [7 * DAY, '7 d'],
  [30 * DAY, '30 d'],
  [365 * DAY, '1 y'],
] as const;
/** On an upright axis there is room for one more. */
const UPRIGHT = [...TICKS, [90 * DAY, '90 d']] as const;

/** How many times the shortest eighth the longest length may be before it would flatten the others on a linear axis. */
const WIDE = 20;

/** An axis of lengths of time. */
export interface LengthAxis {
  readonly scale: Plot.ScaleOptions;
  /** Returns the place of a length on it; an unknown length has none. */
  readonly at: (length: number | undefined) => number;
  /** A sentence about it; empty if it is as expected. */
  readonly note: string;
}

/** Returns an axis from zero, or a logarithmic one where few lengths are far beyond the others. */
export function lengthAxis(lengths: readonly (number | undefined)[]): LengthAxis {
  const known = lengths.filter((length) => length !== undefined && length > 0).sort((a, b) => (a ?? 0) - (b ?? 0)) as number[];
  const [most, lower] = [known.at(-1) ?? 0, known[known.length >> 3] ?? 0];
  if (most > WIDE * Math.max(lower, MINUTE)) {
    // It begins with a label: below the lowest one nobody can read a length.
    const low = TICKS.findLast(([tick]) => tick <= (known[0] ?? 0))?.[0] ?? MINUTE;
    return {
      scale: { ...logarithmicTicks(low, most, UPRIGHT), label: null, grid: true },
      at: (length) => (length === undefined ? Number.NaN : logarithm(length)),
      note: 'The axis is logarithmic.',
    };
  }
  const { size, name } = unitFor(most);
  return { scale: { label: name, grid: true, zero: true, nice: true }, at: (length) => scaled(length, size), note: '' };
}

/** A logarithmic scale of Plot omits labels between powers of ten. */
export function logarithmicTicks(from: number, to: number, all: typeof TICKS | typeof UPRIGHT = TICKS): Plot.ScaleOptions {
  const [low, high] = [Math.max(from, MINUTE), Math.max(to, 2 * MINUTE)];
  const ticks = all.filter(([tick]) => tick >= low && tick <= high);
  return { domain: [low, high].map(logarithm), ticks: ticks.map(([tick]) => logarithm(tick)), tickFormat: (_, at) => ticks[at]?.[1] ?? '' };
}

/** Less than a minute counts as one. */
export function logarithm(length: number): number {
  return Math.log10(Math.max(length, MINUTE));
}

/** Returns the unit for a whole chart. */
export function unitFor(most: number): { readonly size: number; readonly name: string } {
  if (most >= 3 * 24 * 3600e6) return { size: 24 * 3600e6, name: 'days' };
  if (most >= 2 * 3600e6) return { size: 3600e6, name: 'hours' };
  return { size: 60e6, name: 'minutes' };
}

/** Scales a value to a unit; a week without a figure becomes a gap in the line. */
function scaled(value: number | undefined, size: number): number {
  return value === undefined ? Number.NaN : value / size;
}

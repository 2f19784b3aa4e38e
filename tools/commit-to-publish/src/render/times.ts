import type { Micros } from '../model/event.js';

const UNITS: readonly (readonly [micros: number, name: string])[] = [
  [24 * 3600 * 1e6, 'd'],
  [3600 * 1e6, 'h'],
  [60e6, 'min'],
  [1e6, 's'],
];

/**
 * Returns a duration in the unit that suits it: `3.2 d`, `14 h`, `45 s`. Two digits suffice, because no duration is known more precisely.
 */
export function formatLength(micros: number): string {
  const [unit, name] = UNITS.find(([size]) => micros >= 0.9995 * size) ?? [1e6, 's'];
  const value = micros / unit;
  return `${value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${name}`;
}

/** Returns `2026-01-05` (UTC). */
export function formatDay(moment: Micros): string {
  return new Date(moment / 1000).toISOString().slice(0, 10);
}

/** Returns `2026-01-05 14:03` (UTC). */
export function formatMoment(moment: Micros): string {
  return new Date(moment / 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/** Returns a rate with one decimal (`12.3`), or with one significant digit below 0.1. */
export function formatRate(rate: number): string {
  return rate === 0 || rate >= 0.1 ? rate.toFixed(1) : rate.toPrecision(1);
}

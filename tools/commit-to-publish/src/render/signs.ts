import sparkly from 'sparkly';

/** `ascii`: for terminals without Unicode. */
export type Signs = 'unicode' | 'ascii';

const LEVELS = 8;

/** Draws a character for each value, scaled from 0 to the highest value, and a gap for each unknown one. Empty if all are unknown. */
export function sparkline(values: readonly (number | undefined)[], signs: Signs): string {
  const highest = Math.max(...values.map((value) => value ?? Number.NEGATIVE_INFINITY));
  if (highest === Number.NEGATIVE_INFINITY) return '';
  if (signs === 'unicode')
    return sparkly(
      values.map((value) => value ?? ''),
      { minimum: 0, maximum: highest },
    );
  const level = (value: number): number => (highest === 0 ? 1 : Math.max(1, Math.ceil((value / highest) * LEVELS)));
  return values.map((value) => (value === undefined ? ' ' : String(level(value)))).join('');
}

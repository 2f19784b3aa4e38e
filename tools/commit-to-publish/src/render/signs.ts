import sparkly from 'sparkly';

/** `ascii`: for a terminal that shows no others. */
export type Signs = 'unicode' | 'ascii';

const LEVELS = 8;

/** A sign for each value, from 0 to the highest of them; a gap where a value is not known. Empty where none is. */
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

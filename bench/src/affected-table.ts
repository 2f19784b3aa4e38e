import type { LeftOut, Result } from './affected-group.js';

/** The measurements of one repository. */
export interface Section {
  readonly title: string;
  readonly results: readonly Result[];
  readonly leftOut: readonly LeftOut[];
}

/** Returns a table for people, 90 columns wide. A dash: not requested, or not measurable here. */
export function formatSection({ title, results, leftOut }: Section): string {
  const head = line(['', 'median ms', 'x node -e 0', 'x ours', 'peak MB', 'found']);
  const lines = results.map(({ name, median, overNode, overOurs, peakMb, found }) =>
    line([name, median.toFixed(median < 100 ? 1 : 0), overNode.toFixed(2), overOurs.toFixed(2), peakMb?.toFixed(0) ?? '-', found ?? '-']),
  );
  return [title, head, ...lines, ...leftOut.map(({ name, why }) => `  left out: ${name}: ${why}`)].join('\n');
}

function line([name = '', ...cells]: readonly (string | number)[]): string {
  return `  ${String(name).padEnd(32)}${cells.map((cell, at) => String(cell).padStart([11, 13, 9, 9, 8][at] ?? 0)).join('')}`;
}

/** A bound on one result, in the words of the requirement; `value` is `undefined` if it was not measured. */
export interface Bar {
  readonly subject: string;
  readonly value: number | undefined;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Returns the bars with the measured values. They are facts: no bar fails the bench. */
export function formatBars(bars: readonly Bar[]): string {
  const lines = bars.map(({ subject, value, atMost, atLeast }) => {
    const bound = atMost !== undefined ? `<= ${atMost}` : `>= ${atLeast}`;
    const verdict = value === undefined ? 'not measured' : isMet(value, { atMost, atLeast }) ? 'met' : 'NOT MET';
    const shown = value?.toFixed(value < 1000 ? 2 : 0) ?? '-';
    return `  ${verdict.padEnd(14)}${subject.padEnd(54)}${bound.padStart(10)}${shown.padStart(10)}`;
  });
  return ['Bars', ...lines].join('\n');
}

function isMet(
  value: number,
  { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }: { atMost?: number | undefined; atLeast?: number | undefined },
): boolean {
  return value <= atMost && value >= atLeast;
}

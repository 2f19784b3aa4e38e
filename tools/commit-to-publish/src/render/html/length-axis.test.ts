import { expect, test } from '@jest/globals';
import { lengthAxis, logarithmicTicks } from './length-axis.js';

const HOUR = 3600e6;
const USUAL = [5, 6, 7, 8].map((hours) => hours * HOUR);

test('a length far beyond the others makes the axis logarithmic, which it says, and flattens none of them', () => {
  expect(lengthAxis(USUAL).note).toBe('');
  const { at, note } = lengthAxis([...USUAL, 400 * HOUR]);
  expect(note).toBe('The axis is logarithmic.');
  expect((at(8 * HOUR) - at(5 * HOUR)) / (at(400 * HOUR) - at(5 * HOUR))).toBeGreaterThan(0.1);
});

test('a P90 far above each P50 makes it logarithmic too', () => {
  const p50 = [2, 3, 4, 5, 6].map((hours) => hours * HOUR);
  expect(lengthAxis([...p50, ...p50.map((length) => 3 * length)]).note).toBe('');
  expect(lengthAxis([...p50, ...p50.map((length) => 18 * length)]).note).toBe('The axis is logarithmic.');
});

test('so do weeks before a fall, which make those after it look like nothing', () => {
  const weeks = (count: number, days: number): readonly number[] => Array.from({ length: count }, () => days * 24 * HOUR);
  expect(lengthAxis([...weeks(11, 4), ...weeks(11, 90), ...weeks(15, 300), ...weeks(15, 620)]).note).toBe('The axis is logarithmic.');
});

test('a logarithmic axis begins with a label, so that each length lies above one', () => {
  const { scale, at } = lengthAxis([...USUAL, 400 * HOUR]);
  const { domain, ticks } = scale as { readonly domain: readonly number[]; readonly ticks: readonly number[] };
  expect([domain[0], ticks[0]]).toEqual([at(HOUR), at(HOUR)]);
});

test('on an upright axis a season has a label, for it is far from a month and from a year', () => {
  const labels = (scale: object): readonly string[] => {
    const { ticks, tickFormat } = scale as { readonly ticks: readonly number[]; readonly tickFormat: (_: number, at: number) => string };
    return ticks.map(tickFormat);
  };
  expect(labels(lengthAxis([...USUAL, 200 * 24 * HOUR]).scale)).toEqual(['1 h', '1 d', '7 d', '30 d', '90 d']);
  // A label beside another one needs more room.
  expect(labels(logarithmicTicks(HOUR, 200 * 24 * HOUR))).toEqual(['1 h', '1 d', '7 d', '30 d']);
});

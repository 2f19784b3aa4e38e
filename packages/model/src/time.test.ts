import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { between, type Duration, formatDuration, type Instant } from './time.js';

test.each([
  [0, '0 ms'],
  [0.4, '0 ms'],
  [350, '350 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [1000, '1.0 s'],
  [4240, '4.2 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 00 s'],
  [60_000, '1 min 00 s'],
  [185_000, '3 min 05 s'],
  [119_600, '2 min 00 s'],
  [3_600_000, '60 min 00 s'],
])('%d is %s', (time, text) => {
  expect(formatDuration(time as Duration)).toBe(text);
});

test('a longer time never reads as a shorter one', () => {
  const inMs = (text: string): number => {
    const minutes = /^(\d+) min (\d+) s$/.exec(text);
    if (minutes !== null) return (Number(minutes[1]) * 60 + Number(minutes[2])) * 1000;
    return Number.parseFloat(text) * (text.endsWith(' ms') ? 1 : 1000);
  };
  const time = fc.double({ min: 0, max: 200_000, noNaN: true });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [short, long] = [Math.min(a, b), Math.max(a, b)];
      expect(inMs(formatDuration(short as Duration))).toBeLessThanOrEqual(inMs(formatDuration(long as Duration)));
    }),
  );
});

test('between two instants lies what has passed', () => {
  expect(between(1000 as Instant, 1500 as Instant)).toBe(500);
});

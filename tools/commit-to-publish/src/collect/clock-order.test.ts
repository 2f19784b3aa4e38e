import { expect, test } from '@jest/globals';
import { outOfOrder } from './clock-order.js';

const HOUR = 3600e6;

test.each([
  ['times in order', '1 2 2 3', ''],
  ['one that is behind', '10 20 3 30', '2'],
  ['one that is ahead', '10 90 20 30', '1'],
  ['the first and the last', '50 1 2 3 0', '0 4'],
  ['a history that was joined', '10 11 12 20 1 2 3 30 40', '4 5 6'],
  ['one of two, and nothing tells which', '10 30 20 40', '1 2'],
  ['clocks that differ a little', '10 10.9 10 11', ''],
  ['none', '', ''],
])('%s: %s', (_, hours, expected) => {
  const times = hours === '' ? [] : hours.split(' ').map((hour) => Number(hour) * HOUR);
  expect([...outOfOrder(times)].sort((a, b) => a - b).join(' ')).toBe(expected);
});

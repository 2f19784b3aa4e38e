import { expect, test } from '@jest/globals';
import { systemClock } from './clock.js';

test('it says milliseconds since 1970', () => {
  const before = Date.now();
  expect(systemClock()).toBeGreaterThanOrEqual(before);
  expect(systemClock()).toBeLessThanOrEqual(Date.now());
});

import { expect, test } from '@jest/globals';
import { differencing } from './differencing.js';
import { improve } from './improve.js';
import { plainLoad } from './load.fixture.js';
import { placeInOrder } from './longest-first.js';
import { multifit } from './multifit.js';
import { numbersOf, problemOf } from './problem.js';
import { findPacking } from './search.js';
import { shakeUp } from './shake.js';

// The example of Karmarkar and Karp: differencing gives 16, LPT gives 17, the optimum is 15.
const five = problemOf(numbersOf(plainLoad(8, 7, 6, 5, 4)), 2);

test('LPT puts the longest where the load is least', () => {
  expect(placeInOrder(five, five.bySeconds).makespan()).toBe(17);
});

test('differencing puts the longest against each other', () => {
  expect(differencing(five).makespan()).toBe(16);
  expect(differencing(problemOf(numbersOf(plainLoad(7, 5, 5, 4, 4, 3, 2)), 3)).makespan()).toBe(11);
});

test('MULTIFIT finds the room in which everything fits', () => {
  const seven = problemOf(numbersOf(plainLoad(5, 5, 4, 4, 3, 3, 3)), 3);
  expect(placeInOrder(seven, seven.bySeconds).makespan()).toBe(11);
  expect(multifit(seven, seven.bySeconds, { bound: 9, reached: 11 })?.makespan()).toBe(9);
});

test('MULTIFIT finds nothing where nothing is shorter', () => {
  const two = problemOf(numbersOf(plainLoad(3, 3)), 2);
  expect(multifit(two, two.bySeconds, { bound: 3, reached: 3 })).toBeUndefined();
  expect(multifit(two, two.bySeconds, { bound: 1, reached: 3 })).toBeUndefined();
});

test('together they find what each alone does not', () => {
  expect(findPacking(five).makespan()).toBe(15);
});

test('and shaking finds what exchanges do not', () => {
  const nine = problemOf(numbersOf(plainLoad(12, 10, 10, 9, 9, 9, 8, 7, 7)), 3);
  const placed = placeInOrder(nine, nine.bySeconds);
  const fitted = multifit(nine, nine.bySeconds, { bound: 27, reached: placed.makespan() });
  for (const filling of [placed, fitted ?? placed, differencing(nine)]) {
    improve(nine, filling, 27);
    expect(filling.makespan()).toBeGreaterThan(27);
    expect(shakeUp(nine, filling.settled(), 27).makespan()).toBeLessThanOrEqual(filling.makespan());
  }
  expect(findPacking(nine).makespan()).toBe(27);
});

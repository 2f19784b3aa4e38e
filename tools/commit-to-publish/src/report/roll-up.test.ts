import { expect, test } from '@jest/globals';
import { offerRollUps, type RollUpCandidate } from './roll-up.js';

function candidate(option: RollUpCandidate['option'], value: string, counts: Readonly<Record<string, number>>): RollUpCandidate {
  return { option, value, counts: new Map(Object.entries(counts)) };
}

const COUNTS = new Map([
  ['many', 36],
  ['some', 35],
  ['few', 9],
  ['none', 0],
]);

test('each option is offered with how many of the lacking rows it helps', () => {
  expect(offerRollUps(COUNTS, [candidate('--by', 'team', { many: 100, some: 36, few: 10, none: 10 })])).toEqual({
    withoutP50: 2,
    withoutP90: 3,
    offers: [{ option: '--by', value: 'team', p50: 2, p90: 1 }],
  });
});

test('an option that helps nobody is not offered, nor a longer window that helps no more', () => {
  const windows = [
    candidate('--window', '13w', { some: 35, few: 9 }),
    candidate('--window', '26w', { some: 36, few: 12 }),
    candidate('--window', '52w', { some: 50, few: 20 }),
    candidate('--window', '104w', { some: 90, few: 36 }),
  ];
  expect(offerRollUps(COUNTS, windows).offers.map(({ value }) => value)).toEqual(['26w', '104w']);
  // Groups are not windows: both are offered.
  const groups = [candidate('--by', 'team', { few: 40 }), candidate('--by', 'repo', { few: 40 })];
  expect(offerRollUps(COUNTS, groups).offers.map(({ value }) => value)).toEqual(['team', 'repo']);
});

test('where all have enough nothing is lacking', () => {
  expect(offerRollUps(new Map([['a', 36]]), [])).toEqual({ withoutP50: 0, withoutP90: 0, offers: [] });
});

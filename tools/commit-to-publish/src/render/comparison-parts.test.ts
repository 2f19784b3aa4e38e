import { expect, test } from '@jest/globals';
import type { Micros } from '../model/event.js';
import type { SideFigures, SideQuestion } from '../report/side.js';
import { describeAmount, describeUnit } from './comparison-parts.js';

const FIGURES: SideFigures = {
  n: 141,
  releases: 10,
  atLeast: 0,
  coverage: 0.949,
  upgrades: { n: 0, perMonth: 0 },
  stages: [],
  reached: undefined,
};

test('beside how much there is stands how much of it has arrived', () => {
  expect(describeAmount(FIGURES)).toBe('141 changes in 10 releases; 95 % of the changes that were ready in this time have arrived');
  expect(describeAmount({ ...FIGURES, n: 1, releases: 1, coverage: undefined })).toBe('1 change in 1 release');
});

test.each([
  [[], 'published', 'A change counts once for each package that it reached.'],
  [['core'], 'released', 'A change counts once for each package and consumer that it reached.'],
  [['core'], 'published', ''],
] as const)('what counts as one: %j, until %s', (packages, until, sentence) => {
  const side: SideQuestion = {
    lead: { ready: 'merged', until, channels: new Set(['latest']) },
    repos: [],
    packages,
    since: 0 as Micros,
    until: 1 as Micros,
  };
  expect(describeUnit(side)).toBe(sentence);
});

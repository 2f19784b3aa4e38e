import { expect, test } from '@jest/globals';
import { deployedBy } from './forge-publications.js';

test('an environment brings out the packages that its globs name', () => {
  const brings = deployedBy({ production: ['app', '@acme/*'], 'eu/docs': ['**'] });
  const asked = [
    ['production', 'app'],
    ['production', '@acme/ui'],
    ['production', 'tool'],
    ['eu/docs', '@acme/ui'],
    ['staging', 'app'],
  ] as const;
  expect(asked.map(([environment, name]) => brings(environment, name))).toEqual([true, true, false, true, false]);
});

import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import { deployedBy, deploymentOf } from './github-publications.js';

const START = Date.UTC(2026, 0, 5);

/** `PENDING IN_PROGRESS SUCCESS`: a status each minute from the first on; created at minute 0. As `begun-ended outcome`. */
function describeDeployment(states: string, completeness: 'complete' | 'cut' = 'complete'): string {
  const statuses = states.split(' ').flatMap((state, at) => (state === '' ? [] : [{ state, at: (START + (at + 1) * 60e3) as Instant }]));
  const facts = { id: 1, commit: 'a'.repeat(40) as CommitId, createdAt: START as Instant, statuses, completeness };
  const { startedAt, endedAt, outcome, confidence } = deploymentOf(facts);
  const minute = (time: number | null): string => (time === null ? '' : String((time - START) / 60e3));
  return `${minute(startedAt)}-${minute(endedAt)} ${outcome} ${confidence}`;
}

test.each([
  ['', '0- null exact'],
  ['SUCCESS', '0-1 success exact'],
  ['PENDING QUEUED IN_PROGRESS SUCCESS', '3-4 success exact'],
  ['IN_PROGRESS SUCCESS INACTIVE', '1-2 success exact'],
  // A success again is no later one.
  ['IN_PROGRESS SUCCESS IN_PROGRESS SUCCESS', '1-2 success exact'],
  ['IN_PROGRESS FAILURE', '1-2 failure exact'],
  ['IN_PROGRESS ERROR INACTIVE', '1-2 failure exact'],
  // It is tried again.
  ['IN_PROGRESS FAILURE IN_PROGRESS', '1- null exact'],
  ['IN_PROGRESS FAILURE QUEUED SUCCESS', '1-4 success exact'],
  ['WAITING', '0- null exact'],
  // Another took its place before anybody said how it ended.
  ['IN_PROGRESS INACTIVE', '1- null exact'],
])('%s is %s', (states, expected) => {
  expect(describeDeployment(states)).toBe(expected);
});

test('of which there are more statuses than were shown is derived', () => {
  expect(describeDeployment('SUCCESS', 'cut')).toBe('0-1 success derived');
});

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

import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import { pullsOnLine, stagesOfPull } from './pull-stages.js';
import type { PullTimes } from './pull-times.js';

const at = (minute: number): Instant => (Date.UTC(2026, 0, 5) + minute * 60_000) as Instant;
const commit = (letter: string): CommitId => letter.repeat(40) as CommitId;

function pull(letter: string, commits = 1): PullTimes {
  const tests = (attempt: number, minute: number): PullTimes['prTests'][number] => ({
    attempt,
    startedAt: at(minute),
    endedAt: at(minute + 2),
    outcome: attempt === 1 ? 'failure' : 'success',
    confidence: 'exact',
  });
  return {
    url: `https://github.example/acme/app/pull/${letter}`,
    author: 'person',
    commit: commit(letter),
    commits,
    openedAt: at(10),
    readyAt: at(14),
    readiness: 'derived',
    mergedAt: at(16),
    prTests: [tests(1, 11), tests(2, 13)],
    postMergeTests: [tests(2, 17)],
  };
}

test('its stages, with the attempts at its tests, in microseconds', () => {
  const span = (from: number, to: number): object => ({ startedAt: at(from) * 1000, endedAt: at(to) * 1000, source: 'api' });
  expect(stagesOfPull(pull('a'))).toEqual([
    { stage: 'pr-tests', attempt: 1, ...span(11, 13), outcome: 'failure', confidence: 'exact' },
    { stage: 'pr-tests', attempt: 2, ...span(13, 15), outcome: 'success', confidence: 'exact' },
    { stage: 'merge-wait', attempt: 1, ...span(14, 16), outcome: 'success', confidence: 'derived' },
    { stage: 'post-merge-tests', attempt: 2, ...span(17, 19), outcome: 'success', confidence: 'exact' },
  ]);
});

test.each<[string, string, PullTimes[], string]>([
  ['a commit without a pull request has none', 'abc', [pull('b')], '-b-'],
  ['of a rebase all its commits have it', 'abcd', [pull('d', 3)], '-ddd'],
  ['and none of the one before', 'abcd', [pull('b'), pull('d', 3)], '-bdd'],
  ['nor what lies before the beginning', 'ab', [pull('b', 5)], 'bb'],
  ['what is not on the main line is left out', 'ab', [pull('c')], '--'],
])('%s', (_, line, pulls, expected) => {
  const ids = line.split('').map(commit);
  const found = pullsOnLine(ids, new Map(pulls.map((one) => [one.commit, one])));
  expect(ids.map((id) => found.get(id)?.commit[0] ?? '-').join('')).toBe(expected);
});

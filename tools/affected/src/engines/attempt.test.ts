import { expect, test } from '@jest/globals';
import { readAttempt, readRunAttempt } from './detect.js';
import type { CiVariables } from './variables.js';

test.each<[title: string, variables: CiVariables, attempt: number]>([
  ['nothing is said', {}, 1],
  ['GitHub counts from 1', { GITHUB_RUN_ATTEMPT: '1' }, 1],
  ['GitHub runs it again', { GITHUB_RUN_ATTEMPT: '3' }, 3],
  ['Buildkite counts retries, from 0', { BUILDKITE_RETRY_COUNT: '0' }, 1],
  ['Buildkite tries it again', { BUILDKITE_RETRY_COUNT: '2' }, 3],
  ['Azure Pipelines counts from 1', { SYSTEM_JOBATTEMPT: '2' }, 2],
  [
    'the own variable goes before all',
    { AFFECTED_ATTEMPT: '7', GITHUB_RUN_ATTEMPT: '1', BUILDKITE_RETRY_COUNT: '4', SYSTEM_JOBATTEMPT: '2' },
    7,
  ],
  ['it is empty, as templates make it', { AFFECTED_ATTEMPT: '', GITHUB_RUN_ATTEMPT: '2' }, 2],
  ['it is no number', { AFFECTED_ATTEMPT: 'two', GITHUB_RUN_ATTEMPT: '2' }, 2],
  ['it is below zero', { GITHUB_RUN_ATTEMPT: '-1' }, 1],
  ['it is broken', { GITHUB_RUN_ATTEMPT: '1.5' }, 1],
  // There is no attempt 0, and a receipt cannot have that number.
  ['it is zero', { AFFECTED_ATTEMPT: '0', GITHUB_RUN_ATTEMPT: '0', SYSTEM_JOBATTEMPT: '00' }, 1],
  ['it is more than a receipt may name', { GITHUB_RUN_ATTEMPT: '10000000' }, 1],
  ['it is the most that one may name', { BUILDKITE_RETRY_COUNT: '999999' }, 1_000_000],
])('%s', (_, variables, attempt) => expect(readAttempt(variables)).toBe(attempt));

test.each<[title: string, variables: CiVariables, attempt: number | undefined]>([
  ['GitHub counts runs', { GITHUB_RUN_ATTEMPT: '2' }, 2],
  ['Azure Pipelines counts stages, and jobs within them', { SYSTEM_STAGEATTEMPT: '3', SYSTEM_JOBATTEMPT: '2' }, 3],
  ['Buildkite counts only jobs', { BUILDKITE_RETRY_COUNT: '4' }, undefined],
  ['the own variable goes before all', { AFFECTED_ATTEMPT: '7', GITHUB_RUN_ATTEMPT: '1' }, 7],
  ['it is broken', { GITHUB_RUN_ATTEMPT: 'x' }, undefined],
])('of the whole run: %s', (_, variables, attempt) => expect(readRunAttempt(variables)).toBe(attempt));

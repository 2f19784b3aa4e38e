import { expect, test } from '@jest/globals';
import { ToolError } from '@tributary/model/errors';
import { type PlannedPullRequest, type UnplannedRequest, withoutCircles } from './pull-request-plan.js';

/** Returns planned requests. `7 8` means that 7 builds on 8. */
function planned(...lines: readonly string[]): readonly (PlannedPullRequest | UnplannedRequest)[] {
  return lines.map((line) => {
    const [number, below] = line.split(' ').map(Number);
    return { request: { number, base: 'x' }, below } as unknown as PlannedPullRequest;
  });
}

const failed = (all: readonly (PlannedPullRequest | UnplannedRequest)[]): readonly (readonly [number, string])[] =>
  withoutCircles(all).flatMap((one) =>
    'failure' in one ? [[one.request.number, one.failure.message.split('it builds on ')[1] ?? '']] : [],
  );

test('those that build on each other are refused, and those upon them wait for one that fails', () => {
  expect(failed(planned('7 8', '8 7', '9 8', '10'))).toEqual([
    [7, 'pull request 8, which builds on 7.'],
    [8, 'pull request 7, which builds on 8.'],
  ]);
  expect(failed(planned('1 2', '2 3', '3 1')).map(([number]) => number)).toEqual([1, 2, 3]);
});

test('a chain is none, and one that failed before keeps its reason', () => {
  expect(failed(planned('1 2', '2 3', '3'))).toEqual([]);
  const failure = new ToolError({ code: 'PULL_REQUEST_UNREADABLE', message: 'it builds on nothing' });
  const [one] = planned('1 2');
  expect(failed([...(one === undefined ? [] : [one]), { request: { number: 2 }, failure } as unknown as UnplannedRequest])).toEqual([
    [2, 'nothing'],
  ]);
});

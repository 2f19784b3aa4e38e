import { expect, test } from '@jest/globals';
import type { AlignedStepResult, DecisionResult } from '../result/result.js';
import { withoutAsked } from './new-decisions.js';

const decision = (id: string, ...findings: readonly string[]): DecisionResult => ({
  id,
  decided: null,
  risk: 'none',
  text: id,
  byDefault: null,
  toChange: null,
  findings: findings.map((text) => ({ text, about: [] })),
});
const step = (...decisions: readonly DecisionResult[]): AlignedStepResult => ({
  step: 'settings',
  commit: null,
  files: [],
  changes: [],
  decisions,
});

test('what the last import asked is not asked again, and what is new is', () => {
  const asked = [step(decision('releases', 'a'), decision('whole'))];
  const now = [step(decision('releases', 'a', 'b'), decision('whole'), decision('other', 'a'))];
  expect(withoutAsked(now, asked)).toEqual([step(decision('releases', 'b'), decision('other', 'a'))]);
});

test('a step that has nothing else to say goes, one with a commit stays', () => {
  const done = { ...step(decision('whole')), commit: 'c', files: ['f'] };
  expect(withoutAsked([step(decision('whole')), done], [step(decision('whole'))])).toEqual([{ ...done, decisions: [] }]);
});

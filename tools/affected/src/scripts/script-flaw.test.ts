import { expect, test } from '@jest/globals';
import { describeFlaws, type ScriptFlaw } from './script-flaw.js';

test('workspaces with the same flaw share a sentence, and where the rest is listed is told', () => {
  const flaws = Array.from({ length: 23 }, (_, at): ScriptFlaw => {
    return { workspace: `w${at}`, kind: 'discards', what: `jest ${Math.max(at, 1)} (|| true)` };
  });
  const said = describeFlaws(flaws);
  expect([said.length, said[0]]).toEqual([21, expect.stringMatching(/^w0, w1: .*: jest 1 \(\|\| true\)$/)]);
  expect(said.at(-1)).toBe('2 more scripts may hide a failure, which affected plan --json lists');
});

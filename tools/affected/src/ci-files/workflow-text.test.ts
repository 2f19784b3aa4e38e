import { expect, test } from '@jest/globals';
import { readWorkflow } from './workflow-text.js';

// The fuzzer (fuzz.long.test.ts) found these. The second one ended the whole process.
test.each([['{'], ['? '], ['- ']])('a workflow with endless %p has a problem', (sign) => {
  expect(readWorkflow(`on: push\njobs:\n  ${sign.repeat(20_000)}`)).toEqual({ problem: 'it is nested too deeply to be read' });
});

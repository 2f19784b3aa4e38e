import { expect, test } from '@jest/globals';
import { answeredIn, newlyAnswered } from './answered.js';
import { lockOf } from './berry-lock.fixture.js';

const LOCAL = 'lib@npm:^1.0.0, lib@workspace:^, lib@workspace:lib -> lib@workspace:lib';
const TOOL = 'tool@npm:^2.0.0 -> tool@npm:2.1.0 -> lib@npm:^1.0.0, dep@npm:^1.0.0';
const DEP = 'dep@npm:^1.0.0 -> dep@npm:1.0.0';

test('what comes from the registry and leads into a workspace is told, workspaces among each other are not', () => {
  const lock = lockOf(LOCAL, TOOL, DEP, 'app@workspace:app -> app@workspace:app -> lib@workspace:^');
  expect(answeredIn(lock)).toEqual([{ name: 'lib', range: 'npm:^1.0.0', by: 'tool@2.1.0' }]);
});

test('ranges of Yarn 3, which writes no protocol there, lead to the same', () => {
  expect(answeredIn(lockOf(LOCAL, TOOL.replaceAll('lib@npm:', 'lib@')))).toHaveLength(1);
});

test('what was so before is not new', () => {
  const after = lockOf(LOCAL, TOOL, DEP);
  expect(newlyAnswered(after, after)).toEqual([]);
  expect(newlyAnswered(lockOf(TOOL, DEP, 'lib@npm:^1.0.0 -> lib@npm:1.0.0'), after)).toHaveLength(1);
});

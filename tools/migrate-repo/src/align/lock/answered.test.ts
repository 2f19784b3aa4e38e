import { expect, test } from '@jest/globals';
import { parsePackageExtensions } from '@tributary/workspaces/lock/package-extensions';
import type { LockRules } from '@tributary/workspaces/lock/references';
import { answeredIn, newlyAnswered } from './answered.js';
import { lockOf } from './berry-lock.fixture.js';

const LOCAL = 'lib@npm:^1.0.0, lib@workspace:^, lib@workspace:lib -> lib@workspace:lib';
const TOOL = 'tool@npm:^2.0.0 -> tool@npm:2.1.0 -> lib@npm:^1.0.0, dep@npm:^1.0.0';
const DEP = 'dep@npm:^1.0.0 -> dep@npm:1.0.0';

const NO_RULES = rulesWith({});

function rulesWith(resolutions: Readonly<Record<string, string>>): LockRules {
  return { resolutions: new Map(Object.entries(resolutions)), extensions: parsePackageExtensions({}), catalogs: new Map() };
}

test('what comes from the registry and leads into a workspace is told, workspaces among each other are not', () => {
  const lock = lockOf(LOCAL, TOOL, DEP, 'app@workspace:app -> app@workspace:app -> lib@workspace:^');
  expect(answeredIn({ text: lock, rules: NO_RULES })).toEqual([{ name: 'lib', range: 'npm:^1.0.0', by: 'tool@2.1.0' }]);
});

test('ranges of Yarn 3, which writes no protocol there, lead to the same', () => {
  expect(answeredIn({ text: lockOf(LOCAL, TOOL.replaceAll('lib@npm:', 'lib@')), rules: NO_RULES })).toHaveLength(1);
});

test('what was so before is not new', () => {
  const after = { text: lockOf(LOCAL, TOOL, DEP), rules: NO_RULES };
  expect(newlyAnswered(after, after)).toEqual([]);
  const before = { text: lockOf(TOOL, DEP, 'lib@npm:^1.0.0 -> lib@npm:1.0.0'), rules: NO_RULES };
  expect(newlyAnswered(before, after)).toHaveLength(1);
});

test('what an entry of resolutions leads into a workspace is told, and what another keeps from it is not', () => {
  const lock = lockOf('lib@workspace:lib -> lib@workspace:lib', 'lib@npm:^1.0.0 -> lib@npm:1.0.0', TOOL, DEP);
  const link = { 'tool/lib': 'workspace:lib' };
  expect(answeredIn({ text: lock, rules: NO_RULES })).toEqual([]);
  expect(answeredIn({ text: lock, rules: rulesWith(link) })).toEqual([{ name: 'lib', range: 'npm:^1.0.0', by: 'tool@2.1.0' }]);
  expect(answeredIn({ text: lock, rules: rulesWith({ 'tool@npm:2.1.0/lib@npm:^1.0.0': 'npm:^1.0.0', ...link }) })).toEqual([]);
});

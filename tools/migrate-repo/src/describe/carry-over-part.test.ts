import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import { fixtureOf } from '../carry-over/carry-over.fixture.js';
import { carryOver } from '../carry-over/carry-over.js';
import type { CarryOverFinding } from '../carry-over/rule.js';
import { TOPICS } from '../topics.js';
import { carryOverPart } from './carry-over-part.js';
import { decisionsOf } from './decisions.js';

const finding: CarryOverFinding = {
  importedPackage: 'x' as WorkspaceName,
  rule: 'A rule',
  reason: 'so it is',
  file: '.nvmrc',
  action: 'keep',
  done: undefined,
  remarks: [],
};
const packed = [{ name: 'x' as WorkspaceName, done: { text: 'The same.' }, decision: undefined }];

test('what stays as it was is not told, nor that npm would publish the same then', () => {
  expect(carryOverPart([finding], packed, 'done')).toEqual({ step: 'carry-over', decisions: [], changes: [] });
});

test('what is changed is told, and what npm would publish', () => {
  const { changes } = carryOverPart([{ ...finding, done: { text: 'Gone.' } }], packed, 'done');
  expect(changes).toEqual([
    { text: 'Gone.', about: [{ package: 'x', place: '.nvmrc', detail: null }] },
    { text: 'The same.', about: [{ package: 'x', place: null, detail: null }] },
  ]);
});

test('without an installation nobody looked at that, which is said', () => {
  const { changes } = carryOverPart([{ ...finding, done: { text: 'Gone.' } }], [], 'not asked for');
  expect(changes.at(-1)).toMatch(/was not checked/);
});

test('a remark with a topic is a reason for a decision, and any other one is only told', () => {
  const remarks = [{ text: 'Choose.', topic: 'workflows' as const }, { text: 'Know it.' }];
  expect(carryOverPart([{ ...finding, remarks }], [], 'done')).toEqual({
    step: 'carry-over',
    decisions: [{ package: 'x', place: '.nvmrc', topic: 'workflows', text: 'Choose.' }],
    changes: [{ text: 'Know it.', about: [{ package: 'x', place: '.nvmrc', detail: null }] }],
  });
});

test('a package with releases, workflows, hooks and services asks for three decisions', () => {
  const job = (run: string): string => `on: push\njobs: { a: { steps: [{ run: ${run} }] } }\n`;
  const own = {
    'package.json': '{ "name": "@acme/x", "scripts": { "test": "node node_modules/.bin/tap" }, "release": {} }',
    '.github/workflows/release.yml': job('npx semantic-release'),
    '.github/workflows/ci.yml': job('npm test'),
    '.husky/pre-commit': 'npm test\n',
    '.travis.yml': 'language: node_js\n',
    '.coveralls.yml': 'service_name: travis-ci\n',
    'renovate.json': '{}',
  };
  const decisions = decisionsOf([carryOverPart(carryOver(fixtureOf({}, own)).findings, [], 'done')]).get('carry-over') ?? [];
  const { behaviour, releases, workflows } = TOPICS;
  expect(decisions.map(({ text }) => text).sort()).toEqual([behaviour.text, releases.text, workflows.text].sort());
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('./sum-tests.mjs', import.meta.url));
const green = { numTotalTests: 7, numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, numRuntimeErrorTestSuites: 0 };
const empty = { ...green, numTotalTests: 0, numPassedTests: 0, numPendingTests: 0, numTodoTests: 0 };
const notLoaded = { ...empty, numRuntimeErrorTestSuites: 1 };
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-sum-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['a green ring', { test: green }, ['test:0'], '5 passed, 0 failed, 2 skipped', 0],
  ['two commands are added up', { test: green, 'long+engines': green }, ['test:0', 'long+engines:0'], '10 passed, 0 failed, 4 skipped', 0],
  ['failed tests', { test: { ...green, numFailedTests: 3 } }, ['test:1'], '5 passed, 3 failed, 2 skipped', 1],
  ['a suite that did not load', { test: notLoaded }, ['test:1'], '0 passed, 1 failed, 0 skipped', 1],
  ['a ring that was left out', { test: green }, ['test:0', 'long:left-out'], '5 passed, 0 failed, 3 skipped', 0],
  ['a ring that timed out', { long: green }, ['long:124'], '5 passed, 1 failed, 2 skipped', 1],
  ['a ring that wrote nothing', {}, ['test:0'], '0 passed, 1 failed, 0 skipped', 1],
  ['a ring that wrote half a file', { test: '{"numPassed' }, ['test:137'], '0 passed, 1 failed, 0 skipped', 1],
  ['a ring without a single test', { test: empty }, ['test:0'], '0 passed, 1 failed, 0 skipped', 1],
  ['the result of another ring', { test: green }, ['test:0', 'long:0'], '5 passed, 1 failed, 2 skipped', 1],
  ['green tests beside a red lint', { test: green }, ['test:1'], '5 passed, 1 failed, 2 skipped', 1],
])('%s', (_, results, args, said, code) => {
  for (const [rings, content] of Object.entries(results)) write(`.test-results/${rings}.json`, content);
  const { stdout, status } = sum(args);
  expect({ last: stdout.trimEnd().split('\n').at(-1), status }).toEqual({ last: `tests: ${said}`, status: code });
});

test('each failed test is named with what it said, and so is a file that did not load', () => {
  const failed = { status: 'failed', fullName: 'adds up', failureMessages: ['\u001b[31mExpected: 2\u001b[39m\nReceived: 3'] };
  const testResults = [
    {
      name: join(folder, 'bench/a.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [{ status: 'passed', fullName: 'is there' }, failed],
    },
    { name: join(folder, 'bench/b.test.ts'), status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ];
  write('.test-results/test.json', { ...green, numFailedTests: 1, numRuntimeErrorTestSuites: 1, testResults });
  const { stdout } = sum(['test:1']);
  expect(stdout).toContain('test failed: bench/a.test.ts: adds up\n    Expected: 2\n    Received: 3\n');
  expect(stdout).toContain('test failed: bench/b.test.ts\n    Cannot find module\n');
  expect(stdout).not.toContain('is there');
});

test.each([[[]], [['test']], [['test:green']]])('%j is a wrong command line', (args) => {
  expect(sum(args).status).toBe(2);
});

function sum(args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
}

function write(file, content) {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
}

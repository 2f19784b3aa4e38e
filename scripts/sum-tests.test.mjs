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

/** Two workspaces with tests, one of which also has long ones. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-sum-'));
  write('package.json', { workspaces: ['packages/*', 'bench'] });
  write('packages/lib/package.json', { scripts: { test: 'jest', long: 'jest' } });
  write('bench/package.json', { scripts: { test: 'jest' } });
  write('packages/no-workspace/.test-results/test.json', green);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const both = { 'packages/lib/test': green, 'bench/test': green };
test.each([
  ['two green workspaces', both, ['test:0'], '10 passed, 0 failed, 4 skipped', 0],
  ['two rings are added up', { ...both, 'packages/lib/long': green }, ['test:0', 'long:0'], '15 passed, 0 failed, 6 skipped', 0],
  ['failed tests', { ...both, 'bench/test': { ...green, numFailedTests: 3 } }, ['test:1'], '10 passed, 3 failed, 4 skipped', 1],
  ['a suite that did not load', { ...both, 'bench/test': notLoaded }, ['test:1'], '5 passed, 1 failed, 2 skipped', 1],
  ['two rings of one command', { ...both, 'packages/lib/long': green }, ['test+long:0'], '15 passed, 0 failed, 6 skipped', 0],
  ['two rings, one of which wrote nothing', both, ['test+long:0'], '10 passed, 1 failed, 4 skipped', 1],
  ['two rings that timed out', { ...both, 'packages/lib/long': green }, ['test+long:124'], '15 passed, 1 failed, 6 skipped', 1],
  ['two rings, one of which nobody has', both, ['test+unit:0'], '10 passed, 1 failed, 4 skipped', 1],
  ['a ring that was left out', both, ['test:0', 'long:left-out'], '10 passed, 0 failed, 5 skipped', 0],
  ['a ring that timed out', { ...both, 'packages/lib/long': green }, ['long:124'], '5 passed, 1 failed, 2 skipped', 1],
  ['a ring that wrote nothing', {}, ['test:0'], '0 passed, 2 failed, 0 skipped', 1],
  ['a workspace that wrote nothing', { 'packages/lib/test': green }, ['test:0'], '5 passed, 1 failed, 2 skipped', 1],
  ['a workspace that wrote half a file', { ...both, 'bench/test': '{"numPassed' }, ['test:137'], '5 passed, 1 failed, 2 skipped', 1],
  ['a workspace without a single test', { ...both, 'bench/test': empty }, ['test:0'], '5 passed, 1 failed, 2 skipped', 1],
  ['the result of another ring', { ...both, 'bench/long': green }, ['test:0', 'long:0'], '10 passed, 1 failed, 4 skipped', 1],
  ['a ring that nobody has', both, ['test:0', 'unit:0'], '10 passed, 1 failed, 4 skipped', 1],
  ['green tests beside a red lint', both, ['test:1'], '10 passed, 1 failed, 4 skipped', 1],
])('%s', (_, files, args, said, code) => {
  for (const [name, content] of Object.entries(files)) write(name.replace(/(\w+)$/, '.test-results/$1.json'), content);
  const { stdout, status } = sum(args);
  expect({ last: stdout.trimEnd().split('\n').at(-1), status }).toEqual({ last: `tests: ${said}`, status: code });
});

test('a workspace that lost its script "test" fails by its name', () => {
  write('bench/package.json', {});
  write('packages/lib/.test-results/test.json', green);
  expect(sum(['test:0'])).toMatchObject({ status: 1, stdout: expect.stringContaining('the tests of bench did not run\n') });
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
  write('packages/lib/.test-results/test.json', green);
  write('bench/.test-results/test.json', { ...green, numFailedTests: 1, numRuntimeErrorTestSuites: 1, testResults });
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

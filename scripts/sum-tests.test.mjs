import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('./sum-tests.mjs', import.meta.url));
const green = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, numRuntimeErrorTestSuites: 0 };
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-sum-'));
  mkdirSync(join(folder, '.test-results'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['one green ring', { unit: green }, ['unit:0'], '5 passed, 0 failed, 2 skipped', 0],
  ['two rings are added up', { unit: green, long: green }, ['unit:0', 'long:0'], '10 passed, 0 failed, 4 skipped', 0],
  ['failed tests', { unit: { ...green, numFailedTests: 3 } }, ['unit:1'], '5 passed, 3 failed, 2 skipped', 1],
  ['a suite that did not load', { unit: { ...green, numRuntimeErrorTestSuites: 1 } }, ['unit:1'], '5 passed, 1 failed, 2 skipped', 1],
  ['a ring that was left out', { unit: green }, ['unit:0', 'long:left-out'], '5 passed, 0 failed, 3 skipped', 0],
  ['a ring that timed out', { unit: green }, ['unit:0', 'long:124'], '5 passed, 1 failed, 2 skipped', 1],
  ['a ring that wrote nothing', {}, ['unit:0'], '0 passed, 1 failed, 0 skipped', 1],
  ['a ring that wrote half a file', { unit: '{"numPassed' }, ['unit:137'], '0 passed, 1 failed, 0 skipped', 1],
  ['green tests beside a red lint', { unit: green }, ['unit:1'], '5 passed, 1 failed, 2 skipped', 1],
])('%s', (_, files, args, said, code) => {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, '.test-results', `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const { stdout, status } = sum(args);
  expect({ last: stdout.trimEnd().split('\n').at(-1), status }).toEqual({ last: `tests: ${said}`, status: code });
});

test.each([[[]], [['unit']], [['unit:green']]])('%j is a wrong command line', (args) => {
  expect(sum(args).status).toBe(2);
});

function sum(args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
}

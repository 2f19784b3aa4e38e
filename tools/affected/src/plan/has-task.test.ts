import { describe, expect, test } from '@jest/globals';
import { affectedOf } from '../gate/proof.fixture.js';
import { whyNoTests, withRootTask } from './has-task.js';

const reasonFor = (script: string): string | undefined =>
  whyNoTests({ name: 'app', path: 'packages/app', scripts: new Map([['test', script]]) }, 'test', new Map([['test', []]]));

describe('a script that runs no test', () => {
  test.each([
    'echo ok',
    'echo "no test; specified" && exit 0',
    "echo 'x; y' ; true",
    'exit 0; jest',
    'exit 0 # jest',
    'exit # jest',
    '# jest',
    'exit 0 || jest',
    'true || jest',
    ': || jest --ci && true',
    'echo ok || jest || vitest; exit 0',
    'true\nexit\njest',
    'jest --version',
    'npx vitest list && true',
    'cross-env A=1 mocha --dry-run',
    'playwright install',
    'node --version',
    'tsc --help',
  ])('%j', (script) => expect(reasonFor(script)).toBe(`Its script "test" runs nothing: ${script.trim()}`));
});

describe('a script that may run tests', () => {
  test.each([
    'jest',
    "echo 'x; exit; ' && jest",
    'echo "x && exit 0" ; jest',
    'echo a\\; exit 0; jest',
    'echo "$(jest)"',
    'echo "it\'s" it\'s; exit 0; jest',
    'true || echo ok && jest',
    'true || echo ok; jest',
    'echo ok # jest && jest',
    'echo a#b && jest',
    'echo a # b; exit 0\njest',
    'exit 1',
    'exit 0 | jest',
    'true | jest',
    'false || jest',
    'jest || true',
    'echo ok & jest',
    'jest --verbose',
    'vitest run --version-of x',
    'tool --version 2',
    'playwright install && playwright test',
    'yarn unit',
    'yarn workspace @acme/playwright run test',
    'npm --prefix ../playwright run test',
    'node scripts/playwright.js ci',
    'node tools/jest.js --init',
    'yarn playwright smoke',
    'playwright smoke',
  ])('%j', (script) => expect(reasonFor(script)).toBeUndefined());
});

test.each([
  ['yarn run idle', true],
  ['yarn a && npm run idle', true],
  ['yarn circle', false],
  ['yarn unit', false],
  ['vitest run idle', false],
  ['npm run framed', false],
  ['yarn --cwd ../e2e idle', false],
  ['yarn jest --version', true],
])('%s, which calls scripts, runs nothing: %p', (script, isIdle) => {
  const scripts = new Map(
    Object.entries({
      test: script,
      a: 'yarn idle',
      idle: 'jest --version',
      unit: 'jest',
      circle: 'yarn circle',
      framed: 'true',
      preframed: 'jest',
    }),
  );
  const why = whyNoTests({ name: 'app', path: 'packages/app', scripts }, 'test', new Map([['test', []]]));
  expect(why !== undefined).toBe(isIdle);
});

const root = { name: 'root', path: '', scripts: new Map([['test', 'jest']]) };
const app = { name: 'app', path: 'app', scripts: new Map([['test', 'jest']]) };
const withTask = { task: 'test', turboTasks: new Map([['//#test', []]]) };
const without = { task: 'test', turboTasks: new Map([['test', []]]) };

test('a task of the root runs where any workspace is affected', () => {
  const { workspaces } = withRootTask(affectedOf(['app']), [app, root], withTask);
  expect(workspaces.map(({ name, path }) => [name, path])).toEqual([
    ['root', '.'],
    ...affectedOf(['app']).workspaces.map(({ name, path }) => [name, path]),
  ]);
  expect(workspaces[0]?.reasons).toEqual([{ kind: 'always' }]);
});

test.each([
  ['nobody is affected', affectedOf([]), [app, root], withTask],
  ['turbo.json has no such task for the root', affectedOf(['app']), [app, root], without],
  ['the root has no such script', affectedOf(['app']), [app, { ...root, scripts: new Map() }], withTask],
  ['there is no root', affectedOf(['app']), [app], withTask],
])('it does not run where %s', (_, affected, workspaces, tasks) => {
  expect(withRootTask(affected, workspaces, tasks)).toBe(affected);
});

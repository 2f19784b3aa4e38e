import { describe, expect, test } from '@jest/globals';
import type { DeclaredInputs } from './task-inputs.js';
import { parseTurboInputs } from './turbo-inputs.js';

const ROOT = { tasks: { build: { inputs: ['src/**'] }, test: {}, 'app#test': { inputs: ['x'] }, '//#lint': { inputs: ['y'] } } };

function inputsOf(root: unknown, id: string, own?: string): DeclaredInputs {
  const files = own === undefined ? [] : [{ workspace: 'app', file: 'packages/app/turbo.json', text: own }];
  const [workspace = '', task = ''] = id.split('#');
  return parseTurboInputs(JSON.stringify(root), files).of(workspace, task);
}

test.each<[id: string, expected: DeclaredInputs]>([
  ['app#build', ['src/**']],
  ['app#test', ['x']],
  ['lib#test', []],
  ['//#lint', ['y']],
  // No workspace has the task, so nothing is hashed for it.
  ['lib#gen', 'unknown'],
])('the root says for %s: %j', (id, expected) => expect(inputsOf(ROOT, id)).toEqual(expected));

describe('beside a package', () => {
  const own = (tasks: unknown, more = {}): string => `// comment\n${JSON.stringify({ extends: ['//'], tasks, ...more })}`;

  test.each<[title: string, text: string, id: string, expected: DeclaredInputs]>([
    ['inputs take the place of those of the root', own({ build: { inputs: ['lib/**'] } }), 'app#build', ['lib/**']],
    ['an empty list brings all files back', own({ build: { inputs: [] } }), 'app#build', []],
    ['other keys leave them', own({ build: { outputs: ['x'] } }), 'app#build', ['src/**']],
    ['the entry of the root for the package is inherited', own({ test: { outputs: ['x'] } }), 'app#test', ['x']],
    ['they may be added to', own({ build: { inputs: ['$TURBO_EXTENDS$', 'y'] } }), 'app#build', ['src/**', 'y']],
    ['there may be nothing to add to', own({ e2e: { inputs: ['$TURBO_EXTENDS$', 'y'] } }), 'app#e2e', 'unknown'],
    ['a task may stand there alone', own({ e2e: {} }), 'app#e2e', []],
    ['a task may stand there alone, with inputs', own({ e2e: { inputs: ['y'] } }), 'app#e2e', ['y']],
    ['other workspaces do not see it', own({ e2e: {} }), 'lib#e2e', 'unknown'],
    ['without `extends` nothing is known', JSON.stringify({ tasks: { build: {} } }), 'app#test', 'unknown'],
    ['so too with another place to inherit from', own({}, { extends: ['//', 'lib'] }), 'app#build', 'unknown'],
    ['and where a task begins anew', own({ build: { extends: false } }), 'app#build', 'unknown'],
  ])('%s', (_, text, id, expected) => expect(inputsOf(ROOT, id, text)).toEqual(expected));
});

test.each<[title: string, root: unknown, expected: DeclaredInputs]>([
  ['a text in place of a list', { tasks: { test: { inputs: 'src/**' } } }, 'unknown'],
  ['an object in the list', { tasks: { test: { inputs: [{}] } } }, 'unknown'],
  ['turborepo 1', { pipeline: { test: { inputs: ['src/**'] } } }, 'unknown'],
  ['turborepo 1 without inputs', { pipeline: { test: {} } }, []],
  [
    'inputs for all tasks',
    { global: { inputs: ['x', '!y'] }, tasks: { test: {} } },
    ['$TURBO_DEFAULT$', '$TURBO_ROOT$/x', '!$TURBO_ROOT$/y'],
  ],
  ['inputs for all beside those of a task', { global: { inputs: ['x'] }, tasks: { test: { inputs: ['z'] } } }, ['z', '$TURBO_ROOT$/x']],
  ['inputs for all that are no list', { global: { inputs: 5 }, tasks: { test: {} } }, 'unknown'],
])('%s', (_, root, expected) => expect(inputsOf(root, 'app#test')).toEqual(expected));

test.each<[root: unknown, own: string | undefined, areWhole: boolean]>([
  [{ tasks: { test: {} } }, undefined, true],
  [ROOT, undefined, false],
  [{ tasks: { test: {} } }, '{"extends":["//"],"tasks":{"test":{"dependsOn":[]}}}', true],
  [{ tasks: { test: {} } }, '{"extends":["//"],"tasks":{"test":{"inputs":["x"]}}}', false],
  [{ tasks: { test: {} } }, '{"extends":["//"],"tasks":{"gen":{}}}', false],
  [{ tasks: { test: {} } }, '{}', false],
  [{ global: { inputs: ['!x'] }, tasks: { test: {} } }, undefined, false],
])('%j with %s: each task hashes all files: %s', (root, own, areWhole) => {
  const files = own === undefined ? [] : [{ workspace: 'app', file: 'packages/app/turbo.json', text: own }];
  expect(parseTurboInputs(JSON.stringify(root), files).areWhole).toBe(areWhole);
});

import { expect, it } from '@jest/globals';
import { isApart } from './script-kinds.js';

it.each([
  'lint',
  'lint:fix',
  'format',
  'docs',
  'build:docs',
  'start:web',
  'release',
  'version',
  'storybook',
  'changelog:validate',
  'clean',
])('%s is apart from tests', (script) => {
  expect(isApart(script, 'test')).toBe(true);
  expect(isApart(script, 'build')).toBe(true);
});

it.each(['test', 'build', 'test:docs', 'docs:test', 'ci:docs', 'generate', 'postinstall', 'prepare', 'codegen', 'lint:test', 'x'])(
  '%s may take part in tests',
  (script) => {
    expect(isApart(script, 'test')).toBe(false);
  },
);

it.each(['lint', 'format', 'other'] as const)('nothing is apart from tasks of the kind %s', (kind) => {
  expect(isApart('lint', kind)).toBe(false);
});

import { expect, it } from '@jest/globals';
import { isApart, isOfRelease } from './script-kinds.js';

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

it.each(['clean', 'clean:dist', 'publish', 'release:minor', 'version', 'licenses'])('%s is for a release, or tidies up', (script) => {
  expect(isOfRelease(script)).toBe(true);
});

it.each(['lint', 'docs', 'start', 'release:test', 'build:release', 'ci:clean', 'prepublishOnly', 'postinstall', 'cleaner', 'x'])(
  '%s may be run for a task',
  (script) => {
    expect(isOfRelease(script)).toBe(false);
  },
);

it('a script that begins with the name of a linter lints, unless it also tests or builds', () => {
  expect(
    ['lint:tsconfigs', 'format:docs', 'lint:test', 'lint-build', 'test:lint', 'lint:ci'].map((script) => isApart(script, 'test')),
  ).toEqual([true, true, false, false, false, true]);
});

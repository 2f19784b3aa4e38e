import { expect, test } from '@jest/globals';
import { mayHoldMore } from './deeper-patterns.js';

test.each<[patterns: readonly string[], folder: string, expected: boolean]>([
  [['packages/*'], 'packages/a', false],
  [['packages/*'], '', true],
  [['packages/**'], 'packages/a', true],
  [['**'], 'packages/a', true],
  [['packages/*', 'packages/*/*'], 'packages/a', true],
  [['packages/a/*'], 'packages/a', true],
  [['packages/b/*'], 'packages/a', false],
  [['./packages/*/plugins/*'], 'packages/a', true],
  [['{apps,packages}/*/*'], 'packages/a', true],
  [['test/esm', 'test/runtime/*'], 'packages/a', false],
  [['packages/a/'], 'packages/a', false],
])('%j below "%s": %s', (workspaces, folder, expected) => {
  expect(mayHoldMore(JSON.stringify({ workspaces }), [folder])).toBe(expected);
  expect(mayHoldMore(JSON.stringify({ workspaces: { packages: workspaces } }), [folder])).toBe(expected);
});

test('one of several folders is enough', () => {
  const manifest = JSON.stringify({ workspaces: ['packages/*', 'packages/a/*'] });
  expect(mayHoldMore(manifest, ['packages/b', 'packages/a'])).toBe(true);
  expect(mayHoldMore(manifest, ['packages/b', 'packages/c'])).toBe(false);
  expect(mayHoldMore(manifest, [])).toBe(false);
  expect(mayHoldMore(manifest, ['packages/b', undefined])).toBe(true);
});

test('of a manifest that cannot be read everything is possible', () => {
  expect([mayHoldMore('{', ['a']), mayHoldMore(undefined, ['a']), mayHoldMore('{}', ['a'])]).toEqual([true, false, false]);
});

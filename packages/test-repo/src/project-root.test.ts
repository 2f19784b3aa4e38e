import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { findProjectRoot, yarnClassic, yarnRelease } from './project-root.js';

test('the root is found from below, with its Yarns', () => {
  const root = findProjectRoot(dirname(fileURLToPath(import.meta.url)));
  expect(findProjectRoot()).toBe(root);
  expect([yarnRelease(root), yarnClassic(root)].map((file) => existsSync(file))).toEqual([true, true]);
});

test('outside of the project it is an error', () => {
  expect(() => findProjectRoot('/')).toThrow('/ is not inside the project "tributary".');
});

import { expect, test } from '@jest/globals';
import type { Member } from '@tributary/workspaces/dependency-graph';
import { findMember } from './why.js';

const members = [
  { name: 'shop', path: '' },
  { name: '@shop/ui', path: 'packages/ui' },
] as Member[];

test.each([
  ['@shop/ui', '@shop/ui'],
  ['packages/ui', '@shop/ui'],
  ['packages/ui/', '@shop/ui'],
  ['./packages/ui', '@shop/ui'],
  ['.\\packages\\ui\\', '@shop/ui'],
  ['shop', 'shop'],
  ['.', 'shop'],
  ['./', 'shop'],
  ['/', undefined],
  ['/packages/ui', undefined],
  ['ui', undefined],
  ['../packages/ui', undefined],
])('%s stands for %s', (name, expected) => {
  expect(findMember({ members }, name)?.name).toBe(expected);
});

import { expect, test } from '@jest/globals';
import { fromRoot } from './describe-trace.js';

test.each<[root: string, path: string, separator: string, from: string]>([
  ['/mono', '/mono', '/', ''],
  ['/mono', '/mono/packages/a', '/', 'packages/a'],
  ['/mono', '/mono/a\\b', '/', 'a\\b'],
  ['/mono', '/monorail/a', '/', '/monorail/a'],
  ['C:\\mono', 'C:\\mono\\packages\\a', '\\', 'packages/a'],
  ['C:\\mono', 'C:\\monorail\\a', '\\', 'C:\\monorail\\a'],
  ['D:\\', 'D:\\packages\\a', '\\', 'packages/a'],
])('from %p, %p (with %p) is %p', (root, path, separator, from) => {
  expect(fromRoot(root, path, separator)).toBe(from);
});

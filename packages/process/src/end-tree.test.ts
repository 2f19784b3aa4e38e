import { expect, test } from '@jest/globals';
import { treeKiller } from './end-tree.js';

test('Windows alone has a program for it, which ends all that was started', () => {
  expect(treeKiller(417, 'win32')).toEqual(['taskkill', '/pid', '417', '/t', '/f']);
  for (const platform of ['linux', 'darwin'] as const) expect(treeKiller(417, platform)).toBeUndefined();
});

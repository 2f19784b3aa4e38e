import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { TempFolder } from './temp-folder.js';

const cleanUp = cleanUpIn(afterEach);

test('a folder is new, its path is the real one, and it goes away with its content', () => {
  const folder = cleanUp.add(new TempFolder());
  expect(folder.path).toBe(realpathSync(folder.path));
  expect(folder.path).not.toBe(cleanUp.add(new TempFolder()).path);
  expect(readFileSync(folder.write('deep/er/file', 'x'), 'utf8')).toBe('x');
  folder.dispose();
  expect(existsSync(folder.path)).toBe(false);
  folder.dispose();
});

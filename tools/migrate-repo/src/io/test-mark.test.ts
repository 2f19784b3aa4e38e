import { cpSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { testMark } from './test-mark.js';

const cleanUp = cleanUpIn(afterEach);

test('a folder keeps its mark, and neither another repository at the same path nor a copy at another path has it', () => {
  const folder = cleanUp.add(new TempFolder());
  const mark = testMark(folder.path);
  expect(mark).toMatch(/^TRIBUTARY_TESTS=[0-9a-f]{24}$/);
  expect(testMark(folder.path)).toBe(mark);
  const copy = cleanUp.add(new TempFolder());
  cpSync(folder.path, copy.path, { recursive: true });
  expect(testMark(copy.path)).not.toBe(mark);
  folder.write('mark', 'PATH=/usr/bin');
  expect(testMark(folder.path)).toMatch(/^TRIBUTARY_TESTS=[0-9a-f]{24}$/);
  expect(testMark(folder.path)).not.toBe(mark);
});

import { chmodSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { openSourceTests } from './source-tests.js';
import type { TestSettings } from './test-steps.js';

const cleanUp = cleanUpIn(afterEach);
const NOBODY = 65_534;

test('files that cannot be removed do not end the comparison', () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('before/a/locked/file', '');
  chmodSync(folder.join('before/a/locked'), 0o555);
  const { close } = openSourceTests({ work: parseAbsolutePath(folder.path) } as TestSettings, []);
  const isRoot = process.geteuid?.() === 0;
  try {
    // Permissions do not stop root.
    if (isRoot) process.seteuid?.(NOBODY);
    expect(() => close('a')).not.toThrow();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder.join('before/a/locked'), 0o755);
  }
});

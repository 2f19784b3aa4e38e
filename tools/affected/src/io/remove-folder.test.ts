import { chmodSync, chownSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { removeFolder } from './remove-folder.js';

const cleanUp = cleanUpIn(afterEach);
const NOBODY = 65_534;

/** Permissions do not stop root, so root becomes somebody else. */
function asUser(folder: TempFolder, names: readonly string[], work: () => void): void {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) for (const name of names) chownSync(folder.join(name), NOBODY, NOBODY);
  try {
    if (isRoot) process.seteuid?.(NOBODY);
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a folder that nobody may write is removed, and what a link leads to stays', () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('outside/file', 'x');
  folder.write('copy/locked/deep/file', '');
  symlinkSync('../../outside', folder.join('copy/locked/link'));
  chmodSync(folder.join('copy/locked/deep'), 0o500);
  chmodSync(folder.join('copy/locked'), 0o500);
  chmodSync(folder.path, 0o777);
  asUser(folder, ['copy', 'copy/locked', 'copy/locked/deep'], () => expect(removeFolder(folder.join('copy'))).toBeUndefined());
  expect(existsSync(folder.join('copy'))).toBe(false);
  expect(readFileSync(folder.join('outside/file'), 'utf8')).toBe('x');
});

test('a folder that cannot be removed is no error, but a reason', () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('copy/file', '');
  chmodSync(folder.path, 0o555);
  cleanUp.defer(() => chmodSync(folder.path, 0o755));
  asUser(folder, ['copy'], () => expect(removeFolder(folder.join('copy'))).toMatch(/EACCES|permission denied/i));
});

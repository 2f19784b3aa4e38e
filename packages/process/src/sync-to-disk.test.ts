import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { syncFile, syncFolder } from './sync-to-disk.js';

const folder = cleanUpIn(afterAll).add(new TempFolder());

test('a file keeps its content', () => {
  folder.write('file', 'content');
  syncFile(folder.join('file'));
  expect(readFileSync(folder.join('file'), 'utf8')).toBe('content');
});

test('a folder is opened everywhere but on Windows, which would refuse', () => {
  const missing = folder.join('missing');
  expect(() => syncFolder(folder.path, 'linux')).not.toThrow();
  for (const platform of ['linux', 'darwin'] as const) expect(() => syncFolder(missing, platform)).toThrow('ENOENT');
  expect(() => syncFolder(missing, 'win32')).not.toThrow();
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type Cache, openCache } from './cache.js';

const cleanUp = cleanUpIn(afterEach);

const OWN = { declared: ['a'] };

function open(gitDir: AbsolutePath, version: string, keep = 0): Cache<typeof OWN> {
  return openCache(gitDir, 'what', { version, keep });
}

/** Returns a git directory with one entry for `key`, and its file. */
function kept(): { readonly gitDir: AbsolutePath; readonly file: string } {
  const folder = cleanUp.add(new TempFolder());
  const gitDir = folder.path as AbsolutePath;
  const cache = open(gitDir, '1');
  cache.add('key', OWN);
  cache.save();
  return { gitDir, file: join(gitDir, 'tributary/what.json') };
}

test('what was kept is found again, and what was not used is dropped when something is added', () => {
  const { gitDir } = kept();
  expect(open(gitDir, '1').get('key')).toEqual(OWN);
  const later = open(gitDir, '1');
  later.add('other', OWN);
  later.save();
  const last = open(gitDir, '1');
  expect([last.get('key'), last.get('other')]).toEqual([undefined, OWN]);
});

test('of what was not used, some entries may stay', () => {
  const { gitDir } = kept();
  for (const key of ['second', 'third']) {
    const cache = open(gitDir, '1', 1);
    cache.add(key, OWN);
    cache.save();
  }
  expect(['key', 'second', 'third'].map((key) => open(gitDir, '1').get(key) !== undefined)).toEqual([false, true, true]);
});

test('nothing is found by another version, nor without one', () => {
  const { gitDir } = kept();
  expect(open(gitDir, '2').get('key')).toBeUndefined();
  expect(open(gitDir, '').get('key')).toBeUndefined();
});

test.each<readonly [what: string, damage: (text: string) => string]>([
  ['cut off', (text) => text.slice(0, -1)],
  ['changed', (text) => text.replace('"a"', '"b"')],
  ['empty', () => ''],
  ['no JSON', () => 'a\nb'],
  ['a name that every object has', (text) => text.replace('key', '__proto__')],
])('a file that is %s counts as missing', (_, damage) => {
  const { gitDir, file } = kept();
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  expect(open(gitDir, '1').get('key')).toBeUndefined();
});

test('a folder that cannot be written is no error', () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('tributary', 'a file');
  const cache = open(folder.path as AbsolutePath, '1');
  cache.add('key', OWN);
  expect(() => cache.save()).not.toThrow();
  expect(cache.get('key')).toEqual(OWN);
});

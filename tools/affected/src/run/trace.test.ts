import { dirname } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { sortRead } from './trace.js';

const cleanUp = cleanUpIn(afterAll);

test('a temporary file from before the run is a cache, unless it is beside a program of PATH', () => {
  const temporary = cleanUp.add(new TempFolder());
  const program = temporary.write('bin/node', '');
  const cache = temporary.write('jest/transformed.js', '');
  const checkout = { root: temporary.join('repo'), tracked: new Set<string>(), startedAt: Date.now() + 60_000, isForeign: () => true };
  const gapsOf = (file: string): readonly string[] => sortRead([file], { ...checkout, programs: [dirname(program)] }).gaps;
  expect(gapsOf(program)).toEqual([]);
  expect(gapsOf(cache)).toEqual([`It read a cache of an earlier run, and may have read fewer files: ${cache}. Delete the cache first.`]);
});

import { expect, test } from '@jest/globals';
import { textAsName } from '@tributary/git/tree';
import type { CommitId } from '@tributary/model/ids';
import { sourceWarnings } from './source-warnings.js';

const NOTHING = { name: 'lib', faults: [], paths: ['packages/lib/index.js'], apart: [] };

test('nothing to be afraid of is nothing to say', () => {
  expect(sourceWarnings(NOTHING)).toEqual([]);
});

test('paths, with their number and three of them', () => {
  const paths = ['a/con', 'a/x:y', 'a/x?', 'a/end.', 'a/README', 'a/readme', textAsName('a/é'), textAsName('a/e\u0301')];
  expect(sourceWarnings({ ...NOTHING, paths })).toEqual([
    'Windows cannot check out 4 paths of lib: a/con, a/end., a/x:y, ….',
    'On file systems that ignore case or the form of accents (Windows, macOS), 2 paths of lib are not unique: a/README and a/readme, a/e\u0301 and a/é.',
  ]);
  expect(sourceWarnings({ ...NOTHING, paths: ['a/new\nline'] })).toEqual(['Windows cannot check out 1 path of lib: a/new\\nline.']);
});

test('tags that keep their names in full', () => {
  const apart = [{ name: 'v1.2.0', newName: 'lib@v1.2.0', id: '1'.repeat(40) as CommitId }];
  expect(sourceWarnings({ ...NOTHING, apart })).toEqual([
    '1 tag of lib would have the same name as another one on a different commit, and got another: v1.2.0 is lib@v1.2.0.',
  ]);
});

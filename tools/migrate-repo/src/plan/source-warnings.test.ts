import { expect, test } from '@jest/globals';
import { textAsName } from '@tributary/git/tree';
import type { CommitId } from '@tributary/model/ids';
import { sourceWarnings } from './source-warnings.js';

const NOTHING = {
  name: 'lib',
  faults: [],
  paths: ['packages/lib/index.js'],
  apart: [],
  twins: [],
  unversioned: [],
  large: [],
  missingLfs: [],
};

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

test('tags that another one on their commit replaces', () => {
  const twins = [{ name: '1.2.0', newName: 'lib@1.2.0', id: '1'.repeat(40) as CommitId }];
  expect(sourceWarnings({ ...NOTHING, twins })).toEqual([
    '1 tag of lib would have the same name as another one on the same commit, and is left out: 1.2.0 as lib@1.2.0.',
  ]);
});

test('tags without a package.json', () => {
  const unversioned = [{ name: 'v1.2.0', newName: 'lib@1.2.0', id: '1'.repeat(40) as CommitId }];
  expect(sourceWarnings({ ...NOTHING, unversioned })).toEqual([
    '1 tag of lib names a version at a commit without a package.json: v1.2.0 is lib@1.2.0.',
  ]);
});

test('large files and missing content anywhere in the history', () => {
  const MiB = 1024 * 1024;
  const large = [
    { path: 'big.bin', size: 110 * MiB },
    { path: 'edge.bin', size: 100 * MiB },
    { path: 'some.bin', size: 60 * MiB },
  ];
  expect(sourceWarnings({ ...NOTHING, large, missingLfs: ['model.dat'] })).toEqual([
    expect.stringMatching(
      /^The history of lib has 1 file over 100 MiB, so GitHub .* of a branch or tag that has them.* git filter-repo .*: big\.bin \(110 MiB\)\.$/,
    ),
    'The history of lib has 2 files over 50 MiB, which GitHub warns about: edge.bin (100 MiB), some.bin (60 MiB).',
    expect.stringMatching(
      /^The history of lib has 1 file in Git LFS whose content is not in the monorepo, .*: model\.dat\. .*git lfs fetch --all/,
    ),
  ]);
});

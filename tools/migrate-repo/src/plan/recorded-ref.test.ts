import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { recordedRef, refToFetch } from './recorded-ref.js';

const id = '1'.repeat(40) as ObjectId;
const heads = (...names: string[]): { ref: string; id: ObjectId }[] => names.map((name) => ({ ref: `refs/heads/${name}`, id }));
const MAIN = { sourceRef: 'refs/heads/main' };

test.each([
  [
    'the recorded branch',
    MAIN,
    [{ ref: 'HEAD', id, target: 'refs/heads/trunk' }, ...heads('main', 'trunk')],
    { ref: 'refs/heads/main', state: 'recorded' },
  ],
  [
    'the default branch in its place',
    MAIN,
    [{ ref: 'HEAD', id, target: 'refs/heads/trunk' }, ...heads('trunk')],
    { ref: 'refs/heads/trunk', state: 'renamed' },
  ],
  ['a HEAD that is on no branch', MAIN, [{ ref: 'HEAD', id }, ...heads('x')], { ref: 'HEAD', state: 'renamed' }],
  [
    'a recorded HEAD',
    { sourceRef: 'HEAD' },
    [{ ref: 'HEAD', id, target: 'refs/heads/main' }, ...heads('main')],
    { ref: 'HEAD', state: 'recorded' },
  ],
  ['nothing, where nothing is left', MAIN, heads('x'), undefined],
  ['nothing of an empty source', MAIN, [], undefined],
] as const)('%s is asked', (_title, record, announced, expected) => {
  expect(recordedRef(record, announced)).toEqual(expected);
});

test('a branch that a person names must be there', () => {
  const source = { url: parseRepoUrl('https://example.com/pad', parseAbsolutePath), announced: heads('main', 'trunk') };
  expect(refToFetch(MAIN, source, 'trunk')).toEqual({ ref: 'refs/heads/trunk', state: 'chosen' });
  expect(() => refToFetch(MAIN, source, 'gone')).toThrow(
    expect.objectContaining({
      code: 'SOURCE_BRANCH_MISSING',
      message: 'https://example.com/pad has no branch gone.',
      hint: 'Choose one with --source-branch: main, trunk.',
    }),
  );
  expect(() => refToFetch(MAIN, { ...source, announced: [] }, undefined)).toThrow(
    expect.objectContaining({ message: 'https://example.com/pad has no branch main, and no default branch.' }),
  );
});

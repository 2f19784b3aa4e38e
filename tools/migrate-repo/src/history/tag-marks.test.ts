import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { compareTags, digestTags, markTags } from './tag-marks.js';

const id = (digit: string): ObjectId => digit.repeat(40) as ObjectId;
const tag = (name: string, digit: string) => ({ name, id: id(digit) });

test('the tags that came are told from moved ones and from all others, in any order', () => {
  const came = [tag('foo@1.0.0', '1'), tag('foo@1.1.0', '2')];
  const marks = markTags(came);
  expect(markTags([...came].reverse())).toBe(marks);
  expect(compareTags(marks, [tag('foo-bar@1.0.0', '1'), came[1] ?? tag('', '0'), tag('foo@1.0.0', '3'), tag('foo@1.0.1', '1')])).toEqual({
    came: [came[1]],
    moved: [tag('foo@1.0.0', '3')],
  });
});

test('without tags there are no marks, and nothing came', () => {
  expect(markTags([])).toBe('');
  expect(compareTags('', [tag('foo@1.0.0', '1')])).toEqual({ came: [], moved: [] });
});

test('the digest of tags is the same only for the same tags, in any order', () => {
  const tags = [tag('v1', '1'), tag('v2', '2')];
  const digest = digestTags(tags);
  expect(digest).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(digestTags([...tags].reverse())).toBe(digest);
  for (const others of [
    [],
    [tag('v1', '1')],
    [...tags, tag('v3', '2')],
    [tag('v1', '1'), tag('v2', '1')],
    [tag('v1', '1'), tag('v3', '2')],
  ])
    expect(digestTags(others)).not.toBe(digest);
});

import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { compareTags, markTags } from './tag-marks.js';

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

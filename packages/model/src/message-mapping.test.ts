import { expect, test } from '@jest/globals';
import { formatMessageMapping, isRepositoryName, type MessageMapping, parseMessageMapping } from './message-mapping.js';

const texts: readonly (readonly [string, MessageMapping])[] = [
  ['exact', 'exact'],
  ['qualified', { repository: undefined }],
  ['qualified acme/ui', { repository: { name: 'acme/ui', forge: 'other' } }],
  ['qualified acme/group/ui on gitlab', { repository: { name: 'acme/group/ui', forge: 'gitlab' } }],
];

test.each(texts)('%j', (text, mapping) => {
  expect(formatMessageMapping(mapping)).toBe(text);
  expect(parseMessageMapping(text)).toEqual(mapping);
});

test.each([
  '',
  'Exact',
  'qualified ',
  'qualified ui',
  'qualified acme/ui ',
  'qualified acme/ui on github',
  'qualified acme/ü',
  'exact acme/ui',
])('%j is none', (text) => {
  expect(parseMessageMapping(text)).toBeUndefined();
});

test('a name has an owner, and no character that ends a reference', () => {
  expect(['a/b', 'a.b/c-d_e', 'a/b/c'].every(isRepositoryName)).toBe(true);
  expect(['', 'a', '/a', 'a/', 'a//b', 'a b/c', 'a/b#1', 'a/b\n', `${'a'.repeat(250)}/b`].some(isRepositoryName)).toBe(false);
});

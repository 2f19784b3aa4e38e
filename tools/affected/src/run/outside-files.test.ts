import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { TrackedFile } from '../io/tracked-files.js';
import { markOutside } from './outside-files.js';

const mark = (files: Readonly<Record<string, string>>): string => {
  const tracked = Object.entries(files).map(([path, id]): TrackedFile => ({ path: path as RepoPath, kind: 'file', id: id as ObjectId }));
  return markOutside(tracked, ['', 'packages/a', 'packages/a/nested'], (path) =>
    path.endsWith('.md') ? { affects: 'none', rule: '*.md', source: 'built-in' } : undefined,
  );
};

test('it is another one for another file outside of all workspaces, and for nothing else', () => {
  const one = mark({ 'data.json': '1', 'packages/a/x.js': '1', 'packages/a/nested/deep/y.js': '1', 'README.md': '1' });
  expect(mark({ 'data.json': '1', 'packages/a/x.js': '2', 'packages/a/z.js': '1', 'README.md': '2' })).toBe(one);
  const others = [{ 'data.json': '2' }, { 'other.json': '1' }, {}, { 'data.json': '1', 'packages/ab/x.js': '1' }].map(mark);
  expect(new Set([one, ...others]).size).toBe(5);
});

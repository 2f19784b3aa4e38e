import { expect, test } from '@jest/globals';
import { parseTurboHashes } from './turbo-hashes.js';

const task = (taskId: string, files: readonly string[], dependencies: readonly string[] = []): unknown => ({
  taskId,
  directory: taskId.startsWith('//') ? '' : `packages/${taskId[0]}`,
  inputs: Object.fromEntries(files.map((file) => [file, 'hash'])),
  dependencies,
});
const DOCUMENT = {
  globalCacheInputs: { files: { 'tsconfig.json': 'hash' } },
  tasks: [task('a#build', ['src/x.ts']), task('b#test', ['t.js', '../../data.json'], ['a#build']), task('//#test', ['turbo.json'])],
};

test.each<[id: string, files: readonly string[], missing: string | undefined]>([
  ['b#test', ['packages/b/t.js', 'data.json', 'packages/a/src/x.ts', 'tsconfig.json'], undefined],
  ['b#test', ['packages/b/t.js', 'packages/a/data.json'], 'packages/a/data.json'],
  ['a#build', ['packages/b/t.js'], 'packages/b/t.js'],
  ['//#test', ['turbo.json', 'tsconfig.json'], undefined],
  ['c#test', ['packages/c/x'], 'packages/c/x'],
])('of %s and what runs before it, turborepo hashes all of %j but %s', (id, files, missing) => {
  expect(parseTurboHashes(JSON.stringify(DOCUMENT))?.firstMissing(id, files)).toBe(missing);
});

test.each([
  '',
  'no JSON',
  '{',
  '[]',
  '{}',
  '{"tasks":{}}',
  '{"tasks":[{}]}',
  '{"tasks":[{"taskId":"a#b","directory":"a","inputs":[],"dependencies":[]}]}',
])('nothing is known from %j', (text) => expect(parseTurboHashes(text)).toBeUndefined());

test('on Windows turborepo names folders with backslashes, and files with slashes', () => {
  const directory = 'packages\\b';
  const windows = { ...DOCUMENT, tasks: DOCUMENT.tasks.map((one) => ({ ...(one as object), directory })) };
  expect(parseTurboHashes(JSON.stringify(windows))?.firstMissing('b#test', ['packages/b/t.js', 'data.json'])).toBeUndefined();
});

import { posix, win32 } from 'node:path';
import { expect, test } from '@jest/globals';
import { missingFrom, proofOf, readProof, type WatchProof } from './watched-task.js';

const READ: WatchProof = { outside: 'f0', runtime: undefined, unheeded: 0, tests: undefined, isPartial: false };
const proof = (hash: string, more: Partial<WatchProof> = {}): string => proofOf(hash, { ...READ, ...more });

test.each<[log: string, read: WatchProof | undefined]>([
  ['', undefined],
  [proof('other'), undefined],
  ['affected: nothing is missing in the reports of h', undefined],
  [`a\n${proof('h')}\n`, READ],
  [`a\n${proof('h', { runtime: 'linux-x64-node22' })}\n`, { ...READ, runtime: 'linux-x64-node22' }],
  [`a\n${proof('h', { runtime: 'win32-arm64-node24', unheeded: 3 })}\n`, { ...READ, runtime: 'win32-arm64-node24', unheeded: 3 }],
  // Some other word is no runtime.
  [`a\n${proof('h', { runtime: 'anywhere' })}\n`, READ],
  [`a\n${proof('h', { unheeded: 3 })}\n`, { ...READ, unheeded: 3 }],
  [`a\n${proof('h', { tests: 0 })}\n`, { ...READ, tests: 0 }],
  [`a\n${proof('h', { isPartial: true })}\n`, { ...READ, isPartial: true }],
  [`app:test: ${proof('h', { unheeded: 12, tests: 30, isPartial: true })}\r\nmore`, { ...READ, unheeded: 12, tests: 30, isPartial: true }],
  // What a test prints cannot make less of the last word.
  [`${proof('h', { unheeded: 1 })}\n${proof('h', { unheeded: 2 })}`, { ...READ, unheeded: 2 }],
])('%j proves %j', (log, read) => expect(readProof(log, 'h')).toEqual(read));

test('a named file ran, however the runner writes it on Windows', () => {
  const named = ['D:\\mono\\packages\\a\\x.test.ts', 'D:\\mono\\packages\\a\\y.test.ts'];
  expect(missingFrom(['D:/mono/packages/a/x.test.ts', 'd:\\mono\\packages\\a\\y.test.ts'], named, win32)).toEqual([]);
  expect(missingFrom(['D:/mono/packages/a/x.test.ts'], named, win32)).toEqual([named[1]]);
});

test('elsewhere another case, or a backslash, is another file', () => {
  expect(missingFrom(['/mono/x.test.ts'], ['/mono/X.test.ts', '/mono/x.test.ts'], posix)).toEqual(['/mono/X.test.ts']);
  expect(missingFrom(['/mono/a\\x.test.ts'], ['/mono/a/x.test.ts'], posix)).toEqual(['/mono/a/x.test.ts']);
});

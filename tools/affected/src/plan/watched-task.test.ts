import { posix, win32 } from 'node:path';
import { expect, test } from '@jest/globals';
import { missingFrom, type Proof, proofOf, readProof } from './watched-task.js';

const proof = (hash: string, unheeded = 0): string => proofOf(hash, { outside: 'f0', unheeded });

test.each<[log: string, read: Proof | undefined]>([
  ['', undefined],
  [proof('other'), undefined],
  ['affected: nothing is missing in the reports of h', undefined],
  [`a\n${proof('h')}\n`, { outside: 'f0', unheeded: 0 }],
  [`a\n${proof('h', 3)}\n`, { outside: 'f0', unheeded: 3 }],
  [`app:test: ${proof('h', 12)}\r\nmore`, { outside: 'f0', unheeded: 12 }],
  // What a test prints cannot make less of the last word.
  [`${proof('h', 1)}\n${proof('h', 2)}`, { outside: 'f0', unheeded: 2 }],
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

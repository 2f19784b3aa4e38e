import { expect, test } from '@jest/globals';
import { LOCK_HEAD, parseLock } from '../testing/lock-text.js';
import { boundKeys } from './bound.js';
import { LaidLock } from './laid-lock.js';
import { readLockMembers } from './members.js';
import { scanMembers } from './scanned-members.js';

const TEXT = parseLock('root: a ^1\na@^1 = 1.0.0:');

function laid(text: string): LaidLock {
  const bytes = Buffer.from(text);
  const lock = LaidLock.ofSize(bytes.length);
  if (lock === undefined) throw new Error('there is no room');
  lock.bytes().set(bytes);
  return lock;
}

test('what was laid as bytes can be had as a text', () => {
  expect(laid('é\ufeff€').text).toBe('é\ufeff€');
  expect(laid(TEXT).text).toBe(TEXT);
  expect(laid('').text).toBe('');
});

test('a text is laid if it is of ASCII alone', () => {
  expect(LaidLock.of(TEXT)?.text).toBe(TEXT);
  expect(LaidLock.of(`${TEXT}é`)).toBe(undefined);
});

test('there is no room for more than the machine code can look at', () => {
  expect(LaidLock.ofSize(1 << 27)).toBe(undefined);
});

test('its text is the same when it has been scanned', () => {
  const lock = laid(TEXT);
  expect(scanMembers(lock)?.source.text).toBe(TEXT);
});

test('it is scanned once; who reads it again gets the same answer without', () => {
  const lock = laid(TEXT);
  expect(laid(TEXT).take()).not.toBe(undefined);
  const first = readLockMembers(lock);
  expect(lock.take()).toBe(undefined);
  expect(scanMembers(lock)).toBe(undefined);
  const second = readLockMembers(lock);
  expect(first.kind === 'berry' && first.graph.members).toEqual(second.kind === 'berry' && second.graph.members);
});

test.each([
  ['\n  linkType: hard\n', true],
  ['\n  linkType: soft', true],
  [`\n  linkType: soft${'\n'.repeat(100)}`, true],
  [`${'x'.repeat(1000)}\n  linkType: soft\n`, true],
  ['\n  linkType: soft\n  x: y\n', false],
  ['\n  linkType: firm\n', false],
  ['', false],
])('whether %j ends with an entry: %j', (text, expected) => {
  expect(laid(text).endsWithEntry()).toBe(expected);
});

test.each([
  '',
  '=',
  'checksum: a=b',
  '"a@link:../a::locator=app%40workspace%3Aapp":\n',
  'x=y\n"a@link:../a::locator=app%40workspace%3Aapp, b@link:../b::locator=app%40workspace%3Aapp":\n=',
  '"a@patch:a@npm%3A1#./x.patch::version=1&hash=0&locator=app%40workspace%3Aapp":\n',
])('the bound keys are those of the text: %j', (line) => {
  const text = `${LOCK_HEAD}\n${line}`;
  expect(laid(text).boundKeys()).toEqual(boundKeys(text));
});

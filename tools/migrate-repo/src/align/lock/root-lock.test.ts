import { expect, test } from '@jest/globals';
import { BERRY_3, BERRY_4, CLASSIC } from './old-lock.fixture.js';
import { readRootLock } from './root-lock.js';

test.each([BERRY_3, BERRY_4])('requests in the words of a manifest, with their versions', (text) => {
  const lock = readRootLock(text);
  expect([lock?.resolve('lib', '^1.0.0'), lock?.resolve('lib', 'npm:^1.0.0'), lock?.resolve('kit', 'npm:tools@~3.0.0')]).toEqual([
    '1.2.0',
    '1.2.0',
    '3.0.1',
  ]);
  expect([lock?.resolve('lib', '^2.0.0'), lock?.resolve('app', 'workspace:.')]).toEqual([undefined, undefined]);
  expect([lock?.versionsOf('dep'), lock?.versionsOf('app')]).toEqual([['2.1.0'], []]);
});

test.each(['', '\n', CLASSIC])('an empty one and one of Yarn 1 tell nothing', (text) => {
  expect(readRootLock(text)).toBeUndefined();
});

test('one that cannot be read is an error', () => {
  expect(() => readRootLock(`${BERRY_4}<<<<<<< HEAD\n`)).toThrow(
    /^The yarn\.lock of the monorepo cannot be read: line \d+ is a conflict marker/,
  );
});

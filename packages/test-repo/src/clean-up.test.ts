import { afterAll, afterEach, expect, test } from '@jest/globals';
import { CleanUp, cleanUpIn } from './clean-up.js';

const log: string[] = [];
const cleanUp = cleanUpIn(afterEach);
afterAll(() => expect(log).toEqual(['closed', 'disposed']));

test('what was added is given back after the test, the last one first', () => {
  cleanUp.add({ dispose: () => void log.push('disposed') });
  cleanUp.add({ close: async () => void log.push('closed') });
  expect(log).toEqual([]);
});

test('a failure does not keep the rest from being given back', async () => {
  const done: string[] = [];
  const own = new CleanUp();
  own.defer(() => done.push('first'));
  own.defer(() => {
    throw new Error('the server was gone');
  });
  own.defer(() => done.push('last'));
  await expect(own.run()).rejects.toThrow('Cleaning up failed: Error: the server was gone');
  expect(done).toEqual(['last', 'first']);
});

test('running twice gives nothing back twice', async () => {
  let times = 0;
  const own = new CleanUp();
  own.defer(() => times++);
  await own.run();
  await own.run();
  expect(times).toBe(1);
});

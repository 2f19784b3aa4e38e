import { expect, test } from '@jest/globals';
import { lockOf } from './berry-lock.fixture.js';
import { compareLocks, differingIn } from './survival.js';

test('what became of the root: moved, gone; what leads to a workspace is neither', () => {
  const before = lockOf('a@npm:^1.0.0 -> a@npm:1.0.0', 'b@npm:^1.0.0, b@npm:^1.1.0 -> b@npm:1.1.0', 'c@npm:^1.0.0 -> c@npm:1.0.0');
  const after = lockOf(
    'a@npm:^1.0.0 -> a@npm:1.9.0',
    'b@npm:^1.0.0 -> b@npm:1.1.0',
    'c@npm:^1.0.0, c@workspace:packages/c -> c@workspace:packages/c',
  );
  const { movedOfRoot, gone } = compareLocks(before, after);
  expect({ movedOfRoot, gone }).toEqual({
    movedOfRoot: [{ descriptor: 'a@npm:^1.0.0', from: '1.0.0', to: '1.9.0' }],
    gone: ['b@npm:^1.1.0'],
  });
});

test('the host of an archive that was not there before is told', () => {
  const from = (host: string) => `x@npm:^1.0.0 -> x@npm:1.0.0::__archiveUrl=${encodeURIComponent(`https://${host}/x.tgz`)}`;
  expect(compareLocks(lockOf(), lockOf(from('r.example'))).newHosts).toEqual(['r.example']);
  expect(compareLocks(lockOf(from('r.example')), lockOf(from('r.example'))).newHosts).toEqual([]);
});

test('what two lockfiles do not answer alike: also what a workspace asks for, and nothing of how it is written', () => {
  const workspace = (asked: string): string => `app@workspace:app -> app@workspace:app -> ${asked}`;
  const a = 'a@npm:^1.0.0, a@npm:^1.1.0 -> a@npm:1.1.0';
  const before = lockOf(workspace('a@npm:^1.0.0'), a);
  expect(differingIn(before, before.replace('a@npm:^1.0.0, a@npm:^1.1.0', 'a@npm:^1.1.0, a@npm:^1.0.0'))).toEqual([]);
  expect(differingIn(before, lockOf(workspace('a@npm:^1.1.0'), a))).toEqual(['app@workspace:app']);
  expect(differingIn(before, lockOf(workspace('a@npm:^1.0.0'), 'a@npm:^1.0.0, b@npm:1 -> a@npm:1.1.0'))).toEqual([
    'a@npm:^1.1.0',
    'b@npm:1',
  ]);
});

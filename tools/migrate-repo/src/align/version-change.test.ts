import { expect, test } from '@jest/globals';
import { byWeight, diffVersions, isBreaking, type Moved } from './version-change.js';

test.each([
  ['1.2.3', '2.0.0', 'major', 'up'],
  ['2.0.0', '1.9.9', 'major', 'down'],
  ['0.27.0', '0.28.0', 'minor', 'up'],
  ['1.2.3', '1.2.10', 'patch', 'up'],
  ['1.0.0-rc.2', '1.0.0-rc.10', 'prerelease', 'up'],
  ['1.0.0', '1.0.0-rc.1', 'prerelease', 'down'],
])('from %s to %s: %s, %s', (from, to, level, direction) => {
  expect(diffVersions(from, to)).toEqual({ from, to, level, direction });
});

test('nothing changes where one side is not known, or both are the same but for the build', () => {
  expect(diffVersions(undefined, '1.0.0')).toBeUndefined();
  expect(diffVersions('1.0.0', undefined)).toBeUndefined();
  expect(diffVersions('1.0.0+a', '1.0.0+b')).toBeUndefined();
});

function moved(name: string, from: string, to: string): Moved {
  const change = diffVersions(from, to);
  if (change === undefined) throw new Error('no change');
  return { name, change };
}

test.each([
  ['ms', '1.2.3', '2.0.0', true],
  ['ms', '1.2.3', '1.3.0', false],
  ['ms', '0.2.3', '0.3.0', true],
  ['ms', '0.2.3', '0.2.4', false],
  ['ms', '0.0.3', '0.0.4', true],
  ['ms', '1.0.0-rc.1', '1.0.0', true],
  ['typescript', '5.6.2', '5.9.3', true],
  ['typescript', '5.9.2', '5.9.3', false],
])('%s from %s to %s may break: %s', (name, from, to, breaks) => {
  expect(isBreaking(moved(name, from, to))).toBe(breaks);
});

test('what may break comes first, and of equal ones what goes down', () => {
  const all = [
    moved('ms', '1.0.0', '1.0.1'),
    moved('ms', '1.0.0', '1.1.0'),
    moved('typescript', '5.6.2', '5.9.3'),
    moved('ms', '1.1.0', '1.0.0'),
  ];
  expect(all.sort(byWeight).map(({ name, change: { to } }) => `${name} ${to}`)).toEqual([
    'typescript 5.9.3',
    'ms 1.0.0',
    'ms 1.1.0',
    'ms 1.0.1',
  ]);
});

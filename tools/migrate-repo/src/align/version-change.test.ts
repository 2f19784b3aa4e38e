import { expect, test } from '@jest/globals';
import { diffVersions } from './version-change.js';

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

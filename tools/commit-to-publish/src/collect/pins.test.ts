import { expect, test } from '@jest/globals';
import { highest, pinnedVersions } from './pins.js';

test.each([
  ['1.2.3', '1.2.3'],
  ['=1.2.3', '1.2.3'],
  ['v1.2.3-rc.1', '1.2.3-rc.1'],
  ['npm:core@2.0.0', '2.0.0'],
  ['npm:other@2.0.0', undefined],
  ['^1.2.3', undefined],
  ['1.2', undefined],
  ['1.2.3 || 2.0.0', undefined],
  ['1.2.3 - 2.0.0', undefined],
  ['latest', undefined],
  ['workspace:1.2.3', undefined],
  [3, undefined],
])('%j is %s', (range, version) => {
  expect(pinnedVersions(JSON.stringify({ devDependencies: { core: range, unwanted: '1.0.0' } }), new Set(['core'])).get('core')).toBe(
    version,
  );
});

test('of several the highest, and none of what is no manifest', () => {
  const manifest = JSON.stringify({ dependencies: { core: '1.9.0' }, devDependencies: { core: '1.10.0' }, peerDependencies: [] });
  expect(pinnedVersions(manifest, new Set(['core'])).get('core')).toBe('1.10.0');
  expect(highest([new Map([['core', '2.0.0']]), new Map([['core', '1.0.0']])]).get('core')).toBe('2.0.0');
  for (const text of ['{', '[]', '']) expect(pinnedVersions(text, new Set(['core'])).size).toBe(0);
});

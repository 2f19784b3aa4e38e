import { expect, test } from '@jest/globals';
import { findDrift } from './drift.js';

test('a dependency that all ask for by the same range has not drifted', () => {
  expect(
    findDrift([
      { name: 'a', dependencies: { x: '^1.0.0' } },
      { name: 'b', devDependencies: { x: '^1.0.0' } },
    ]),
  ).toEqual([]);
});

test('the one with the most ranges comes first, each range once', () => {
  const manifests = [
    { name: 'a', dependencies: { x: '^1.0.0', y: '^3.0.0' } },
    { name: 'b', dependencies: { x: '^2.0.0', y: '^1.0.0' } },
    { name: 'c', dependencies: { x: '^1.0.0', y: '^2.0.0' } },
  ];
  expect(findDrift(manifests)).toEqual([
    { name: 'y', ranges: ['^1.0.0', '^2.0.0', '^3.0.0'] },
    { name: 'x', ranges: ['^1.0.0', '^2.0.0'] },
  ]);
});

test('what the packages ask of each other does not count', () => {
  expect(findDrift([{ name: 'a' }, { name: 'b', dependencies: { a: '^1.0.0' } }, { name: 'c', dependencies: { a: '^2.0.0' } }])).toEqual(
    [],
  );
});

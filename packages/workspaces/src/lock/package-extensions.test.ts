import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import yarn from '@yarnpkg/core';
import fc from 'fast-check';
import { isExtended } from './extended.js';
import { builtinExtensions } from './graph.js';
import { changedExtensions, parsePackageExtensions } from './package-extensions.js';

const one = (range: string) => parsePackageExtensions({ [`a@${range}`]: { dependencies: { b: '1' } } })[0] ?? [][0];

describe('an extension', () => {
  test('is read with its name, range and dependencies', () => {
    expect(parsePackageExtensions({ '@s/a@^1 || ^2': { dependencies: { b: '1' }, peerDependencies: { c: '*' } } })).toMatchObject([
      { name: '@s/a', range: '^1 || ^2', dependencies: new Map([['b', '1']]) },
    ]);
    expect(parsePackageExtensions(undefined)).toEqual([]);
  });

  test.each([[[]], ['text'], [{ 'a@*': 'text' }], [{ 'a@*': { dependencies: ['b'] } }]])('%j is refused', (value) => {
    expect(() => parsePackageExtensions(value)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  // Yarn changes the comparators of a range that it caches, so its result for a pre-release may depend on earlier calls.
  test('is for all the versions that Yarn has it for', () => {
    const number = fc.nat({ max: 3 });
    const version = fc
      .tuple(number, number, number, fc.constantFrom('', '-rc.1', '-alpha.0'))
      .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre}`);
    const part = fc.tuple(fc.constantFrom('^', '~', '', '<', '<=', '>', '>='), version).map(([operator, of]) => operator + of);
    const range = fc.oneof(
      part,
      fc.tuple(part, fc.constantFrom(' ', ' || '), part).map((parts) => parts.join('')),
      fc.constantFrom('*', '1', '1.x', '>=1 <3'),
    );
    fc.assert(
      fc.property(version, range, (exact, of) => {
        const extension = one(of);
        if (yarn.semverUtils.satisfiesWithPrereleases(exact, of))
          expect(extension !== undefined && isExtended(exact, extension)).toBe(true);
      }),
      { numRuns: cases(2000) },
    );
  });

  test.each([
    ['1.2.0', '^1', true],
    ['1.2.0', '^2', false],
    ['2.0.0-rc.1', '>=1.0.0', true],
    ['2.0.0-rc.1', '*', true],
    ['2.0.0-rc.1', '^2', true],
    ['2.0.0', '<2', false],
    ['3.1.3-alpha.0', '3.1.3 || 3.1.3-alpha.0', true],
  ])('%s is in %s: %s', (version, range, expected) => {
    const extension = one(range);
    expect(extension !== undefined && isExtended(version, extension)).toBe(expected);
  });

  test('is for a version that nobody understands', () => {
    const extension = one('^1');
    expect(extension !== undefined && isExtended('?', extension)).toBe(true);
  });
});

test('names whose extensions differ, in any part of them', () => {
  const read = (value: object) => parsePackageExtensions(value);
  const base = read({ 'a@1': { dependencies: { x: '1' } }, 'b@1': { peerDependencies: { x: '1' } }, 'c@1': {} });
  const head = read({ 'a@2': { dependencies: { x: '1' } }, 'b@1': { peerDependencies: { x: '2' } }, 'c@1': {}, 'd@1': {} });
  expect([...changedExtensions(base, head)]).toEqual(['a', 'b', 'd']);
});

test('the ones that Yarn brings along are those with dependencies', () => {
  expect(
    builtinExtensions()
      .find(({ name }) => name === 'got')
      ?.dependencies.get('@types/keyv'),
  ).toBe('^3.1.1');
  expect(builtinExtensions().every(({ dependencies }) => dependencies.size > 0)).toBe(true);
});

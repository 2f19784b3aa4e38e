import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutFiles, type FilePart, type FileTime, fileArguments, secondsOfParts } from './file-parts.js';
import type { Runner } from './runner.js';

const times = (seconds: Readonly<Record<string, number>>): readonly FileTime[] =>
  Object.entries(seconds).map(([file, one]) => ({ file, seconds: one }));

function partsOf(runner: Runner, files: readonly string[], known: readonly FileTime[], of: number): readonly (FilePart | undefined)[] {
  return Array.from({ length: of }, (_, at) => cutFiles(runner, files, { times: known, part: [at + 1, of] }));
}

test('a long file has a part of its own', () => {
  const known = times({ a: 1, b: 9, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1 });
  const parts = partsOf('jest', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], known, 2);
  expect(parts.map((part) => part?.files)).toEqual([['b'], ['a', 'c', 'd', 'e', 'f', 'g', 'h']]);
  expect(secondsOfParts('jest', known, 2)).toEqual([9, 7]);
});

test('a file without a time counts as much as the others on average', () => {
  const parts = partsOf('jest', ['a', 'b', 'new', 'newer'], times({ a: 6, b: 2, gone: 0 }), 2);
  expect(parts.map((part) => part?.files)).toEqual([['b', 'new', 'newer'], ['a']]);
});

describe('the runner cuts by itself', () => {
  test.each<[title: string, runner: Runner, files: readonly string[], of: number]>([
    ['fewer files than parts', 'jest', ['a'], 2],
    ['none', 'jest', [], 2],
    ['what would be an option', 'jest', ['a', '-b'], 2],
    ['a list that is too long', 'jest', Array.from({ length: 2000 }, (_, at) => `${'x'.repeat(60)}${at}`), 2],
    ['what vitest would take for two files', 'vitest', ['a.test.ts', 'a.test.tsx'], 2],
    ['what vitest would find in the path of another file', 'vitest', ['a.test.ts', 'sub/a.test.ts'], 2],
    ['what vitest would take for the same name', 'vitest', ['a.test.ts', 'A.test.ts'], 2],
    ['files outside of the workspace', 'jest', ['a.test.ts', '../shared/b.test.ts'], 2],
    ['what node would take for a pattern', 'node', ['[id].test.js', 'a.test.js'], 2],
    ['what playwright would take for a pattern', 'playwright', ['a.spec.ts', 'b.spec.ts'], 2],
  ])('%s', (_, runner, files, of) => expect(partsOf(runner, files, times({ a: 1, b: 1 }), of)).toEqual(Array(of).fill(undefined)));

  test('and nothing is said of its parts', () => expect(secondsOfParts('playwright', times({ a: 1, b: 1 }), 2)).toBeUndefined());
});

test.each<[runner: Runner, words: readonly string[]]>([
  ['jest', ['--runTestsByPath', 'a.js', 'b/c.js']],
  ['vitest', ['/r/p/a.js', '/r/p/b/c.js']],
  ['node', ['a.js', 'b/c.js']],
])('%s is named its files', (runner, words) => expect(fileArguments(runner, ['a.js', 'b/c.js'], '/r/p')).toEqual(words));

describe('whatever the files take', () => {
  const cases = fc.record({
    files: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 9 }),
    seconds: fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 9, maxLength: 9 }),
    of: fc.integer({ min: 2, max: 4 }),
  });

  test('each file is in one part, in any order of the list; the parts know that they belong together', () => {
    fc.assert(
      fc.property(cases, ({ files, seconds, of }) => {
        const known = files.map((file, at) => ({ file, seconds: seconds[at] ?? 0 }));
        const parts = partsOf('jest', files, known, of);
        expect(partsOf('jest', files.toReversed(), known.toReversed(), of)).toEqual(parts);
        if (parts[0] === undefined) return expect(parts).toEqual(Array(of).fill(undefined));
        expect(parts.flatMap((part) => part?.files ?? []).sort()).toEqual(files.toSorted());
        expect(new Set(parts.map((part) => part?.list)).size).toBe(1);
        expect(parts.every((part) => part !== undefined && part.files.length > 0)).toBe(true);
        const [more] = partsOf('jest', [...files, 'zzzz'], known, of);
        expect(more?.list).not.toBe(parts[0].list);
      }),
    );
  });

  test('the longest part is at most 1.1 times that of the best cut', () => {
    fc.assert(
      fc.property(cases, ({ files, seconds, of }) => {
        const known = files.map((file, at) => ({ file, seconds: Math.max(0.001, seconds[at] ?? 0) }));
        const parts = partsOf('jest', files, known, of);
        if (parts[0] === undefined) return;
        const took = new Map(known.map((one) => [one.file, one.seconds]));
        const longest = Math.max(...parts.map((part) => (part?.files ?? []).reduce((sum, file) => sum + (took.get(file) ?? 0), 0)));
        expect(longest).toBeLessThanOrEqual(
          best(
            known.map((one) => one.seconds),
            Array(of).fill(0),
          ) *
            1.1 +
            1e-9,
        );
      }),
    );
  });

  /** Finds the best split by trying all. */
  function best([first, ...others]: readonly number[], loads: readonly number[]): number {
    if (first === undefined) return Math.max(...loads);
    return Math.min(
      ...loads.map((_, at) =>
        best(
          others,
          loads.map((load, place) => (place === at ? load + first : load)),
        ),
      ),
    );
  }
});

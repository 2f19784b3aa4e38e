import { describe, expect, test } from '@jest/globals';
import { lostCoverage, parseCoverage } from './coverage.js';

describe('coverage is read from what', () => {
  test.each([
    [
      'Istanbul prints',
      '----------|---------|----------|---------|---------|\nFile      | % Stmts | % Branch | % Funcs | % Lines |\nAll files |   98.41 |       90 |     100 |   98.11 | 12\n index.js |     100 |      100 |     100 |     100 |\n',
      { statements: 98.41, branches: 90, functions: 100, lines: 98.11 },
    ],
    [
      'node:test prints',
      'ℹ a.js      | 100.00 | 80.00 | 66.67 | \nℹ all files | 90.00 | 80.00 | 66.67 | \n',
      { lines: 90, branches: 80, functions: 66.67 },
    ],
    ['lab prints', '5 tests passed\nCoverage: 99.12% (3/341)\n', { lines: 99.12 }],
  ])('%s', (_, output, coverage) => expect(parseCoverage(output)).toEqual(coverage));

  test('several suites print is their mean: the first may lose what the last keeps', () => {
    const table = (percent: number): string => `All files |      ${percent} |      100 |     100 |     100 |\n`;
    expect(parseCoverage(`${table(100)}x\n${table(33.34)}`)).toEqual({ statements: 66.67, branches: 100, functions: 100, lines: 100 });
  });

  test('nothing is there where nothing is printed', () => expect(parseCoverage('5 passing')).toBeUndefined());
});

test('less of any kind is lost coverage, and none at all; more is not, nor a kind that one side does not print', () => {
  expect(lostCoverage({ lines: 90, branches: 80 }, { lines: 90, branches: 79.9 })).toEqual(['branches']);
  expect(lostCoverage({ lines: 90 }, { lines: 91 })).toEqual([]);
  expect(lostCoverage({ lines: 90 }, undefined)).toEqual(['lines']);
  expect(lostCoverage({ lines: 90, branches: 80 }, { lines: 90 })).toEqual([]);
  expect(lostCoverage(undefined, { lines: 1 })).toEqual([]);
});

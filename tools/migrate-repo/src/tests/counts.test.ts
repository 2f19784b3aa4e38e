import { describe, expect, test } from '@jest/globals';
import { parseCounts } from './test-counts.js';

describe('what a runner says is counted', () => {
  test.each([
    ['mocha', '  an array\n    ✔ is long\n\n\n  57 passing (23ms)\n', { passed: 57, failed: 0 }],
    ['mocha, with others', '  57 passing (1s)\n  2 pending\n  3 failing\n\n  1) an array\n', { passed: 57, failed: 3 }],
    ['vitest', ' Test Files  6 passed (6)\n      Tests  168 passed (168)\n   Start at  02:27:31\n', { passed: 168, failed: 0 }],
    ['vitest, with others', '      Tests  1 failed | 55 passed | 2 skipped (58)\n', { passed: 55, failed: 1 }],
    ['jest', 'Test Suites: 1 passed, 1 total\nTests:       1 failed, 56 passed, 57 total\n', { passed: 56, failed: 1 }],
    ['tap', 'ok 1 - a.ts # time=9ms\n\n1..1\n# { total: 99, pass: 97, fail: 1, skip: 1 }\n# time=1s\n', { passed: 97, failed: 1 }],
  ])('%s', (_, output, counts) => expect(parseCounts(output)).toEqual(counts));

  test('several runs in one script are added up', () => {
    expect(parseCounts('  5 passing (1ms)\n\n  7 passing (2ms)\n  1 failing\n')).toEqual({ passed: 12, failed: 1 });
  });

  test('what a test prints, or one level further in, is no count', () => {
    expect(parseCounts('57 passing through\n    # { total: 3, pass: 3 }\nTests are fun\n')).toBeUndefined();
  });
});

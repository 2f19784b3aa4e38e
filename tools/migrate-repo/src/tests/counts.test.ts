import { describe, expect, test } from '@jest/globals';
import { parseCounts } from './counts.js';

describe('what a runner says is counted', () => {
  test.each([
    ['mocha', '  an array\n    ✔ is long\n\n\n  57 passing (23ms)\n', { passed: 57, failed: 0 }],
    ['mocha, with others', '  57 passing (1s)\n  2 pending\n  3 failing\n\n  1) an array\n', { passed: 57, failed: 3 }],
    ['vitest', ' Test Files  6 passed (6)\n      Tests  168 passed (168)\n   Start at  02:27:31\n', { passed: 168, failed: 0 }],
    ['vitest, with others', '      Tests  1 failed | 55 passed | 2 skipped (58)\n', { passed: 55, failed: 1 }],
    ['jest', 'Test Suites: 1 passed, 1 total\nTests:       1 failed, 56 passed, 57 total\n', { passed: 56, failed: 1 }],
    ['tap', 'ok 1 - a.ts # time=9ms\n\n1..1\n# { total: 99, pass: 97, fail: 1, skip: 1 }\n# time=1s\n', { passed: 97, failed: 1 }],
    ['tap 15', 'Suites:   1 passed, 1 of 1 completed\nAsserts:  1 failed, 9 passed, of 10\n', { passed: 9, failed: 1 }],
    ['node:test', 'ℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ cancelled 0\nℹ duration_ms 51.2\n', { passed: 4, failed: 1 }],
    ['node:test in TAP', '1..1\n# tests 3\n# suites 1\n# pass 3\n# fail 0\n# skipped 0\n', { passed: 3, failed: 0 }],
    ['tape', '1..6\n# tests 6\n# pass  5\n# fail  1\n', { passed: 5, failed: 1 }],
    ['lab', '\n57 tests passed\nTest duration: 12 ms\n', { passed: 57, failed: 0 }],
    ['lab 27', '  ...-\n\n3 tests complete (1 skipped)\nTest duration: 110 ms\n', { passed: 3, failed: 0 }],
    ['lab, with others', '\n2 of 57 tests failed\nTest duration: 12 ms\n', { passed: 55, failed: 2 }],
    ['ava', '  ─\n\n  1 test failed\n  11 tests passed\n', { passed: 11, failed: 1 }],
    [
      'ava 8',
      '  ✔ adds\n  ✔ [expected fail] known\n  ✘ [fail]: f\n  ─\n\n  f\n\n  1 test failed\n  1 test skipped\n',
      { passed: 1, failed: 1 },
    ],
    ['uvu', '\n  Total:     5\n  Passed:    4\n  Skipped:   0\n', { passed: 4, failed: 1 }],
  ])('%s', (_, output, counts) => expect(parseCounts(output)).toEqual(counts));

  test('several runs in one script are added up', () => {
    expect(parseCounts('  5 passing (1ms)\n\n  7 passing (2ms)\n  1 failing\n')).toEqual({ passed: 12, failed: 1 });
  });

  test('several runners in one script are added up: the second one may lose its tests', () => {
    expect(parseCounts('  5 passing (1ms)\n\nℹ tests 9\nℹ suites 0\nℹ pass 8\nℹ fail 1\n')).toEqual({ passed: 13, failed: 1 });
  });

  test('what a test prints, or one level further in, is no count', () => {
    expect(parseCounts('57 passing through\n    # { total: 3, pass: 3 }\nTests are fun\n')).toBeUndefined();
  });
});

import { describe, expect, test } from '@jest/globals';
import { addFileTimes } from './add-file-times.js';
import type { Runs } from './timings.js';

const files = { 'a.js': 8, 'b.js': 4 };
const add = (known: Runs): unknown => addFileTimes(known, new Map([['app', files]]), 'test').get('app#test');

describe('times of test files belong to', () => {
  test('the newest run, whatever was known of its files', () => {
    const runs = [
      { seconds: 20, startedAt: 1 },
      { seconds: 15, startedAt: 2, files: { 'a.js': 1 } },
    ];
    expect(add(new Map([['app#test', runs]]))).toEqual([runs[0], { seconds: 15, startedAt: 2, testFiles: 2, files }]);
  });

  test('a run that took as long as they together, where there is none', () => {
    expect(add(new Map())).toEqual([{ seconds: 12, startedAt: null, testFiles: 2, files }]);
  });

  test('nothing that is soon done', () => {
    const runs = [{ seconds: 9, startedAt: 1 }];
    expect(add(new Map([['app#test', runs]]))).toEqual(runs);
  });
});

import { expect, test } from '@jest/globals';
import { failureText, RunReport } from './run-report.js';
import { parseRunnerReport } from './runner-report.js';

test('what is gathered reads as a report of jest', () => {
  const report = new RunReport();
  report.passed('/r/a.js', 1500);
  report.failed('/r/a.js', { test: 'outer in', text: 'Error: bad\n    at /r/a.js:7:1', line: 3, took: 500 });
  report.failed('/r/b.js', { test: '/r/b.js', text: undefined });
  report.failed(undefined, { test: undefined, text: 'nowhere', line: 4 });
  report.skipped('/r/a.js', 500);
  report.retried('/r/b.js', { test: 'again', text: 'Error: once', took: 250 });
  expect(parseRunnerReport(report.text())).toEqual({
    files: [
      { path: '/r/a.js', seconds: 2.5 },
      { path: '/r/b.js', seconds: 0.25 },
    ],
    tests: 5,
    partial: ['/r/a.js'],
    failed: 3,
    failures: [
      { file: '/r/a.js', line: 7, test: 'outer in', message: 'Error: bad\n    at /r/a.js:7:1' },
      { file: '/r/b.js', line: null, test: '/r/b.js', message: '' },
      { file: null, line: 4, test: 'a test without a name', message: 'nowhere' },
    ],
    retried: [{ file: '/r/b.js', line: null, test: 'again', message: 'Error: once' }],
  });
});

test('without a test it is a report too', () =>
  expect(parseRunnerReport(new RunReport().text())).toEqual({ files: [], tests: 0, partial: [], failed: 0, failures: [], retried: [] }));

test.each<[thrown: unknown, text: string]>([
  ['text', 'text'],
  [undefined, 'undefined'],
  [{ message: 'no stack' }, 'no stack'],
  [{ message: 'a', stack: 'Error: a\n  at x' }, 'Error: a\n  at x'],
  [{ message: 'changed', stack: 'Error: a\n  at x' }, 'changed\nError: a\n  at x'],
])('%j in words', (thrown, text) => expect(failureText(thrown)).toBe(text));

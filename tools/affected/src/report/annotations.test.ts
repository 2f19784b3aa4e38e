import { describe, expect, test } from '@jest/globals';
import { githubLog } from '../engines/github-log.js';
import { annotationsOf } from './annotations.js';
import { asName, failing, HOSTILE } from './failed-pieces.fixture.js';
import type { FailedPiece } from './failed-pieces.js';

const piece: FailedPiece = { shard: '01', name: '@acme/ui', exit: 1, failures: [failing('adds', 'expected 1\nreceived 2')], log: 'FAIL a' };
const MANY = { project: '', most: 10 };

test('each failed test is one, at its line in the repository', () => {
  const one = { file: 'packages/ui/a.test.ts', line: 7, title: '@acme/ui: adds', message: 'expected 1\nreceived 2' };
  expect(annotationsOf([piece], MANY)).toEqual([one]);
  expect(annotationsOf([piece], { ...MANY, project: 'web' })).toEqual([{ ...one, file: 'web/packages/ui/a.test.ts' }]);
});

test('of a piece without known tests the end of its log is one', () => {
  const log = `${'x\n'.repeat(100)}last\n`;
  const [one, other] = annotationsOf(
    [
      { ...piece, failures: [], log },
      { ...piece, failures: [], log: '', exit: 137 },
    ],
    MANY,
  );
  expect(one).toMatchObject({ file: null, line: null, title: '@acme/ui failed', message: expect.stringMatching(/^…\n(x\n){39}last$/) });
  expect(other).toMatchObject({ message: 'It ended with exit code 137.' });
});

test('there are no more than are shown, and the last one counts the rest', () => {
  const failures = Array.from({ length: 25 }, (_, at) => failing(`test ${at}`, ''));
  const all = annotationsOf([{ ...piece, failures }, piece], MANY);
  expect(all).toHaveLength(10);
  expect(all.at(-1)).toMatchObject({ file: null, title: 'and 17 or more other failures' });
  expect(annotationsOf([{ ...piece, failures: failures.slice(0, 10) }], MANY).at(-1)).toMatchObject({ title: '@acme/ui: test 9' });
  expect(annotationsOf([], MANY)).toEqual([]);
});

describe('what a test says is cut to what GitHub takes, and is in one line of the log', () => {
  test.each(HOSTILE)('%s', (_, text) => {
    const failures = [failing(asName(text).slice(0, 20_000), text, { file: asName(text) })];
    const all = annotationsOf(
      [
        { ...piece, failures },
        { ...piece, name: asName(text).slice(0, 300), failures: [], log: text },
      ],
      MANY,
    );
    for (const one of all) {
      expect(one.title.length).toBeLessThan(255);
      expect(one.message.length).toBeLessThan(4096);
      expect(`${one.title}${one.message}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u);
      expect(githubLog.annotate(one)).toMatch(/^::error [^\r\n]*$/);
    }
  });
});

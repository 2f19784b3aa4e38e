import { describe, expect, test } from '@jest/globals';
import { type GateProblem, judge, type Verdict } from './judge.js';
import { hintsFor, notProven, withEmptyPlace } from './not-proven.js';
import { planOfPieces, receiptsFor } from './proof.fixture.js';

const KINDS: Readonly<Record<GateProblem['kind'], true>> = {
  empty: true,
  commit: true,
  unreadable: true,
  foreign: true,
  stale: true,
  duplicate: true,
  missing: true,
  failed: true,
  replayed: true,
  report: true,
  parts: true,
  unplanned: true,
  dropped: true,
  script: true,
  plan: true,
};

function problemsOf(...kinds: readonly string[]): readonly GateProblem[] {
  return kinds.map((kind) => ({ kind: kind as GateProblem['kind'], shard: '01', message: 'x.' }));
}

function verdictWith(problems: readonly GateProblem[]): Verdict {
  return { passed: problems.length === 0, problems, receipts: new Map(), notes: [] };
}

describe('a hint', () => {
  test.each(Object.keys(KINDS))('for %s begins with it, and fits into 80 columns', (kind) => {
    const [hint, ...others] = hintsFor(problemsOf(kind, kind));
    expect(others).toEqual([]);
    expect(hint?.toLowerCase().startsWith(`${kind}: `)).toBe(true);
    expect(`hint: ${hint}`.length).toBeLessThanOrEqual(80);
  });

  test('is given once for each kind, whatever their order', () => {
    const [failed, missing, foreign] = ['failed', 'missing', 'foreign'].flatMap((kind) => hintsFor(problemsOf(kind)));
    expect(hintsFor(problemsOf('failed', 'missing', 'failed', 'foreign'))).toEqual([foreign, missing, failed]);
  });

  test.each(['duplicate', 'unreadable', 'unplanned'])('for %s is to start over', (kind) => {
    expect(hintsFor(problemsOf(kind))[0]).toContain('delete the folder of receipts, then run the shards again');
  });
});

describe('a verdict', () => {
  test('that passed is no failure', () => expect(notProven(verdictWith([]))).toBeUndefined());

  test('that did not is one, with one code', () => {
    const problems = problemsOf('failed', 'missing', 'failed');
    expect(notProven(verdictWith(problems))?.toJSON()).toEqual({
      code: 'GATE_NOT_PROVEN',
      message: 'The gate has not passed: 3 problems.',
      hint: hintsFor(problems).join(' '),
      data: { kinds: ['missing', 'failed'] },
    });
  });
});

describe('without any receipts', () => {
  const plan = planOfPieces([['ui'], ['app']]);

  test.each([
    ['nothing', 'The folder receipts for receipts does not exist.'],
    ['no folder', 'receipts is not a folder. --receipts needs a folder.'],
    ['an empty folder', 'The folder receipts has no receipts.'],
  ] as const)('the verdict begins with what there is: %s', (there, message) => {
    const judged = judge(plan, [], { ofPlan: 1 });
    const { passed, problems } = withEmptyPlace(judged, { folder: 'receipts', there });
    expect([passed, problems]).toEqual([false, [{ kind: 'empty', shard: null, message }, ...judged.problems]]);
  });

  test('nothing that was planned passes all the same', () => {
    const passed = judge(
      planOfPieces([]),
      receiptsFor(planOfPieces([])).map((receipt) => ({ file: 'x', receipt })),
      { ofPlan: 1 },
    );
    expect(withEmptyPlace(passed, { folder: 'receipts', there: 'nothing' })).toEqual(passed);
  });
});

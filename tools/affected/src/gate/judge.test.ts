import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Plan } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { type Attempts, type FoundReceipt, judge } from './judge.js';
import { affectedOf, planOfPieces, receiptFor, receiptsFor } from './proof.fixture.js';

const OTHER = 'b'.repeat(40);

function found(receipts: readonly Receipt[]): readonly FoundReceipt[] {
  return receipts.map((receipt, at) => ({ file: `${at}/${receipt.shard}.json`, receipt }));
}

/** Returns problems as `kind shard: message`. */
function problemsOf(plan: Plan, receipts: readonly Receipt[], attempts: Partial<Attempts> = {}): readonly string[] {
  const { passed, problems } = judge(plan, found(receipts), { ofPlan: 1, ...attempts });
  expect(passed).toBe(problems.length === 0);
  return problems.map(({ kind, shard, message }) => `${kind} ${shard}: ${message}`);
}

const plan = planOfPieces([['ui', 'app!'], ['web 1/2', 'core'], ['web 2/2']]);
const receipts = receiptsFor(plan);
const [first, second, third] = receipts as [Receipt, Receipt, Receipt];

/** Returns the receipt of shard 01 with a change in one of its pieces. */
function withPiece(at: number, change: Partial<ReceiptPiece>): Receipt {
  return { ...first, pieces: first.pieces.map((piece, place) => (place === at ? { ...piece, ...change } : piece)) };
}

/** Returns a receipt whose parts were cut out of a list. */
function withList(receipt: Receipt, list: string): Receipt {
  return { ...receipt, pieces: receipt.pieces.map((piece) => (piece.part === null ? piece : { ...piece, list })) };
}

test('it does not pass with a workspace that lost the task, unless somebody agreed', () => {
  const lost = [{ workspace: 'old', reason: 'It has no script "test".', agreed: null }];
  const atBase = { unknown: null, workspaces: 4, lost };
  const said = 'dropped null: old had the task "test" at the base and lost it: It has no script "test".';
  expect(problemsOf(planOfPieces([], { atBase }), [])).toEqual([said]);
  const agreed = { ...atBase, lost: lost.map((one) => ({ ...one, agreed: 'it is frozen' })) };
  expect(problemsOf(planOfPieces([], { atBase: agreed }), [])).toEqual([]);
});

describe('it passes', () => {
  test('with a receipt of each shard, in which everything ran and passed', () => {
    expect(problemsOf(plan, receipts)).toEqual([]);
    expect(judge(plan, found(receipts), { ofPlan: 1 }).receipts).toEqual(new Map(receipts.map((receipt) => [receipt.shard, receipt])));
  });

  test('with a cached result where a cache may count', () => {
    expect(problemsOf(plan, [withPiece(0, { state: 'replayed' }), second, third])).toEqual([]);
  });

  test('with the same receipt in several folders, and twice in one', () => {
    const copies = found([...receipts, ...receipts]);
    const beside = receipts.map(
      (receipt): FoundReceipt => ({ file: `0/${receipt.shard} (1).json`, receipt: JSON.parse(JSON.stringify(receipt)) as Receipt }),
    );
    expect(judge(plan, [...copies, ...beside], { ofPlan: 1 })).toMatchObject({ passed: true, problems: [], notes: [] });
  });

  test('with parts that were cut out of one list', () => {
    expect(problemsOf(plan, [first, withList(second, 'a'), withList(third, 'a')])).toEqual([]);
  });

  test('with nothing to run and no receipt', () => expect(problemsOf(planOfPieces([]), [])).toEqual([]));

  test('with workspaces that have no such task', () => {
    const leftOut = [{ workspace: 'docs', reason: 'It has no script "test".' }];
    const one = planOfPieces([['ui']], { affected: affectedOf(['ui', 'docs']), leftOut });
    expect(problemsOf(one, receiptsFor(one))).toEqual([]);
  });

  test('with a plan that knows no commit, if all shards ran the same', () => {
    const one = planOfPieces([['ui'], ['app']], { affected: { ...affectedOf(['ui', 'app']), head: null } });
    expect(problemsOf(one, receiptsFor(one))).toEqual([]);
  });

  test('with a shard that failed and was run again', () => {
    const again = { ...first, attempt: 2 };
    const failed = withPiece(0, { exit: 1 });
    expect(problemsOf(plan, [failed, second, third, again], { ofRun: 2 })).toEqual([]);
    expect(problemsOf(plan, [again, second, third, failed], { ofRun: 2 })).toEqual([]);
    expect(judge(plan, found([again, second, third, failed]), { ofPlan: 1, ofRun: 2 }).receipts.get('01')).toEqual(again);
  });

  test('with receipts of the attempt in which the plan was made, and of later ones', () => {
    const later = [
      { ...first, attempt: 3 },
      { ...second, attempt: 4 },
      { ...third, attempt: 3 },
    ];
    expect(problemsOf(plan, later, { ofPlan: 3 })).toEqual([]);
  });
});

describe('it does not pass, and says why:', () => {
  test.each<[title: string, given: readonly Receipt[], expected: readonly string[]]>([
    [
      'a receipt is missing',
      [second, third],
      ['missing 01: Shard 01 has no receipt: it was cancelled, or never ran. Planned there: ui, app.'],
    ],
    ['a test failed', [withPiece(1, { exit: 3 }), second, third], ['failed 01: Shard 01: app failed with exit code 3.']],
    ['a test was ended', [withPiece(0, { exit: -1 }), second, third], ['failed 01: Shard 01: ui failed with exit code -1.']],
    [
      'a test did not run',
      [{ ...first, pieces: first.pieces.slice(1) }, second, third],
      ['missing 01: Shard 01: ui was planned, but did not run.'],
    ],
    [
      'a part did not run',
      [first, { ...second, pieces: second.pieces.slice(1) }, third],
      ['missing 02: Shard 02: web (1 of 2) was planned, but did not run.'],
    ],
    [
      'a cached result does not count',
      [withPiece(1, { state: 'replayed' }), second, third],
      ['replayed 01: Shard 01: app had to run, but turborepo replayed an earlier result.'],
    ],
    [
      'that a shard forced, and that came out of a cache',
      [withPiece(0, { state: 'replayed', forced: 'turborepo does not hash x, which changed.' }), second, third],
      ['replayed 01: Shard 01: ui had to run, but turborepo replayed an earlier result.'],
    ],
    [
      'what its runner reports does not agree with it',
      [withPiece(0, { problem: 'The report of its runner is truncated.' }), second, third],
      ['report 01: Shard 01: ui proves nothing. The report of its runner is truncated.'],
    ],
    [
      'parts that were cut out of different lists',
      [first, withList(second, 'a'), withList(third, 'b')],
      ['parts null: The parts of web come from different lists of test files.'],
    ],
    [
      'a part that was named its files, beside one that was not',
      [first, withList(second, 'a'), third],
      ['parts null: The parts of web come from different lists of test files.'],
    ],
    [
      'something else ran',
      [withPiece(0, { workspace: 'other' }), second, third],
      ['unplanned 01: Shard 01: other ran, but was not planned there.', 'missing 01: Shard 01: ui was planned, but did not run.'],
    ],
    [
      'a part ran in place of all',
      [withPiece(0, { part: [1, 2] }), second, third],
      ['unplanned 01: Shard 01: ui (1 of 2) ran, but was not planned there.', 'missing 01: Shard 01: ui was planned, but did not run.'],
    ],
    [
      'something stands twice',
      [{ ...first, pieces: [...first.pieces, ...first.pieces.slice(0, 1)] }, second, third],
      ['duplicate 01: Shard 01: ui is twice in the receipt.'],
    ],
    [
      'two receipts of one attempt',
      [...receipts, { ...third, endedAt: third.endedAt + 1 }],
      ['duplicate 03: Shard 03 has two receipts of attempt 1.'],
    ],
    [
      'the receipt of another plan',
      [{ ...first, plan: OTHER }, second, third],
      [
        'foreign 01: 0/01.json is a receipt of a different plan.',
        'missing 01: Shard 01 has no receipt: it was cancelled, or never ran. Planned there: ui, app.',
      ],
    ],
    [
      'the receipt of another commit',
      [{ ...first, commit: OTHER }, second, third],
      [
        `foreign 01: 0/01.json is for commit bbbbbbbbbbbb, but the plan is for aaaaaaaaaaaa.`,
        'missing 01: Shard 01 has no receipt: it was cancelled, or never ran. Planned there: ui, app.',
      ],
    ],
    [
      'the receipt of a shard that was not planned',
      [...receipts, { ...first, shard: '04' }],
      ['foreign 04: 3/04.json is for shard 04, which is not in the plan.'],
    ],
  ])('%s', (_, given, expected) => expect(problemsOf(plan, given)).toEqual(expected));

  test('a receipt of an attempt before the plan was made', () => {
    const later = [
      { ...second, attempt: 2 },
      { ...third, attempt: 2 },
    ];
    expect(problemsOf(plan, [first, ...later], { ofPlan: 2 })).toEqual([
      'stale 01: Shard 01: the receipt is from attempt 1, but the plan from attempt 2.',
    ]);
  });

  test('not for what an attempt before the plan has left beside the receipts that count', () => {
    const all = receipts.map((receipt) => ({ ...receipt, attempt: 2 }));
    const left = [first, { ...second, plan: 'f'.repeat(64) }, { ...third, shard: '09', commit: OTHER }];
    expect(problemsOf(plan, [...left, ...all], { ofPlan: 2 })).toEqual([]);
    expect(problemsOf(plan, [...all, ...left], { ofPlan: 2 })).toEqual([]);
  });

  test.each([1, undefined])('an attempt that failed counts, also if it is the last one (run: %s)', (more) => {
    const failed = { ...withPiece(0, { exit: 1 }), attempt: 2 };
    const ofRun = more && more + 1;
    expect(problemsOf(plan, [...receipts, failed], { ofRun })).toEqual(['failed 01: Shard 01: ui failed with exit code 1.']);
    expect(problemsOf(plan, [failed, ...receipts], { ofRun })).toEqual(['failed 01: Shard 01: ui failed with exit code 1.']);
  });

  describe('a receipt that tests forged, in order to replace the one that failed:', () => {
    const failed = withPiece(0, { exit: 1 });
    const forged = { ...first, attempt: 2 };
    const honest = { kind: 'failed', shard: '01' };

    test('of an attempt beyond that of the run', () => {
      const { passed, problems, notes } = judge(plan, found([failed, second, third, forged]), { ofPlan: 1, ofRun: 1 });
      expect(passed).toBe(false);
      expect(problems).toMatchObject([{ message: '3/01.json is from attempt 2, but the run is at attempt 1.' }, honest]);
      expect(notes).toEqual([]);
    });

    test('of a later attempt, where no engine tells the number of the run', () => {
      const { problems, notes } = judge(plan, found([failed, second, third, forged]), { ofPlan: 1 });
      expect(problems).toMatchObject([honest]);
      expect(notes).toEqual([]);
    });

    test('in the folder of the job that failed', () => {
      const all = [...found([failed, second, third]), { file: '0/forged.json', receipt: forged }];
      expect(judge(plan, all, { ofPlan: 1, ofRun: 2 }).problems).toMatchObject([
        { kind: 'duplicate', message: 'Shard 01 has two receipts in one folder, and a job writes one.' },
        honest,
      ]);
    });
  });

  test('two receipts of an attempt that was replaced', () => {
    const again = { ...first, attempt: 2 };
    const other = { ...first, endedAt: first.endedAt + 1 };
    for (const given of [
      [again, first, other],
      [first, again, other],
      [first, other, again],
    ])
      expect(problemsOf(plan, [...given, second, third])).toEqual(['duplicate 01: Shard 01 has two receipts of attempt 1.']);
  });

  test('shards of a plan without a commit that ran different ones', () => {
    const one = planOfPieces([['ui'], ['app']], { affected: { ...affectedOf(['ui', 'app']), head: null } });
    const [ui, app] = receiptsFor(one) as [Receipt, Receipt];
    expect(problemsOf(one, [{ ...app, commit: OTHER }, ui])).toEqual([
      'foreign 02: Shard 02 ran for commit bbbbbbbbbbbb, but shard 01 for commit aaaaaaaaaaaa.',
    ]);
  });

  test('shards under two major versions of Node, or under one that is not told', () => {
    const under = (receipt: Receipt, runtime: string): Receipt => ({ ...receipt, runtime });
    const [ui, web] = [under(first, 'linux-x64-node20'), under(second, 'linux-x64-node22')];
    expect(problemsOf(plan, [ui, web, third])).toEqual([
      'foreign 02: Shard 02 ran under Node 22, but shard 01 under Node 20.',
      'foreign 03: Shard 03 ran under Node of an unknown version, but shard 01 under Node 20.',
    ]);
    // Machines of one plan may differ.
    expect(problemsOf(plan, [ui, under(second, 'darwin-arm64-node20'), under(third, 'win32-x64-node20')])).toEqual([]);
  });

  test('a file that cannot be read', () => {
    const { passed, problems } = judge(plan, [...found(receipts), { file: '04/x.json', problem: 'it is not a JSON object' }], {
      ofPlan: 1,
    });
    expect([passed, problems]).toEqual([
      false,
      [{ kind: 'unreadable', shard: null, message: '04/x.json is not a receipt: it is not a JSON object.' }],
    ]);
  });

  test('of a large shard the first workspaces are named', () => {
    const names = Array.from({ length: 12 }, (_, at) => `w${at}`);
    expect(problemsOf(planOfPieces([names]), [])).toEqual([
      'missing 01: Shard 01 has no receipt: it was cancelled, or never ran. Planned there: w0, w1, w2, w3, w4 and 7 more.',
    ]);
  });

  describe('a plan that does not hold everybody once, whoever made it:', () => {
    test.each<[title: string, shards: readonly (readonly string[])[], affected: readonly string[], message: string]>([
      ['somebody is missing', [['ui']], ['ui', 'app'], 'app is affected, but not in the plan.'],
      ['somebody stands in two shards', [['ui'], ['ui', 'app']], ['ui', 'app'], 'The plan must have ui exactly once.'],
      ['a part is missing', [['ui 1/3'], ['ui 3/3']], ['ui'], 'The plan must have ui exactly once.'],
      ['a part stands twice', [['ui 1/2'], ['ui 1/2']], ['ui'], 'The plan must have ui exactly once.'],
      ['parts are of different cuts', [['ui 1/2'], ['ui 2/3']], ['ui'], 'The plan must have ui exactly once.'],
      ['all of it and a part', [['ui'], ['ui 2/2']], ['ui'], 'The plan must have ui exactly once.'],
    ])('%s', (_, shards, names, message) => {
      const one = planOfPieces(shards, { affected: affectedOf(names) });
      expect(problemsOf(one, receiptsFor(one))).toEqual([`plan null: ${message}`]);
    });
  });
});

describe('whatever is planned', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^(?:@[a-z]{1,3}\/)?[a-z][a-z.+-]{0,5}$/), { maxLength: 12 });
  const plans = fc
    .tuple(names, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat(3)), fc.infiniteStream(fc.boolean()))
    .map(([all, count, parts, fresh]): Plan => {
      const pieces = all.flatMap((name) => {
        const of = parts.next().value ?? 0;
        const sign = fresh.next().value === true ? '!' : '';
        return of < 2 ? [`${name}${sign}`] : Array.from({ length: of }, (_, at) => `${name} ${at + 1}/${of}${sign}`);
      });
      const shards = Array.from({ length: count }, (_, at) => pieces.filter((__, place) => place % count === at));
      return planOfPieces(shards.filter((own) => own.length > 0));
    });
  const notEmpty = plans.filter(({ shards }) => shards.length > 0);

  function passes(one: Plan, given: readonly Receipt[]): boolean {
    return judge(one, found(given), { ofPlan: 1 }).passed;
  }

  test('a receipt of each shard is enough', () => fc.assert(fc.property(plans, (one) => expect(passes(one, receiptsFor(one))).toBe(true))));

  /** All ways to damage the receipt at a place; `undefined` if it lacks the damaged field. */
  const SPOIL: Readonly<Record<string, (all: readonly Receipt[], at: number, piece: number) => readonly Receipt[] | undefined>> = {
    'taken away': (all, at) => all.filter((_, place) => place !== at),
    doubled: (all, at) => [...all, ...change(all, at, (one) => ({ ...one, endedAt: one.endedAt + 1 })).slice(at, at + 1)],
    'of another plan': (all, at) => change(all, at, (one) => ({ ...one, plan: `${one.plan.slice(1)}0` })),
    'of another commit': (all, at) => change(all, at, (one) => ({ ...one, commit: OTHER })),
    'of another shard': (all, at) => change(all, at, (one) => ({ ...one, shard: `${one.shard}0` })),
    'of an attempt that is over': (all, at) => change(all, at, (one) => ({ ...one, attempt: 0 })),
    'without a piece': (all, at, piece) => change(all, at, (one) => ({ ...one, pieces: one.pieces.filter((_, place) => place !== piece) })),
    'with a piece twice': (all, at, piece) =>
      change(all, at, (one) => ({ ...one, pieces: [...one.pieces, ...one.pieces.slice(piece, piece + 1)] })),
    'with a failure': (all, at, piece) => changePiece(all, { at, piece }, (one) => ({ ...one, exit: 1 })),
    'with another name': (all, at, piece) => changePiece(all, { at, piece }, (one) => ({ ...one, workspace: `${one.workspace}x` })),
    'with another part': (all, at, piece) =>
      changePiece(all, { at, piece }, (one) => ({ ...one, part: one.part === null ? [1, 1] : null })),
  };

  test.each(Object.entries(SPOIL))('a receipt that is %s is not', (_, spoil) => {
    fc.assert(
      fc.property(notEmpty, fc.nat(), fc.nat(), (one, at, piece) => {
        const all = receiptsFor(one);
        const place = at % all.length;
        const spoiled = spoil(all, place, piece % (all[place]?.pieces.length ?? 1));
        fc.pre(spoiled !== undefined);
        expect(passes(one, spoiled)).toBe(false);
      }),
    );
  });

  test('a cached result is enough exactly where the plan allows it', () => {
    fc.assert(
      fc.property(notEmpty, (one) => {
        for (const [at, shard] of one.shards.entries())
          for (const [piece, { fresh }] of shard.pieces.entries()) {
            const all = changePiece(receiptsFor(one), { at, piece }, (ran) => ({ ...ran, state: 'replayed' }));
            expect(passes(one, all)).toBe(!fresh);
          }
      }),
    );
  });

  test('it does not matter in which order receipts are found', () => {
    const more = fc.array(fc.record({ shard: fc.nat(4), attempt: fc.integer({ min: 1, max: 3 }), exit: fc.nat(1) }), { maxLength: 6 });
    fc.assert(
      fc.property(notEmpty, more, fc.infiniteStream(fc.nat()), (one, extra, dice) => {
        const again = extra.flatMap(({ shard, attempt, exit }) => {
          const known = one.shards[shard % one.shards.length];
          if (known === undefined) return [];
          const receipt = receiptFor(one, known);
          return [{ ...receipt, attempt, pieces: receipt.pieces.map((piece) => ({ ...piece, exit })) }];
        });
        const all = found([...receiptsFor(one), ...again]);
        const shuffled = all.map((receipt) => ({ receipt, key: dice.next().value ?? 0 })).sort((a, b) => a.key - b.key);
        const verdict = judge(
          one,
          shuffled.map(({ receipt }) => receipt),
          { ofPlan: 2 },
        );
        expect(verdict.passed).toBe(judge(one, all, { ofPlan: 2 }).passed);
      }),
    );
  });
});

function change(all: readonly Receipt[], at: number, into: (one: Receipt) => Receipt): readonly Receipt[] {
  return all.map((one, place) => (place === at ? into(one) : one));
}

function changePiece(
  all: readonly Receipt[],
  { at, piece }: { readonly at: number; readonly piece: number },
  into: (one: ReceiptPiece) => ReceiptPiece,
): readonly Receipt[] {
  return change(all, at, (one) => ({ ...one, pieces: one.pieces.map((ran, place) => (place === piece ? into(ran) : ran)) }));
}

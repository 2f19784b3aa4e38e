import { expect, test } from '@jest/globals';
import type { Piece, Plan } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { headOf } from '../summary/gate-summary.js';
import { judge } from './judge.js';
import { planOfPieces, receiptsFor } from './proof.fixture.js';

const plan = planOfPieces([['ui 20 tests', 'core'], ['web 1/2 30 tests'], ['web 2/2 30 tests']]);
const ALL = [{ tests: 20 }, {}, { tests: 15 }, { tests: 15 }];

type More = Omit<Partial<ReceiptPiece>, 'tests'> & { readonly tests?: number | undefined };

/** What a gate says where each piece has more in its receipt, in the order of the plan. */
function saidOf(...more: readonly More[]): readonly string[] {
  return saidOfPlan(plan, more);
}

/** The same of another plan. */
function saidOfPlan(one: Plan, more: readonly More[]): readonly string[] {
  const rest = ALL.map((one, at) => ({ ...one, ...more[at] }));
  const receipts = receiptsFor(one).map(
    (receipt): Receipt => ({ ...receipt, pieces: receipt.pieces.map((one) => ({ ...one, ...rest.shift() }) as ReceiptPiece) }),
  );
  const { passed, problems, notes } = judge(
    one,
    receipts.map((receipt) => ({ file: 'x.json', receipt })),
    { ofPlan: 1 },
  );
  expect(passed).toBe(problems.length === 0);
  // `notes.test.ts` has the note on shards in which no test ran.
  return [...problems, ...notes.filter((note) => note.kind !== 'untested')].map(({ kind, message }) => `${kind}: ${message}`);
}

test.each<[title: string, more: readonly More[], said: readonly string[]]>([
  ['as many tests as before, or more, are fine', [{ tests: 20 }, { tests: 0 }, { tests: 11 }, { tests: 20 }], []],
  [
    'fewer are told, of parts together',
    [{ tests: 19 }, {}, { tests: 1 }, { tests: 0 }],
    ['fewer: ui: 19 tests ran, and 20 in its newest known run.', 'fewer: web: 1 test ran, and 30 in its newest known run.'],
  ],
  ['none is a loss', [{ tests: 0 }], ['dropped: ui passed without a test, and its newest known run had 20.']],
  ['of parts too', [{}, {}, { tests: 0 }, { tests: 0 }], ['dropped: web passed without a test, and its newest known run had 30.']],
  [
    'what is not known of a part is told',
    [{ tests: undefined }, {}, { tests: 0 }, { tests: undefined }],
    ['untold: No runner told how many tests ran in ui, web: they may have ended early, or not have run.'],
  ],
  ['of what failed only that is told', [{ tests: 0, exit: 1 }], ['failed: Shard 01: ui failed with exit code 1.']],
  [
    'what keeps other tests from running is told',
    [{ only: ['ui/a.test.ts:3', 'ui/b.test.ts:9'] }, { only: Array.from({ length: 6 }, (_, at) => `c${at}:1`) }],
    [
      'only: ui has `.only`, and some of its tests did not run: ui/a.test.ts:3, ui/b.test.ts:9.',
      'only: core has `.only`, and some of its tests did not run: c0:1, c1:1, c2:1, c3:1, c4:1 and 1 more.',
    ],
  ],
])('%s', (_, more, said) => expect(saidOf(...more)).toEqual(said));

test.each<[tests: number | undefined, said: readonly string[]]>([
  [20, []],
  [3, ['fewer: ui: 3 tests ran, and 20 in its newest known run. Dropped: it is frozen']],
  [0, ['fewer: ui: 0 tests ran, and 20 in its newest known run. Dropped: it is frozen']],
])('what may lose its tests passes, and an agreement that was needed is told: %s', (tests, said) => {
  expect(saidOfPlan(planOfPieces([['ui 20 tests dropped']]), [{ tests }])).toEqual(said);
});

test.each<[more: Partial<Piece>, tests: number | undefined, said: readonly string[]]>([
  [{}, 4, []],
  [{}, 0, ['dropped: ui passed without a test, and at the base its script started jest, with 3 files named like a test.']],
  [{}, undefined, ['untold: No runner told how many tests ran in ui: they may have ended early, or not have run.']],
  [{ agreed: 'it is frozen' }, 0, []],
])('where files of tests were at the base, and timings know nothing: %j, %p', (more, tests, said) => {
  const [shard] = planOfPieces([['ui']]).shards;
  const pieces = (shard?.pieces ?? []).map((piece) => ({ ...piece, testsAtBase: { runners: ['jest' as const], files: 3 }, ...more }));
  const one = planOfPieces([['ui']], { shards: [{ id: '01', seconds: 1, builds: 0, pieces }] });
  expect(saidOfPlan(one, [{ tests }])).toEqual(said);
});

test.each([
  [true, false, ['script: ui: the script discards an exit code, and may pass although a command fails: jest (|| true).']],
  [undefined, true, ['script: ui: the script discards an exit code, and may pass although a command fails: jest (|| true).']],
])('a script that discards an exit code fails the gate, or is told: %p', (strictScripts, passed, said) => {
  const flaws = [
    { workspace: 'ui', kind: 'discards', what: 'jest (|| true)' },
    { workspace: 'core', kind: 'unread', what: 'jest "' },
  ] as const;
  const one = planOfPieces([['ui', 'core']], { scriptFlaws: flaws, ...(strictScripts === true ? { strictScripts } : {}) });
  const unread = 'script: core: unknown whether the script discards an exit code: jest ".';
  expect(saidOfPlan(one, [{ tests: 1 }])).toEqual([...said, unread]);
  const found = receiptsFor(one).map((receipt) => ({ file: 'x.json', receipt }));
  expect(judge(one, found, { ofPlan: 1 }).passed).toBe(passed);
});

const [only, fewer] = ['Not all of their tests ran: see the notes.', 'Fewer tests ran than before: see the notes.'];

test.each<[more: More, end: string]>([
  [{}, ''],
  [{ only: ['a:1'] }, ` ${only}`],
  [{ tests: 19 }, ` ${fewer}`],
  [{ tests: 19, only: ['a:1'] }, ` ${only} ${fewer}`],
])('a pass does not hide %j', (more, end) => {
  const one = planOfPieces([['ui 20 tests']]);
  const [receipt] = receiptsFor(one) as [Receipt];
  const pieces = receipt.pieces.map((piece) => ({ ...piece, tests: 20, ...more }) as ReceiptPiece);
  const verdict = judge(one, [{ file: 'x.json', receipt: { ...receipt, pieces } }], { ofPlan: 1 });
  expect(headOf(one, verdict)).toBe(`## All planned tests ran and passed\n\n1 piece in 1 shard.${end}`);
});

const files = (...names: readonly string[]): Pick<ReceiptPiece, 'fileSeconds'> => ({
  fileSeconds: names.map((file) => ({ file, seconds: 1 })),
});

test.each<[title: string, parts: readonly Partial<ReceiptPiece>[], left: number]>([
  [
    'have run all files',
    [
      { testFiles: 3, ...files('a', 'b') },
      { testFiles: 3, ...files('c') },
    ],
    0,
  ],
  // A project of vitest has its files, and another one may have them too.
  [
    'have run a file twice, and all others',
    [
      { testFiles: 3, ...files('a', 'b') },
      { testFiles: 3, ...files('b', 'c') },
    ],
    0,
  ],
  [
    'were cut in two ways',
    [
      { testFiles: 4, ...files('a', 'b') },
      { testFiles: 4, ...files('a', 'b') },
    ],
    2,
  ],
  ['have one without a report', [{ testFiles: 4, ...files('a', 'b') }, { testFiles: 4 }], 0],
])('parts that %s', (_, parts, left) => {
  const said = left === 0 ? [] : [`parts: ${left} of the 4 test files of web ran in none of its parts.`];
  expect(saidOf({}, {}, ...parts)).toEqual(said);
});

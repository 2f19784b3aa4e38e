import { type FoundReceipt, judge, type Problem } from './gate/judge.js';
import { notProven, withEmptyPlace } from './gate/not-proven.js';
import { planOfPieces, receiptFor, receiptsFor } from './gate/proof.fixture.js';
import { buildPlan } from './plan/build-plan.js';
import type { Plan } from './plan/plan.js';
import type { Receipt, ReceiptPiece } from './receipt/receipt.js';
import type { AffectedResult } from './result.js';

// Documents of the commands that distribute tests, made by the real code, for holding them against their schemas.

/** Of an answer: one plan with all that a plan can have, and one in which there is nothing to run. */
export function plans(affected: AffectedResult): readonly Plan[] {
  const names = affected.workspaces.map(({ name }) => name);
  const workspaces = names.map((name, at) => ({
    name,
    path: `packages/${name}`,
    scripts: new Map(at === 0 ? [] : [['test', 'jest'] as const, ['build', 'tsc'] as const]),
    dependencies: names.slice(0, at),
    needs: names.slice(0, at),
    isRuled: false,
  }));
  const given = {
    affected,
    task: 'test',
    workspaces,
    turboTasks: new Map([['test', ['build']]]),
    timings: new Map(names.flatMap((name, at) => [[`${name}#test`, [600 / (at + 1)]] as const, [`${name}#build`, [2.5]] as const])),
    testFiles: new Map(names.map((name) => [name, 20])),
    listedFiles: new Map(names.map((name) => [name, 20])),
    shardRequest: { setupSeconds: 60, maxShards: 4, shards: 4 },
  };
  return [buildPlan(given), buildPlan({ ...given, timings: new Map(), affected: { ...affected, workspaces: [] } })];
}

/** Of whole workspaces and parts, executed and replayed, with and without builds. */
export function receipts(): readonly Receipt[] {
  const plan = planOfPieces([['ui', 'app 1/2'], ['app 2/2']]);
  const builds = [{ task: 'ui#build', startedAt: 1, endedAt: 2.5 }];
  return receiptsFor(plan).map((receipt, at) => ({
    ...receipt,
    builds,
    pieces: receipt.pieces.map((piece) => (at === 0 ? piece : cached(piece))),
  }));
}

function cached(piece: ReceiptPiece): ReceiptPiece {
  return { ...piece, state: 'replayed' };
}

/** As `affected gate --json` prints them: one that passed, and one with a problem of each kind. */
export function gateResults(): readonly unknown[] {
  const plan = planOfPieces([['ui', 'app!'], ['web 1/2']]);
  const [first, second] = plan.shards.map((shard) => receiptFor(plan, shard));
  if (first === undefined || second === undefined) throw new Error('no shards');
  const change = (more: Partial<Receipt>): FoundReceipt => ({ file: 'x.json', receipt: { ...first, ...more } });
  const pieces = first.pieces.map(cached);
  const problems: Readonly<Record<Problem['kind'], readonly FoundReceipt[]>> = {
    empty: [],
    unreadable: [{ file: 'x.json', problem: 'it is no JSON object' }],
    foreign: [change({ attempt: 2, plan: 'x' })],
    stale: [change({ attempt: 1 })],
    duplicate: [change({ attempt: 2 }), change({ attempt: 2 })],
    missing: [],
    failed: [change({ attempt: 2, pieces: pieces.map((piece) => ({ ...piece, exit: 1 })) })],
    replayed: [change({ attempt: 2, pieces })],
    unplanned: [change({ attempt: 2, pieces: pieces.map((piece) => ({ ...piece, workspace: 'other' })) })],
    // It lacks the second part of web.
    plan: [],
  };
  const verdicts = Object.entries(problems).map(([kind, found]) => {
    const verdict = judge(plan, found, 2);
    return kind === 'empty' ? withEmptyPlace(verdict, { folder: 'receipts', there: 'an empty folder' }) : verdict;
  });
  const whole = planOfPieces([['ui']]);
  const found = receiptsFor(whole).map((receipt) => ({ file: 'x.json', receipt }));
  return [judge(whole, found, 1), ...verdicts].map((verdict) => {
    const error = notProven(verdict);
    return { schemaVersion: 1, passed: verdict.passed, problems: verdict.problems, ...(error === undefined ? {} : { error }) };
  });
}

/** As `affected run-shard --json` prints them. */
export function shardResults(): readonly unknown[] {
  const failed = ['ui', 'app (1 of 2)'];
  return [
    { schemaVersion: 1, receipts: receipts(), failed },
    { schemaVersion: 1, receipts: [], failed: [] },
  ];
}

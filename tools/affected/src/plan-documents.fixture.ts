import { withCommit } from './gate/commit.js';
import { type FoundReceipt, type GateProblem, judge, type Verdict } from './gate/judge.js';
import { withEmptyPlace } from './gate/not-proven.js';
import { planOfPieces, receiptFor, receiptsFor } from './gate/proof.fixture.js';
import { gateResult } from './gate/result.js';
import { buildPlan } from './plan/build-plan.js';
import { hashingOf } from './plan/hashing.fixture.js';
import type { Plan } from './plan/plan.js';
import { REPORTING_RUNNERS } from './plan/runner-call.js';
import type { Receipt, ReceiptPiece } from './receipt/receipt.js';
import { reportOfRuns } from './report-only/all-runs.js';
import type { AffectedResult } from './result.js';
import { FLAW_KINDS } from './scripts/script-flaw.js';

// The documents of the commands that distribute tests, made by the real code, for checks against their schemas.

const SEVERAL = new Map([
  ['test', ['build']],
  ['build', ['^build']],
]);

/** Plans for an answer: one with everything that a plan can have, and one with nothing to run. */
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
    turboTasks: new Map([['test', ['^build', 'build']]]),
    hashing: hashingOf({
      tasks: { build: {}, test: {} },
      changed: Object.fromEntries(names.map((name) => [name, `packages/${name}/a.ts`])),
    }),
    timings: new Map(names.flatMap((name, at) => [[`${name}#test`, [600 / (at + 1)]] as const, [`${name}#build`, [2.5]] as const])),
    testFiles: new Map(names.map((name) => [name, 20])),
    listedFiles: new Map(names.map((name) => [name, 20])),
    fileTimes: new Map(names.map((name) => [name, Array.from({ length: 20 }, (_, at) => ({ file: `${at}.test.js`, seconds: at + 1 }))])),
    testsRun: new Map(names.map((name) => [name, 20])),
    testsAtBase: new Map(names.map((name) => [name, { runners: REPORTING_RUNNERS, files: 3 }])),
    scriptFlaws: names.flatMap((workspace) => FLAW_KINDS.map((kind) => ({ workspace, kind, what: 'jest (|| true)' }))),
    strictScripts: true,
    turbo: '2.11.9',
    node: 22,
    shardRequest: { setupSeconds: 60, maxShards: 4, shards: 4 },
    base: { workspaces, turboTasks: new Map([['test', []]]), leftBehind: new Map() },
    agreed: { dropped: [], named: [] },
  };
  const byFile = affected.workspaces.map((one) => ({ ...one, reasons: [{ kind: 'file', file: 'a.ts', others: 0 } as const] }));
  const others = ['gone', 'moved'].map((name) => ({ name, path: name, scripts: new Map([['test', 'jest']]) }));
  const leftBehind = new Map(others.map(({ path }) => [path, `Its folder ${path} is still there.`]));
  return [
    buildPlan(given),
    buildPlan({ ...given, reportOnly: true, affected: { ...affected, workspaces: affected.workspaces.slice(0, 1) } }),
    buildPlan({ ...given, affected: { ...affected, workspaces: byFile } }),
    buildPlan({
      ...given,
      timings: new Map(),
      machine: { cores: 2, concurrency: 10 },
      affected: { ...affected, workspaces: [] },
      base: { unknown: 'Nothing to compare with.' },
    }),
    buildPlan({ ...given, turboTasks: SEVERAL }, { ...given, turboTasks: SEVERAL, task: 'build' }),
    buildPlan({ ...given, base: { ...given.base, workspaces: others, leftBehind }, agreed: { dropped: [], named: ['gone', ...names] } }),
  ];
}

/** Receipts of whole workspaces and parts, executed and replayed, with and without builds. */
export function receipts(): readonly Receipt[] {
  const plan = planOfPieces([['ui', 'app 1/2'], ['app 2/2'], ['web']]);
  const workTrees = ['clean', 'dirty', 'unknown'] as const;
  const builds = (at: number) => [{ task: 'ui#build', startedAt: 1, endedAt: 2.5, cpuSeconds: at === 0 ? 1 : null }];
  return receiptsFor(plan).map((receipt, at) => ({
    ...receipt,
    ...(at === 0 ? { runtime: 'linux-x64-node22' } : {}),
    workTree: workTrees[at] ?? 'clean',
    builds: builds(at),
    ...(at === 0 ? { failedBuilds: [{ task: 'ui#types', exit: 2, log: 'error' }] } : {}),
    pieces: receipt.pieces.map((piece) => (at === 0 ? failed(piece) : { ...cached(piece), task: 'test' })),
  }));
}

function failed(piece: ReceiptPiece): ReceiptPiece {
  const failures = [
    { file: 'ui/a.test.ts', line: 3, test: 'adds', message: 'expected 1' },
    { file: null, line: null, test: 'adds', message: '' },
  ];
  return {
    ...piece,
    exit: 1,
    testFiles: 2,
    fileSeconds: [{ file: 'a.test.ts', seconds: 0.5 }],
    failures,
    log: 'FAIL',
    retried: failures,
    tests: 0,
    only: ['ui/a.test.ts:3'],
    unheeded: 1,
    list: 'a',
    problem: 'The report of its runner is truncated.',
  };
}

function cached(piece: ReceiptPiece): ReceiptPiece {
  return {
    ...piece,
    state: 'replayed',
    cpuSeconds: null,
    forced: 'turborepo does not hash packages/a/data.json, which changed.',
    failedBefore: 1,
  };
}

/** Results as `affected gate --json` prints them: one that passed, and one with a problem of each kind. */
export function gateResults(): readonly unknown[] {
  const lost = [{ workspace: 'gone', reason: 'It has no script "test".', agreed: null }];
  const scriptFlaws = [{ workspace: 'ui', kind: 'discards', what: 'jest (|| true)' }] as const;
  const strict = { scriptFlaws, strictScripts: true } as const;
  const plan = planOfPieces([['ui', 'app!'], ['web 1/2']], { atBase: { unknown: null, workspaces: 4, lost }, ...strict });
  const [first, second] = plan.shards.map((shard) => receiptFor(plan, shard));
  if (first === undefined || second === undefined) throw new Error('no shards');
  const change = (more: Partial<Receipt>): FoundReceipt => ({ file: 'x.json', receipt: { ...first, ...more } });
  const pieces = first.pieces.map(cached);
  const problems: Readonly<Record<GateProblem['kind'], readonly FoundReceipt[]>> = {
    empty: [],
    commit: [],
    unreadable: [{ file: 'x.json', problem: 'it is not a JSON object' }],
    foreign: [change({ attempt: 2, plan: 'x' })],
    stale: [change({ attempt: 1 })],
    duplicate: [change({ attempt: 2 }), change({ attempt: 2, endedAt: 9_000 })],
    missing: [],
    failed: [change({ attempt: 2, pieces: pieces.map((piece) => ({ ...piece, exit: 1 })) })],
    replayed: [change({ attempt: 2, pieces })],
    report: [change({ attempt: 2, pieces: pieces.map((piece) => ({ ...piece, state: 'executed', problem: 'It ran nothing.' })) })],
    parts: [change({ attempt: 2, pieces: [...pieces, ...pieces].map((piece, at) => ({ ...piece, part: [1, 2], list: `${at}` })) })],
    unplanned: [change({ attempt: 2, pieces: pieces.map((piece) => ({ ...piece, workspace: 'other' })) })],
    dropped: [],
    script: [],
    // The second part of web is missing.
    plan: [],
  };
  const verdicts = Object.entries(problems).map(([kind, found]) => {
    const verdict = judge(plan, found, { ofPlan: 2 });
    if (kind === 'commit') return withCommit(verdict, plan, { id: 'b'.repeat(40), from: 'option' });
    return kind === 'empty' ? withEmptyPlace(verdict, { folder: 'receipts', there: 'an empty folder' }) : verdict;
  });
  const unselected = [{ workspace: 'web', path: 'web', reason: 'The change does not affect it.' }];
  const reporting = planOfPieces([['web']], { unselected });
  const reported = { plan: reporting, verdict: judge(reporting, [], { ofPlan: 1 }) };
  return [passedWithNotes(), reported, ...verdicts.map((verdict) => ({ plan, verdict }))].map((one) => gateResult(one.plan, one.verdict));
}

/** A passed plan with a note of each kind: changed files, another shard beside it, a failed first attempt, and no base. */
function passedWithNotes(): { readonly plan: Plan; readonly verdict: Verdict } {
  const scriptFlaws = [{ workspace: 'ui', kind: 'unread', what: 'jest "' }] as const;
  const plan = planOfPieces([['ui 20 tests'], ['web 30 tests']], { atBase: { unknown: 'No base.', workspaces: 0, lost: [] }, scriptFlaws });
  const retried = [{ file: 'ui/a.test.ts', line: 3, test: 'adds', message: 'expected 1' }];
  const noted = (receipt: Receipt): Receipt => ({
    ...receipt,
    pieces: receipt.pieces.map((piece) => ({
      ...piece,
      ...(piece.workspace === 'ui' ? { tests: 3 } : {}),
      unheeded: 2,
      only: ['ui/a.test.ts:3'],
      retried,
    })),
  });
  const passed = receiptsFor(plan).map((receipt) => ({ ...noted(receipt), checkout: 'here', attempt: 2 }));
  const failed = passed.map((one) => ({ ...one, attempt: 1, pieces: one.pieces.map((piece) => ({ ...piece, exit: 1 })) }));
  const [first, second] = passed.map((one, at): Receipt => ({ ...one, workTree: at === 0 ? 'clean' : 'dirty' }));
  const found = [...failed, first, second].flatMap((receipt) =>
    receipt === undefined ? [] : [{ file: `${receipt.attempt}/x.json`, receipt }],
  );
  return { plan, verdict: judge(plan, found, { ofPlan: 1, ofRun: 2 }) };
}

/** Results as `affected report --json` prints them: of a run in which `app` failed and had a result before, and of a file that is none. */
export function reportResults(): readonly unknown[] {
  const unselected = [{ workspace: 'app', path: 'app', reason: 'The change does not affect it.' }];
  const plan = planOfPieces([['ui', 'app']], { unselected });
  const failures = [{ file: 'app/a.test.ts', line: 3, test: 'adds', message: '' }];
  const receipts = receiptsFor(plan).map((one) => ({ ...one, pieces: one.pieces.map((piece) => ({ ...piece, exit: 1, failures })) }));
  const files = [{ plan }, ...receipts.map((receipt) => ({ receipt })), { problem: 'it is not JSON' }];
  return [reportOfRuns(files.map((one) => ({ ...one, file: 'x.json', top: '' })))];
}

/** Results as `affected run-shard --json` prints them. */
export function shardResults(): readonly unknown[] {
  const failed = ['ui', 'app (1 of 2)'];
  return [
    { schemaVersion: 1, receipts: receipts(), failed },
    { schemaVersion: 1, receipts: [], failed: [] },
  ];
}

import { expect, test } from '@jest/globals';
import { planOfPieces, receiptsFor } from '../gate/proof.fixture.js';
import type { Plan, Unselected } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { renderReport } from '../render-report.js';
import { type RunFile, reportOfRuns } from './all-runs.js';
import { describeRun, reportOfRun } from './one-run.js';

const PLAIN = { width: 100, bold: (text: string) => text };

function leftOut(...names: readonly string[]): readonly Unselected[] {
  return names.map((workspace) => ({ workspace, path: `packages/${workspace}`, reason: 'The change does not affect it.' }));
}

/** A plan that runs `ui`, `app` and `web`, of which a selection would run `ui` alone. `seconds` makes plans differ. */
function planOf(seconds = 0): Plan {
  return planOfPieces(
    [
      ['ui', 'app 1/2'],
      ['app 2/2', 'web'],
    ],
    { unselected: leftOut('app', 'web'), everythingSeconds: seconds },
  );
}

/** The receipts of a run, in which `failing` failed. */
function ran(plan: Plan, failing: readonly string[] = [], attempt = 1): readonly Receipt[] {
  const failures = [{ file: 'packages/web/a.test.js', line: 3, test: 'adds', message: '' }];
  return receiptsFor(plan).map((receipt) => ({
    ...receipt,
    attempt,
    pieces: receipt.pieces.map((piece) => (failing.includes(piece.workspace) ? { ...piece, exit: 1, failures } : piece)),
  }));
}

function filesOf(top: string, plan: Plan, receipts: readonly Receipt[]): readonly RunFile[] {
  const names = receipts.map(({ shard, attempt }) => `${top}/receipts-${attempt}/${shard}.json`);
  return [{ file: `${top}/plan.json`, top, plan }, ...receipts.map((receipt, at): RunFile => ({ file: names[at] ?? '', top, receipt }))];
}

test('one run: what was left out, and whether it failed', () => {
  const plan = planOf();
  const say = (receipts: readonly Receipt[]): readonly string[] =>
    describeRun(reportOfRun(plan, new Map(receipts.map((one) => [one.shard, one]))));
  expect(say(ran(plan))).toEqual([
    'Report only: a selection would have left out 2 of 3 workspaces, with 2 s of tests.',
    'All of their tasks passed.',
  ]);
  expect(say(ran(plan, ['web', 'ui']))).toContain('Failed outside of the selection: web.');
  expect(say(ran(plan).slice(0, 1))).toContain('No result outside of the selection: app, web.');
  expect(describeRun(reportOfRun(planOfPieces([['ui']]), new Map()))).toEqual([]);
});

test('many runs: their failures are added up, inside and outside of the selections', () => {
  const runs = Array.from({ length: 30 }, (_, at) => {
    const plan = planOf(at);
    return filesOf(`run-${at}`, plan, ran(plan, at === 3 ? ['web'] : at === 4 ? ['ui'] : []));
  });
  const again = planOf(31);
  const selecting = planOfPieces([['ui']]);
  const files = [
    ...runs.flat(),
    ...filesOf('again', again, [...ran(again, ['app']), ...ran(again, [], 2)]),
    ...filesOf('selecting', selecting, ran(selecting, ['ui'])),
  ];
  const result = reportOfRuns(files.toReversed());
  expect(result).toMatchObject({ runs: 31, incomplete: 0, selecting: 1, workspaces: 93, leftOut: 62, failedInside: 1, unread: [] });
  expect(result.failedOutside.map(({ workspace, tests, passedLater }) => [workspace, tests[0], passedLater])).toEqual([
    ['app', 'adds, packages/web/a.test.js:3', true],
    ['web', 'adds, packages/web/a.test.js:3', false],
  ]);
  const text = renderReport(result, PLAIN);
  expect(text).toContain('3 workspaces failed: 1 in the selection, 2 outside of it.');
  expect(text).toMatch(/web {6}adds, packages\/web\/a\.test\.js:3\n/);
  expect(text).not.toContain('Fewer than');
  expect(renderReport(reportOfRuns(runs[0] ?? []), PLAIN)).toMatch(/No workspace failed\.\nFewer than 30 runs show little\.$/);
});

test('a run that is twice there counts once, two runs of one commit count twice, and what is missing is told', () => {
  const plan = planOf();
  const [first, second] = [filesOf('1', plan, ran(plan)), filesOf('2', plan, ran(plan, ['web']))];
  expect(reportOfRuns([...first, ...filesOf('copy', plan, ran(plan)), ...filesOf('bare', plan, [])])).toMatchObject({
    runs: 1,
    incomplete: 0,
  });
  expect(reportOfRuns([...first, ...second])).toMatchObject({ runs: 2, failedOutside: [{ workspace: 'web' }] });
  // Each artifact in a folder of its own, without one for the run.
  const flat = first.map((one, at) => ({ ...one, top: `artifact-${at}` }));
  expect(reportOfRuns(flat)).toMatchObject({ runs: 1, incomplete: 0, unread: [] });
  const lost = filesOf('3', planOf(9), ran(planOf(9))).slice(1);
  expect(reportOfRuns([...first.slice(0, 2), ...lost, { file: 'x.json', top: '', problem: 'it is not JSON' }])).toMatchObject({
    runs: 1,
    incomplete: 1,
    unread: [{ problem: 'its plan is not there' }, { problem: 'its plan is not there' }, { file: 'x.json' }],
  });
  // Of two equal plans without their own folders, it is not known whose receipts these are.
  const mixed = [...first, ...second].map((one, at) => ({ ...one, top: `artifact-${at}` }));
  expect(reportOfRuns(mixed).unread.map(({ problem }) => problem)).toContain('several plans are equal, and none is in its folder');
  expect(reportOfRuns(filesOf('4', plan, []))).toMatchObject({ runs: 1, incomplete: 1, failedOutside: [] });
});

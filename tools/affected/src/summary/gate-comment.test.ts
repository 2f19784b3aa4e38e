import { describe, expect, test } from '@jest/globals';
import { type FoundReceipt, judge } from '../gate/judge.js';
import { affectedOf, planOfPieces, receiptFor, receiptsFor } from '../gate/proof.fixture.js';
import type { Plan } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { asName, failedWith, failing, HOSTILE } from '../report/failed-pieces.fixture.js';
import { gateComment } from './gate-comment.js';
import { gateSummary } from './gate-summary.js';
import { skeletonOf } from './markdown-skeleton.fixture.js';

const RUN = 'https://github.example/acme/app/actions/runs/1';
const plan = planOfPieces([['ui', 'app'], ['web']]);
const [first, second] = receiptsFor(plan) as [Receipt, Receipt];
const [ui, app] = first.pieces as [ReceiptPiece, ReceiptPiece];

function found(receipts: readonly Receipt[]): readonly FoundReceipt[] {
  return receipts.map((receipt, at) => ({ file: `${at}/x.json`, receipt }));
}

function commentOn(one: Plan, receipts: readonly Receipt[]): string {
  return gateComment(one, judge(one, found(receipts), { ofPlan: 1, ofRun: 2 }), { runUrl: RUN });
}

test('it says what was selected and why, what the shards took, and what was measured', () => {
  const long = { ...first, pieces: first.pieces.map((piece) => ({ ...piece, startedAt: 0, endedAt: 90_000 })) };
  expect(commentOn(plan, [long, second])).toBe(`## All planned tests ran and passed

3 pieces in 2 shards.

3 of 4 workspaces are affected. The slowest took 1.99 times the mean. About 15 min 10 s of machine time saved against testing everything.

<details><summary>What was selected, and why</summary>

| workspace | why |
| --- | --- |
| \`ui\` | \`it is always tested\` |
| \`app\` | \`it is always tested\` |
| \`web\` | \`it is always tested\` |

</details>

<details><summary>2 shards</summary>

| shard | predicted | took | from a cache |
| --- | --- | --- | --- |
| 01 | 20 s | 1 min 30 s |  |
| 02 | 10 s | 1 s |  |

</details>

Task \`test\`, commit \`aaaaaaaaaaaa\`, [the run](${RUN}). affected keeps this comment up to date.
`);
});

test('it claims no saving that was not measured', () => {
  expect(commentOn({ ...plan, everythingSeconds: null }, [first, second])).not.toContain('saved');
  expect(commentOn(plan, [first])).not.toContain('saved');
});

test('it says what failed, what is flaky, and that there was nothing to run', () => {
  const before = { ...first, pieces: [ui, failedWith(app, [])] };
  const again = { ...first, attempt: 2, pieces: [failedWith(ui, [failing('adds', 'expected 1')]), app] };
  const text = commentOn(plan, [before, again, second]);
  expect(text).toMatch(/^## Not proven: 1 problem\n\n\*\*Failed:\*\* `ui` [\s\S]*\n\| what is wrong \|\n/);
  expect(text).toContain('`adds` at `packages/ui/a.test.ts:7`\n\n```\nexpected 1\n```\n');
  expect(text).toContain('`app is flaky: it failed in attempt 1 and passed in attempt 2, on the same commit.`');
  const nothing = planOfPieces([], { affected: { ...affectedOf([]), head: null } });
  expect(gateComment(nothing, judge(nothing, [], { ofPlan: 1 }), { runUrl: undefined })).toBe(
    '## All planned tests ran and passed\n\nNothing had to run.\n\n0 of 1 workspace are affected.\n\nTask `test`. affected keeps this comment up to date.\n',
  );
});

test('it has no output of tasks: only names, messages and places of tests', () => {
  const file = 'packages/app/b.test.ts';
  const pieces = [failedWith(ui, [], 'the end of a log'), failedWith(app, [failing(file, 'all that a file printed', { file })])];
  const text = commentOn(plan, [{ ...first, pieces }, second]);
  expect(text).toContain('What it printed is in the log of that shard.');
  expect(text).toContain('`packages/app/b.test.ts` at `packages/app/b.test.ts:7`');
  expect(text).not.toMatch(/the end of a log|all that a file printed/);
});

test.each([['x'], ['`'], ['💥'], ['|'], ['a\n']])('GitHub takes it, with 2,000 pieces that failed with %j', (sign) => {
  const names = Array.from({ length: 2000 }, (_, at) => `${asName(sign).repeat(150)}${at}`.replace(/[ !`]/g, 'b'));
  const one = planOfPieces(names.map((name) => [name]));
  const failures = [failing(asName(sign.repeat(5000)), sign.repeat(5000))];
  const receipts = one.shards.map((shard) => ({
    ...receiptFor(one, shard),
    pieces: receiptFor(one, shard).pieces.map((piece) => failedWith(piece, failures)),
  }));
  const text = commentOn(one, receipts);
  expect(text.length).toBeLessThan(65_000);
  expect(text).toMatch(/\n<\/details>\n\nTask `test`, commit .* affected keeps this comment up to date\.\n$/);
  expect(JSON.stringify(skeletonOf(text))).toMatch(/<\/details>[^<]*up to date\."\]*$/);
});

describe.each<[string, (one: Plan, receipts: readonly Receipt[]) => string]>([
  ['comment', commentOn],
  ['summary', (one, receipts) => gateSummary(one, judge(one, found(receipts), { ofPlan: 1 }))],
])('nothing that a test says means anything in the %s', (_, write) => {
  const shown = (text: string): string => {
    const pieces = [failedWith(ui, [failing(asName(text), text, { file: asName(text) })]), failedWith(app, [], text)];
    return write(plan, [{ ...first, pieces }, second]);
  };
  const plain = skeletonOf(shown('x'));

  test.each(HOSTILE.filter(([, text]) => text !== ''))('%s', (__, text) => expect(skeletonOf(shown(text))).toEqual(plain));
});

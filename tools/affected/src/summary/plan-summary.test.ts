import { describe, expect, test } from '@jest/globals';
import { affectedOf, planOfPieces } from '../gate/proof.fixture.js';
import type { Plan } from '../plan/plan.js';
import { planSummary } from './plan-summary.js';

const plan: Plan = {
  ...planOfPieces([['ui', 'app 1/2'], ['app 2/2']]),
  shards: [
    { ...shard(0), seconds: 300, builds: 60 },
    { ...shard(1), seconds: 120.4 },
  ],
  affected: {
    ...affectedOf(['ui', 'app']),
    workspaceCount: 12,
    workspaces: [
      { name: 'ui', path: 'packages/ui', reasons: [{ kind: 'file', file: 'packages/ui/a.ts', others: 1 }, { kind: 'always' }] },
      { name: 'app', path: 'app', reasons: [{ kind: 'dependency', path: ['app', 'ui'], because: { kind: 'added' } }] },
    ],
  },
  leftOut: [{ workspace: 'docs', reason: 'It has no script "test".' }],
  everythingSeconds: 2000,
};

function shard(at: number): Plan['shards'][number] {
  const [one, two] = planOfPieces([['ui', 'app 1/2'], ['app 2/2']]).shards;
  const found = at === 0 ? one : two;
  if (found === undefined) throw new Error('no such shard');
  return found;
}

test('a plan in Markdown', () => {
  expect(planSummary(plan).split('\n')).toEqual([
    '## 2 shards, about 6 min 00 s',
    '',
    '2 of 12 workspaces are affected. Testing everything would take about 26 min 20 s more machine time. Set-up of a machine: 1 min 00 s. No receipt shows what runs at the same time on a machine: times are added up.',
    '',
    '| shard | about | of it builds | `test` |',
    '| --- | --- | --- | --- |',
    '| 01 | 5 min 00 s | 1 min 00 s | `ui`, `app (1 of 2)` |',
    '| 02 | 2 min 00 s |  | `app (2 of 2)` |',
    '',
    '<details><summary>Why each workspace runs</summary>',
    '',
    '| workspace | why |',
    '| --- | --- |',
    '| `ui` | `packages/ui/a.ts and 1 other file changed`, and 1 more reason |',
    '| `app` | `through ui: it is a new workspace` |',
    '',
    '</details>',
    '',
    '<details><summary>1 workspace left out</summary>',
    '',
    '| workspace | why not |',
    '| --- | --- |',
    '| `docs` | `It has no script "test".` |',
    '',
    '</details>',
    '',
  ]);
});

test('a plan of nothing says so, and who has no such task', () => {
  const empty = planSummary({ ...plan, shards: [] });
  expect(empty).toMatch(/^## Nothing to test\n/);
  expect(empty).toContain('| `docs` |');
});

test('why everything runs is said once, and not of each workspace', () => {
  const all = { code: 'FILE_UNCLAIMED', reason: 'a|b.sh is <b>outside</b> of every workspace.' } as const;
  const workspaces = plan.affected.workspaces.map((one) => ({ ...one, reasons: [{ kind: 'all' as const }] }));
  const text = planSummary({ ...plan, affected: { ...plan.affected, all, workspaces } });
  expect(text).toContain('All 12 workspaces are affected: `a¦b.sh is <b>outside</b> of every workspace.` [FILE_UNCLAIMED] ');
  expect(text).not.toContain('Why each workspace runs');
});

test('a saving that is none is not claimed', () => {
  for (const more of [{ everythingSeconds: 430 }, { everythingSeconds: null }, { guessed: 1 }])
    expect(planSummary({ ...plan, ...more })).not.toContain('Testing everything');
});

test.each<[more: Partial<Plan>, sentence: string]>([
  [{ guessed: 2 }, 'No run tells how long the tests take: the times are guesses.'],
  [{ guessed: 1 }, 'For 1 workspace, no run shows how long the tests take: the times are guesses.'],
  [{ machine: { cores: 2, concurrency: 10 } }, 'Times are for 2 processors and 10 tasks at once.'],
  [{ unusedShards: 33 }, 'With 33 more, as requested, it would not end earlier.'],
])('what the figures do not tell is said: %j', (more, sentence) => {
  expect(planSummary({ ...plan, ...more })).toContain(sentence);
  expect(planSummary(plan)).not.toContain(sentence);
});

describe('it stays below what engines take', () => {
  test.each([['x'], ['`'], ['💥'], ['|'], ['<']])('with 5,000 workspaces whose names are long, of %s', (sign) => {
    const names = Array.from({ length: 5000 }, (_, at) => `${at}${sign.repeat(600)}`);
    const { workspaces } = affectedOf(names);
    const [first] = planOfPieces([names.slice(0, 1)]).shards;
    if (first === undefined) throw new Error('no shard');
    const shards = names.map((workspace, at) => ({
      ...first,
      id: String(at),
      pieces: first.pieces.map((piece) => ({ ...piece, workspace })),
    }));
    const leftOut = names.map((workspace) => ({ workspace, reason: sign.repeat(600) }));
    const text = planSummary({ ...plan, affected: { ...plan.affected, workspaces }, shards, leftOut, task: sign.repeat(10_000) });
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(100_000);
    expect(text.match(/<details>/g)).toEqual(text.match(/<\/details>/g)?.map(() => '<details>'));
  });
});

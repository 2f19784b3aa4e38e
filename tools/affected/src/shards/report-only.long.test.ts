import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Plan } from '../plan/plan.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

const cleanUp = cleanUpIn(afterAll);

test('a plan that only reports runs everything, and tells what a selection would have missed', async () => {
  const packages = { user: {}, other: { fails: 1 }, third: {}, bare: { manifest: { scripts: {} } } };
  const one = await ShardRepo.create(cleanUp, packages, { changed: ['user'] });
  const at = (name: string): string => join(one.work, name);
  const files = ['--plan', at('plan.json'), '--receipts', at('receipts')];
  // A result of the others is in the cache, and does not count.
  await one.turbo(['run', 'test', '--filter=third']);
  const planned = await one.affected([
    'plan',
    '--base',
    'main',
    '--report-only',
    '--shards',
    '1',
    '--out',
    at('plan.json'),
    '--summary',
    at('plan.md'),
  ]);
  expect(planned.stdout).toContain('Report only: all 3 workspaces with the task run. A selection would leave out 2 of them.');
  expect(readFileSync(at('plan.md'), 'utf8')).toContain('2 workspaces that a selection would leave out');
  const plan = JSON.parse(readFileSync(at('plan.json'), 'utf8')) as Plan;
  expect(plan.affected.workspaces.map(({ name }) => name)).toEqual(['user']);
  expect(plan.unselected?.map(({ workspace }) => workspace)).toEqual(['other', 'third']);
  const ran = await one.affected(['run-shard', '--all', ...files]);
  // The proof of a task is for the log file, which a cache keeps.
  const proof = 'affected: nothing is missing';
  expect([ran.code, ran.stdout, readFileSync(join(one.repo.path, 'packages/p0/.turbo/turbo-test.log'), 'utf8')]).toEqual([
    1,
    expect.not.stringContaining(proof),
    expect.stringContaining(proof),
  ]);
  expect(ran.stdout).toContain('tests of user');
  expect(readFileSync(one.log, 'utf8').trimEnd().split('\n').sort()).toEqual(['other', 'third', 'third', 'user']);
  const gate = await one.affected(['gate', ...files, '--summary', at('gate.md')]);
  const said = 'Report only: a selection would have left out 2 of 3 workspaces';
  expect([gate.code, gate.stdout, readFileSync(at('gate.md'), 'utf8')]).toEqual([
    1,
    expect.stringContaining(said),
    expect.stringContaining(said),
  ]);
  expect(gate.stdout).toContain('Failed outside of the selection: other.');
  const json = await one.affected(['gate', ...files, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    reportOnly: { planned: 3, leftOut: ['other', 'third'], failed: ['other'], unknown: [] },
  });
  mkdirSync(at('runs/1/plan'), { recursive: true });
  cpSync(at('plan.json'), at('runs/1/plan/plan.json'));
  cpSync(at('receipts'), at('runs/1/receipts'), { recursive: true });
  const report = await one.affected(['report', '--runs', at('runs')]);
  expect([report.code, report.stderr]).toEqual([0, '']);
  expect(report.stdout).toContain('1 workspace failed: 0 in the selection, 1 outside of it.');
  const none = await one.affected(['report', '--runs', at('receipts')]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no usable plan')]);
});

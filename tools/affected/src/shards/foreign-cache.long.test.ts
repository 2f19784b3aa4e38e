import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// The turborepo cache that a CI engine restores may come from another run, or be damaged. It must never turn a failing test green.

const cleanUp = cleanUpIn(afterAll);

/** A workspace whose tests pass unless its source contains `broken`. */
const TESTED = {
  user: {
    test: `node ../../run-tests.mjs user 0 && node -e "process.exit(require('fs').readFileSync('src.js', 'utf8').includes('broken') ? 1 : 0)"`,
  },
};

/** Runs the tests of the change once, and keeps a copy of their cache. */
async function testedOnce(): Promise<{ readonly one: ShardRepo; readonly cache: string; readonly kept: string }> {
  const one = await ShardRepo.create(cleanUp, TESTED, { changed: ['user'] });
  expect(await verdict(one)).toEqual({ shard: 0, gate: 0 });
  expect(timesRun(one)).toBe(1);
  const cache = join(one.repo.path, '.turbo/cache');
  const kept = join(one.work, 'kept-cache');
  cpSync(cache, kept, { recursive: true });
  return { one, cache, kept };
}

test('the cache of a run that passed does not hide a test that fails now', async () => {
  const { one, cache, kept } = await testedOnce();
  one.repo.write({ 'packages/p0/src.js': 'broken;\n' });
  one.repo.commit('Break it');
  restore(one, kept, cache);
  expect(await verdict(one)).toEqual({ shard: 1, gate: 1 });
  expect(timesRun(one)).toBe(2);
});

test.each<[what: string, spoil: (cache: string) => void]>([
  ['is missing', (cache) => rmSync(cache, { recursive: true })],
  ['is empty', (cache) => changeFiles(cache, (path) => rmSync(path))],
  [
    'has archives that are cut off',
    (cache) => changeFiles(cache, (path) => isArchive(path) && writeFileSync(path, readFileSync(path).subarray(0, 20))),
  ],
  ['has empty archives', (cache) => changeFiles(cache, (path) => isArchive(path) && writeFileSync(path, ''))],
])('where the cache %s, the tests run again', async (_, spoil) => {
  const { one, cache, kept } = await testedOnce();
  restore(one, kept, cache);
  spoil(cache);
  expect(await verdict(one)).toEqual({ shard: 0, gate: 0 });
  expect(timesRun(one)).toBe(2);
});

async function verdict(one: ShardRepo): Promise<{ readonly shard: number | null; readonly gate: number | null }> {
  const plan = join(one.work, 'plan.json');
  const receipts = join(one.work, 'receipts');
  rmSync(receipts, { recursive: true, force: true });
  const planned = await one.affected(['plan', '--base', 'main', '--out', plan]);
  if (planned.code !== 0) throw new Error(planned.stderr);
  const shard = await one.affected(['run-shard', '01', '--plan', plan, '--receipts', receipts]);
  const gate = await one.affected(['gate', '--plan', plan, '--receipts', receipts]);
  return { shard: shard.code, gate: gate.code };
}

/** Restores a new checkout, except for the cache. turborepo would replay a log that is still in the workspace. */
function restore(one: ShardRepo, kept: string, cache: string): void {
  one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  cpSync(kept, cache, { recursive: true });
}

function changeFiles(folder: string, change: (path: string) => unknown): void {
  for (const name of readdirSync(folder)) change(join(folder, name));
}

function isArchive(path: string): boolean {
  return path.endsWith('.tar.zst');
}

function timesRun({ log }: ShardRepo): number {
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line === 'user').length
    : 0;
}

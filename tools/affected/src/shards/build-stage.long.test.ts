import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { STAGE_FILES, STAGE_PACKAGES, stageTimings } from '../testing/build-stage.fixture.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// A plan whose builds are made once, in jobs before the shards, with real git, Yarn and turborepo. Whatever is wrong with the results of
// these jobs, each shard builds what it lacks, and no test's result comes from there.

const cleanUp = cleanUpIn(afterAll);
let one: ShardRepo;
let planFile: string;
let stage: string;

beforeAll(async () => {
  one = await ShardRepo.create(cleanUp, STAGE_PACKAGES, { changed: ['left', 'right'], files: STAGE_FILES });
  planFile = join(one.work, 'plan.json');
  stage = join(one.work, 'stage');
});

function plan(...more: readonly string[]): ReturnType<ShardRepo['affected']> {
  const timings = join(one.work, 'timings.json');
  writeFileSync(timings, stageTimings());
  return one.affected(['plan', '--base', 'main', '--out', planFile, '--shards', '2', '--timings', timings, ...more]);
}

function planned(): Plan {
  return JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
}

/** Runs a shard in a new checkout. */
async function runShard(id: string): Promise<CliResult & { readonly staged: Receipt['staged'] }> {
  one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  const receipts = join(one.work, 'receipts');
  const result = await one.affected(['run-shard', id, '--plan', planFile, '--receipts', receipts, '--stage', stage]);
  return { ...result, staged: (JSON.parse(readFileSync(join(receipts, `${id}.json`), 'utf8')) as Receipt).staged };
}

/** Runs every shard, and the gate. */
async function runAll(): Promise<{
  readonly gate: number | null;
  readonly staged: readonly Receipt['staged'][];
  readonly ran: readonly string[];
}> {
  rmSync(one.log, { force: true });
  const shards = [await runShard('01'), await runShard('02')];
  const { code } = await one.affected(['gate', '--plan', planFile, '--receipts', join(one.work, 'receipts')]);
  return { gate: code, staged: shards.map(({ staged }) => staged), ran: readFileSync(one.log, 'utf8').trim().split('\n').sort() };
}

const BOTH = { builds: ['left#build', 'right#build'] };
const ALL_TESTS = ['left', 'right', 'test p2', 'test p3'];

test('only with --build-stage, and with times for which it pays off, builds are made once, before the shards', async () => {
  await plan();
  expect(planned()).not.toHaveProperty('stage');
  const { stdout } = await plan('--build-stage');
  expect(stdout).toContain('2 jobs first make 2 builds that the shards would repeat: the shards begin 6 min 20 s later');
  expect(
    planned()
      .stage?.jobs.map(({ builds }) => builds)
      .sort(),
  ).toEqual([['left#build'], ['right#build']]);
});

test('the shards get the builds from the stage, and nothing else, even if its results name those of tests', async () => {
  expect(await one.affected(['run-stage', '01', '02', '--plan', planFile, '--stage', stage])).toMatchObject({ code: 0 });
  expect(await runAll()).toEqual({ gate: 0, staged: [BOTH, BOTH], ran: ALL_TESTS });
  // What turborepo kept of the last shard, tests included, now lies among the results, under the names of tests and of a build.
  addResults(join(one.repo.path, '.turbo/cache'));
  expect(await runAll()).toEqual({ gate: 0, staged: [BOTH, BOTH], ran: ALL_TESTS });
});

test('without the results of the stage a shard builds itself, and says so', async () => {
  rmSync(stage, { recursive: true });
  const { code, stderr, staged } = await runShard('01');
  expect(code).toBe(0);
  expect(staged).toEqual({
    builds: [],
    problem: '2 builds (left#build) of the stage are made again: the results of the stage are missing.',
  });
  expect(stderr).toContain(staged?.problem);
});

test('builds that leave a file outside of their outputs are not given to the shards: a test might be among such files', async () => {
  const scripts = { build: "node -e \"fs.mkdirSync('gen', { recursive: true }); fs.writeFileSync('gen/a.test.js', '')\"", test: 'exit 0' };
  one.repo.write({ 'packages/p0/package.json': JSON.stringify({ name: 'left', scripts }) });
  one.repo.commit('Generate a test');
  await plan('--build-stage');
  one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  const made = await one.affected(['run-stage', '01', '02', '--plan', planFile, '--stage', stage]);
  expect(made.stderr).toContain('packages/p0/gen/a.test.js is in no outputs, so they would lack it.');
  expect(made).toMatchObject({ code: 1, stdout: expect.stringContaining('Failed, or not run: left#build.\n') });
  expect((await runShard('01')).staged?.builds).toEqual(['right#build']);
});

test('a build that fails fails in the stage, and in the shards', async () => {
  one.repo.write({
    'packages/p0/package.json': JSON.stringify({ name: 'left', scripts: { build: 'exit 3', test: 'exit 0' }, dependencies: {} }),
  });
  one.repo.commit('Break the build');
  await plan('--build-stage');
  one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  const made = await one.affected(['run-stage', '01', '02', '--plan', planFile, '--stage', stage]);
  expect(made.code).toBe(1);
  expect(made.stdout).toContain('Failed, or not run: left#build.\n');
  expect(await runAll()).toMatchObject({ gate: 1, ran: expect.not.arrayContaining(['test p2', 'test p3']) });
});

/** Adds entries of a cache to the results of the first job, each under the names of all tests and of a build. */
function addResults(cache: string): void {
  const job = join(stage, '01');
  const file = join(job, 'stage.json');
  const list = JSON.parse(readFileSync(file, 'utf8')) as { readonly builds: readonly object[] };
  const hashes = readdirSync(cache).flatMap((name) => /^([0-9a-f]+)\.tar\.zst$/.exec(name)?.[1] ?? []);
  const more = hashes.flatMap((hash) => {
    const names = [`${hash}.tar.zst`, `${hash}-meta.json`];
    for (const name of names) cpSync(join(cache, name), join(job, name));
    const files = names.map((name) =>
      createHash('sha256')
        .update(readFileSync(join(job, name)))
        .digest('hex'),
    );
    return ['app#test', 'web#test', 'left#test', 'right#test', 'left#build'].map((task) => ({ task, hash, files }));
  });
  writeFileSync(file, JSON.stringify({ ...list, builds: [...more, ...list.builds] }));
}

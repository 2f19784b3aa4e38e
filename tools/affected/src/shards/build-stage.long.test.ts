import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { Plan, Stage } from '../plan/plan.js';
import { sealPlan } from '../plan/seal.js';
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
  writeFileSync(timings, stageTimings(2));
  return one.affected(['plan', '--base', 'main', '--out', planFile, '--shards', '2', '--timings', timings, ...more]);
}

function planned(): Plan {
  return JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
}

/** Runs jobs of the stage. */
function runStage(...jobs: readonly (string | Readonly<Record<string, string>>)[]): ReturnType<ShardRepo['affected']> {
  const env = Object.assign({}, ...jobs.filter((job) => typeof job !== 'string'));
  return one.affected(['run-stage', ...jobs.filter((job) => typeof job === 'string'), '--plan', planFile, '--stage', stage], { env });
}

/** Runs a shard in a new checkout. */
async function runShard(
  id: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult & { readonly staged: Receipt['staged'] }> {
  one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  const receipts = join(one.work, 'receipts');
  const result = await one.affected(['run-shard', id, '--plan', planFile, '--receipts', receipts, '--stage', stage], { env });
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
  const ran = existsSync(one.log) ? readFileSync(one.log, 'utf8').trim().split('\n').sort() : [];
  return { gate: code, staged: shards.map(({ staged }) => staged), ran };
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

test('a plan without the stage that was asked for says why: in the text, the summary and the JSON', async () => {
  const ask = ['plan', '--base', 'main', '--out', join(one.work, 'other.json'), '--shards', '2', '--build-stage'];
  const summary = join(one.work, 'summary.md');
  const { stdout } = await one.affected([...ask, '--summary', summary]);
  const why = 'There is no build stage: no run shows how long the tests take in app and 3 more.';
  expect(stdout).toContain(`${why}\n`);
  expect(readFileSync(summary, 'utf8')).toContain(why);
  const { stdout: json } = await one.affected([...ask, '--json'], { env: { TURBO_TEAM: 'shop' } });
  expect(JSON.parse(json)).toMatchObject({ noStage: expect.stringMatching(/: TURBO_TEAM names a remote cache/) });
});

test('a file that lay there before, or differs from the commit, may be of an earlier build: nothing is built', async () => {
  for (const [path, reason] of [
    ['packages/p1/gen/old.test.js', 'was there before'],
    ['packages/p1/src.js', 'differs from the commit'],
  ] as const) {
    one.repo.write({ [path]: 'left' });
    const { code, stderr } = await runStage('01');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} ${reason}`)]);
    expect(existsSync(one.log)).toBe(false);
    one.repo.git('checkout', '-q', '.');
    one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  }
});

test('the shards get the builds from the stage, and nothing else, even if its results name those of tests', async () => {
  // The second job, in the same checkout, does not see the files of the first one; and no variable keeps turborepo from its results.
  expect(await runStage('01', '02', { TURBO_FORCE: 'true', TURBO_REMOTE_ONLY: 'true' })).toMatchObject({ code: 0 });
  expect(existsSync(join(one.repo.path, 'packages/p0/dist/out'))).toBe(false);
  expect(await runAll()).toEqual({ gate: 0, staged: [BOTH, BOTH], ran: ALL_TESTS });
  // What turborepo kept of the last shard, tests included, now lies among the results, under the names of tests and of a build.
  addResults(join(one.repo.path, '.turbo/cache'));
  expect(await runAll()).toEqual({ gate: 0, staged: [BOTH, BOTH], ran: ALL_TESTS });
});

test('a shard that does not read its cache builds itself, and says so', async () => {
  const { code, stderr, staged } = await runShard('01', { TURBO_FORCE: 'true' });
  expect(code).toBe(0);
  expect(staged).toEqual({ builds: [], problem: 'The builds of the stage are made again: TURBO_FORCE is set.' });
  expect(stderr).toContain(staged?.problem);
});

/** Commits other scripts of the two builds, and runs the jobs of a stage in a new checkout; `jobs`: instead of those of the plan. */
async function stageOf(
  builds: Readonly<Record<'left' | 'right', string>>,
  { more = {}, jobs }: { readonly more?: Files; readonly jobs?: Stage['jobs'] } = {},
): ReturnType<ShardRepo['affected']> {
  const manifestOf = (name: 'left' | 'right'): string => JSON.stringify({ name, scripts: { build: builds[name], test: 'exit 0' } });
  one.repo.write({ 'packages/p0/package.json': manifestOf('left'), 'packages/p1/package.json': manifestOf('right'), ...more });
  one.repo.commit('Build otherwise');
  const { stage: before } = planned();
  await plan('--build-stage');
  const { hash: _, ...rest } = planned();
  if (jobs !== undefined && before !== undefined)
    writeFileSync(planFile, JSON.stringify(sealPlan({ ...rest, stage: { ...before, jobs } })));
  one.repo.git('clean', '-dfqX', '--exclude=!node_modules');
  return runStage(...(planned().stage?.jobs ?? []).map(({ id }) => id));
}

function nodeScript(code: string): string {
  return `node -e "${code}"`;
}

const MAKE_TEST = nodeScript("fs.mkdirSync('gen', { recursive: true }); fs.writeFileSync('gen/a.test.js', '')");
const OUT = nodeScript("fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/out', '1')");

test('builds that leave a file outside of their outputs, or change one, are not given: a test might be among such files', async () => {
  const change = nodeScript("fs.appendFileSync('../../node_modules/.yarn-state.yml', '# changed')");
  const made = await stageOf({ left: MAKE_TEST, right: change });
  expect(made.stderr).toContain('packages/p0/gen/a.test.js is in no outputs, so they would lack it.');
  expect(made.stderr).toContain('they change node_modules/.yarn-state.yml, which was there before.');
  expect(made).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Failed, or not run: (left#build, right|right#build, left)#build\.\n/),
  });
});

test('a build that makes a test among the outputs of another one is not given: a shard may need one of them only', async () => {
  const files = JSON.parse(STAGE_FILES['turbo.json']) as { readonly tasks: object };
  const tasks = { ...files.tasks, 'right#build': { dependsOn: ['left#build'], outputs: ['dist/**', 'gen/**'] } };
  const left = nodeScript("fs.mkdirSync('../p1/gen', { recursive: true }); fs.writeFileSync('../p1/gen/a.test.js', '')");
  const { stderr } = await stageOf(
    { left, right: OUT },
    {
      more: { 'turbo.json': JSON.stringify({ ...files, tasks }) },
      jobs: [{ id: '01', seconds: 1, builds: ['left#build', 'right#build'] }],
    },
  );
  expect(stderr).toContain('packages/p1/gen/a.test.js is in the outputs of right#build, which did not make it.');
});

test('where fewer tests run than before, on builds of the stage, they run again on own builds: a test outside of the checkout is found', async () => {
  const left = nodeScript(
    "fs.writeFileSync(process.env.RAN_LOG + '.made', ''); fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/out', '')",
  );
  const manifest = JSON.parse(readFileSync(join(one.repo.path, 'packages/p2/package.json'), 'utf8')) as object;
  const more = {
    'turbo.json': STAGE_FILES['turbo.json'],
    'packages/p2/package.json': JSON.stringify({ ...manifest, scripts: { test: 'node --test' } }),
    'packages/p2/a.test.mjs': `import { existsSync } from 'node:fs';
import { test } from 'node:test';
test('a', () => {});
if (existsSync(process.env.RAN_LOG + '.made')) test('b', () => { throw new Error('broken'); });
`,
  };
  expect(await stageOf({ left, right: OUT }, { more })).toMatchObject({ code: 0 });
  // Each shard has a machine of its own.
  rmSync(`${one.log}.made`);
  const id = planned().shards.find(({ pieces }) => pieces.some(({ workspace }) => workspace === 'app'))?.id ?? '';
  const { code, stderr } = await runShard(id);
  expect([code, stderr]).toEqual([1, expect.stringContaining('app runs without a cache: fewer of its tests ran than before')]);
});

test('a build that fails fails in the stage, and in the shards, which get the other one', async () => {
  const made = await stageOf({ left: 'exit 3', right: OUT }, { more: { 'turbo.json': STAGE_FILES['turbo.json'] } });
  expect(made.code).toBe(1);
  expect(made.stdout).toContain('Failed, or not run: left#build.\n');
  const { gate, staged, ran } = await runAll();
  expect([gate, staged.map((each) => each?.builds)]).toEqual([1, [['right#build'], ['right#build']]]);
  expect(ran).not.toEqual(expect.arrayContaining(['test p2', 'test p3']));
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

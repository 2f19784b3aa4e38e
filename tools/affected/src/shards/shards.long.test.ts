import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createHome } from '@tributary/test-repo/run-cli';
import type { Plan } from '../plan/plan.js';
import { pieceName } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { jsonFilesIn, ShardRepo } from '../testing/shard-repo.fixture.js';

// From a change to a verdict, with real git, Yarn and turborepo: plan, each shard in turn as its machine would run it, the gate.

const cleanUp = cleanUpIn(afterAll);
let one: ShardRepo;
let planFile: string;
let receipts: string;

beforeAll(async () => {
  one = await ShardRepo.create(
    cleanUp,
    {
      '@acme/core': { builds: true },
      '@acme/ui': { dependencies: ['@acme/core'], builds: true },
      'app.web': { dependencies: ['@acme/ui'] },
      'c++lib': {},
      '@acme/e2e': {},
      quiet: { manifest: { scripts: { build: 'node -e 0' } }, dependencies: ['@acme/core'] },
      other: {},
    },
    {
      changed: ['@acme/core', 'c++lib'],
      files: { 'tributary.json': '{ "affected": { "always": ["@acme/e2e"] } }\n' },
    },
  );
  planFile = join(one.work, 'plan.json');
  receipts = join(one.work, 'receipts');
});

beforeEach(() => {
  for (const path of [planFile, receipts, one.log]) rmSync(path, { recursive: true, force: true });
});

/** Empties the cache of turborepo, so that each planned test runs. To the gate one that the cache replays is as good. */
function forgetResults(): void {
  for (const below of ['', ...[0, 1, 2, 3, 4, 5, 6].map((at) => `packages/p${at}`)])
    rmSync(join(one.repo.path, below, '.turbo'), { recursive: true, force: true });
}

async function plan(...more: readonly string[]): Promise<Plan> {
  const { code, stderr } = await one.affected(['plan', '--base', 'main', '--out', planFile, ...more]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
}

function runShard(...ids: readonly string[]): ReturnType<ShardRepo['affected']> {
  return one.affected(['run-shard', ...ids, '--plan', planFile, '--receipts', receipts]);
}

function gate(...more: readonly string[]): ReturnType<ShardRepo['affected']> {
  return one.affected(['gate', '--plan', planFile, '--receipts', receipts, ...more]);
}

function ran(): readonly string[] {
  return existsSync(one.log) ? readFileSync(one.log, 'utf8').trim().split('\n').sort() : [];
}

const AFFECTED = ['@acme/core', '@acme/e2e', '@acme/ui', 'app.web', 'c++lib'];

const LEFT_OUT = 'Left out: quiet. It has no script "test".\n';

describe('a plan', () => {
  test('has every affected workspace with the task in exactly one shard, and names the others', async () => {
    const { shards, leftOut, affected } = await plan('--shards', '3');
    expect(shards.map(({ id }) => id)).toEqual(['01', '02', '03']);
    expect(shards.flatMap(({ pieces }) => pieces.map(pieceName)).sort()).toEqual(AFFECTED);
    expect(leftOut).toEqual([{ workspace: 'quiet', reason: 'It has no script "test".' }]);
    expect(affected.workspaces).toHaveLength(6);
  });

  test('is the same each time it is made, and for more machines than there are pieces', async () => {
    const first = await plan('--shards', '5');
    expect(await plan('--shards', '5')).toEqual(first);
    expect((await plan('--shards', '20')).shards).toEqual(first.shards);
  });

  test('runs without a cache what the hash of turborepo does not see a reason for', async () => {
    const { shards } = await plan();
    const fresh = shards.flatMap(({ pieces }) => pieces.filter((piece) => piece.fresh).map(pieceName));
    expect(fresh).toEqual(['@acme/e2e']);
  });
});

describe('shards and gate', () => {
  test.each(['1', '5'])('on %s machines run all that is planned once, and pass', async (count) => {
    forgetResults();
    const { shards } = await plan('--shards', count);
    for (const { id } of shards) expect((await runShard(id)).code).toBe(0);
    expect(ran()).toEqual(AFFECTED);
    expect(jsonFilesIn(receipts)).toEqual(shards.map(({ id }) => `${id}.json`));
    const { code, stdout } = await gate();
    expect([code, stdout]).toEqual([
      0,
      `All 5 planned pieces in ${shards.length} shard${shards.length === 1 ? '' : 's'} ran and passed.\nTested: commit ${one.repo.id('HEAD').slice(0, 12)}, Node ${process.versions.node.split('.')[0]}.\n${LEFT_OUT}`,
    ]);
  });

  test('several shards can run in one job', async () => {
    await plan('--shards', '3');
    expect((await runShard('01', '02', '03')).code).toBe(0);
    expect((await gate()).code).toBe(0);
  });

  // Each home folder gets the announcement once, and a CI machine starts with a new one.
  test('turborepo sends no telemetry, and so has nothing to announce', async () => {
    await plan('--shards', '1');
    const home = cleanUp.add(createHome());
    const { code, stdout, stderr } = await one.affected(['run-shard', '01', '--plan', planFile, '--receipts', receipts], {
      env: { HOME: home.path },
    });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/telemetry/i);
  });

  test('nothing to run passes, and no shard is there', async () => {
    const { shards } = await plan('--head', 'main', '--base', 'main');
    // `always` is in every plan.
    expect(shards.flatMap(({ pieces }) => pieces.map(pieceName))).toEqual(['@acme/e2e']);
  });

  test('what was tested before comes out of the cache, but for what must be fresh', async () => {
    forgetResults();
    const { shards } = await plan('--shards', '1');
    await runShard('01');
    rmSync(one.log);
    const { code } = await runShard(shards[0]?.id ?? '');
    expect([code, ran()]).toEqual([0, ['@acme/e2e']]);
    const receipt = JSON.parse(readFileSync(join(receipts, '01.json'), 'utf8')) as Receipt;
    expect(receipt.pieces.filter(({ state }) => state === 'executed').map(pieceName)).toEqual(['@acme/e2e']);
    expect((await gate()).code).toBe(0);
  });

  test('a receipt that is missing fails the gate', async () => {
    await plan('--shards', '3');
    await runShard('01', '03');
    const { code, stdout } = await gate();
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^Shard 02 has no receipt: it was cancelled, or never ran\. Planned there: .*\.\nLeft out: quiet\. .*\n$/),
    ]);
  });

  test('receipts of another plan fail the gate', async () => {
    await plan('--shards', '3');
    await runShard('01', '02', '03');
    await plan('--shards', '2');
    expect(await gate()).toMatchObject({ code: 1, stdout: expect.stringContaining('is a receipt of a different plan.') });
  });

  test('receipts of an attempt before that of the plan fail the gate', async () => {
    await plan('--shards', '1');
    await runShard('01');
    expect((await gate('--attempt', '1')).code).toBe(0);
    expect(await gate('--attempt', '2')).toMatchObject({ code: 1, stdout: expect.stringContaining('attempt 1') });
  });

  test('an edited plan is none', async () => {
    const made = await plan('--shards', '2');
    const [first, ...others] = made.shards;
    writeFileSync(planFile, JSON.stringify({ ...made, shards: others }));
    for (const result of [await runShard(first?.id ?? ''), await gate()]) {
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('[PLAN_INVALID]') });
    }
  });

  test('another commit that is checked out is not tested for this plan', async () => {
    await plan('--shards', '1');
    one.repo.git('checkout', '-q', 'main');
    const result = await runShard('01');
    one.repo.git('checkout', '-q', 'topic');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('[PLAN_STALE]') });
    expect(ran()).toEqual([]);
  });

  test('a shard that the plan does not have is a wrong command line', async () => {
    await plan('--shards', '2');
    expect(await runShard('7')).toMatchObject({ code: 2, stderr: expect.stringContaining('Not a shard of the plan: "7".') });
  });

  test('without turborepo there is an error, and no receipt', async () => {
    await plan('--shards', '1');
    const result = await one.affected(['run-shard', '01', '--plan', planFile, '--receipts', receipts], { env: { PATH: '/usr/bin:/bin' } });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/\[PROGRAM_MISSING\]|\[TURBO_FAILED\]/) });
    expect(jsonFilesIn(receipts)).toEqual([]);
  });
});

test('a monorepo that got what Yarn wrote for another one is installed as by Yarn', async () => {
  const create = (test: string): Promise<ShardRepo> =>
    ShardRepo.create(cleanUp, { a: { test, dependencies: ['b'] }, b: {} }, { changed: ['a'] });
  const written = ({ repo }: ShardRepo): readonly string[] =>
    ['yarn.lock', 'node_modules/.yarn-state.yml', 'node_modules/a/package.json'].map((file) => readFileSync(join(repo.path, file), 'utf8'));
  await create('node -e 0');
  const copied = await create('node -e 1');
  const before = written(copied);
  await copied.install(copied.repo.path);
  expect(before).toEqual(written(copied));
  expect(before[2]).toContain('node -e 1');
});

const MEET = `import { existsSync, writeFileSync } from 'node:fs';
const [own, other] = process.argv.slice(2);
writeFileSync(own, '');
while (!existsSync(other)) await new Promise((resolve) => setTimeout(resolve, 20));
`;

describe('what a pass does not show is told by the gate', () => {
  const markdown = (): string => readFileSync(join(one.work, 'gate.md'), 'utf8');
  const pass = async (...more: readonly string[]): Promise<string> => {
    rmSync(join(one.work, 'gate.md'), { force: true });
    const { code, stderr } = await gate('--summary', join(one.work, 'gate.md'), ...more);
    return code === 0 ? markdown() : stderr;
  };

  test('only that nothing counts the tests, where all is as it should be', async () => {
    await plan('--shards', '1');
    await runShard('01');
    const told = await pass();
    expect(told).not.toMatch(/differ|flaky|same time/);
    // Nothing watches its scripts.
    expect(told).toContain('No runner told how many tests ran in @acme/core, @acme/e2e, @acme/ui, app.web, c++lib: ');
  });

  test('a work tree that differs from the commit', async () => {
    await plan('--shards', '1');
    one.repo.write({ 'packages/p6/src.js': 'other;\n' });
    await runShard('01');
    one.repo.git('checkout', '-q', '--', '.');
    expect(await pass()).toContain('`Shard 01 ran on tracked files that differ from those of the commit.`');
  });

  test('tests that wrote into tracked files, for the shard that comes after', async () => {
    const writes = await ShardRepo.create(
      cleanUp,
      {
        a: { test: 'node -e "fs.writeFileSync(\'src.js\', String(Date.now()))"' },
        b: { test: 'node -e "fs.writeFileSync(\'src.js\', String(Date.now()))"' },
      },
      { changed: ['a', 'b'] },
    );
    const [file, folder] = [join(writes.work, 'plan.json'), join(writes.work, 'receipts')];
    await writes.affected(['plan', '--base', 'main', '--shards', '2', '--out', file]);
    await writes.affected(['run-shard', '01', '02', '--plan', file, '--receipts', folder]);
    const states = jsonFilesIn(folder).map((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Receipt).workTree);
    expect(states).toEqual(['clean', 'dirty']);
  });

  test('two shards that ran in one checkout at the same time, each with its own tests', async () => {
    // Each ends only after the other one has started.
    const meet = (own: string, other: string): string => `node ../../meet.mjs '${join(one.work, own)}' '${join(one.work, other)}'`;
    const both = await ShardRepo.create(
      cleanUp,
      { base: {}, a: { test: meet('a', 'b'), dependencies: ['base'] }, b: { test: meet('b', 'a'), dependencies: ['base'] } },
      { changed: ['a', 'b'], files: { 'meet.mjs': MEET } },
    );
    const [file, folder] = [join(both.work, 'plan.json'), join(both.work, 'receipts')];
    await both.affected(['plan', '--base', 'main', '--shards', '2', '--out', file]);
    const run = (id: string): ReturnType<ShardRepo['affected']> => both.affected(['run-shard', id, '--plan', file, '--receipts', folder]);
    const codes = (await Promise.all([run('01'), run('02')])).map(({ code }) => code);
    const result = await both.affected(['gate', '--plan', file, '--receipts', folder]);
    expect([codes, result]).toEqual([
      [0, 0],
      expect.objectContaining({ code: 0, stderr: expect.stringContaining('at the same time as 02') }),
    ]);
  });

  test('tests that passed only in the second attempt', async () => {
    const flag = join(one.work, 'flag');
    const flaky = await ShardRepo.create(
      cleanUp,
      { a: { test: `node -e "fs.existsSync('${flag}') || (fs.writeFileSync('${flag}', ''), process.exit(1))"` } },
      { changed: ['a'] },
    );
    const file = join(flaky.work, 'plan.json');
    await flaky.affected(['plan', '--base', 'main', '--out', file]);
    const inAttempt = (number: string) => ({ env: { GITHUB_ACTIONS: 'true', GITHUB_RUN_ATTEMPT: number } });
    const attempt = (number: string): ReturnType<ShardRepo['affected']> =>
      flaky.affected(['run-shard', '01', '--plan', file, '--receipts', join(flaky.work, 'all', number)], inAttempt(number));
    expect([(await attempt('1')).code, (await attempt('2')).code]).toEqual([1, 0]);
    const gate = ['gate', '--plan', file, '--receipts', join(flaky.work, 'all')];
    const { code, stderr } = await flaky.affected(gate, inAttempt('2'));
    expect([code, stderr]).toEqual([0, expect.stringContaining('a is flaky: it failed in attempt 1 and passed in attempt 2')]);
  });
});

describe('tests that fail', () => {
  test('beside others that were planned and passed leave no receipt', async () => {
    const tasks = { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'], with: ['side'] }, side: {} };
    const beside = await ShardRepo.create(
      cleanUp,
      // turborepo starts the other task beside the tests, and forgets it if they have ended before.
      { good: { manifest: { scripts: { test: 'node -e "setTimeout(() => 0, 2000)"', side: 'node --nonsense' } } } },
      { changed: ['good'], files: { 'turbo.json': `${JSON.stringify({ tasks })}\n` } },
    );
    const [file, folder] = [join(beside.work, 'plan.json'), join(beside.work, 'receipts')];
    await beside.affected(['plan', '--base', 'main', '--out', file]);
    const { code, stderr } = await beside.affected(['run-shard', '01', '--plan', file, '--receipts', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('although all planned tests passed; good#side failed.')]);
    expect(jsonFilesIn(folder)).toEqual([]);
  });

  test('fail their shard and the gate, and the others run all the same', async () => {
    const failing = await ShardRepo.create(
      cleanUp,
      {
        good: {},
        bad: { fails: 3 },
        unbuilt: { dependencies: ['broken'] },
        broken: { manifest: { scripts: { build: 'node --nonsense' } } },
      },
      { changed: ['good', 'bad', 'broken'] },
    );
    const [file, folder] = [join(failing.work, 'plan.json'), join(failing.work, 'receipts')];
    await failing.affected(['plan', '--base', 'main', '--shards', '1', '--out', file]);
    const shard = await failing.affected(['run-shard', '01', '--plan', file, '--receipts', folder]);
    expect(shard.code).toBe(1);
    expect(shard.stdout).toContain('Failed, or not run: bad, unbuilt.');
    expect(readFileSync(failing.log, 'utf8').trim().split('\n').sort()).toEqual(['bad', 'good']);
    const { code, stdout } = await failing.affected(['gate', '--plan', file, '--receipts', folder]);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'Shard 01: bad failed with exit code 3.',
      'Shard 01: unbuilt was planned, but did not run. Failed in that shard: broken#build (exit code 9).',
      'Left out: broken. It has no script "test".',
      '',
    ]);
  });
});

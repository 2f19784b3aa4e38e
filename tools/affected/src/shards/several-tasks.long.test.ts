import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import { type Plan, pieceName } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { jsonFilesIn, ShardRepo } from '../testing/shard-repo.fixture.js';

// One plan, shards and one gate for test, lint and build, with real git, Yarn and turborepo.

const cleanUp = cleanUpIn(afterAll);
const TASKS = 'test,lint,build';
let one: ShardRepo;
let planFile: string;
let receipts: string;

/** Scripts that write their name into the log; lint fails on a file `bad.js`. */
function scriptsOf(name: string, tasks: readonly string[]): Manifest {
  const scripts = tasks.map((task) => [
    task,
    `node ../../run-tests.mjs '${task} ${name}' 0${task === 'lint' ? ' && test ! -e bad.js' : ''}`,
  ]);
  return { scripts: Object.fromEntries(scripts) };
}

beforeAll(async () => {
  const files = {
    'eslint.config.mjs': 'export default [];\n',
    'turbo.json': `${JSON.stringify({
      globalPassThroughEnv: ['RAN_LOG'],
      tasks: { build: { dependsOn: ['^build'], outputs: ['dist/**'] }, test: { dependsOn: ['build', '^build'] }, lint: {}, spare: {} },
    })}\n`,
  };
  one = await ShardRepo.create(
    cleanUp,
    {
      core: { manifest: scriptsOf('core', ['test', 'lint', 'build']) },
      ui: { dependencies: ['core'], manifest: { ...scriptsOf('ui', ['test', 'lint']), dependencies: { core: 'workspace:^' } } },
      other: { manifest: scriptsOf('other', ['test', 'lint', 'build']) },
      plain: { manifest: scriptsOf('plain', ['build']) },
    },
    { changed: ['core'], files },
  );
  planFile = join(one.work, 'plan.json');
  receipts = join(one.work, 'receipts');
}, 120_000);

beforeEach(() => {
  one.repo.git('checkout', '-q', '-f', 'topic');
  for (const path of [planFile, receipts, one.log]) rmSync(path, { recursive: true, force: true });
  for (const below of ['', ...[0, 1, 2, 3].map((at) => `packages/p${at}`)])
    for (const folder of ['.turbo', 'dist']) rmSync(join(one.repo.path, below, folder), { recursive: true, force: true });
});

/** The manifest of a workspace with other scripts. */
function withScripts(at: number, scripts: Readonly<Record<string, string | undefined>>): Files {
  const path = `packages/p${at}/package.json`;
  const manifest = JSON.parse(readFileSync(join(one.repo.path, path), 'utf8')) as Manifest & { scripts?: object };
  return { [path]: `${JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, ...scripts } })}\n` };
}

/** `more`: a task in it is instead of the usual ones. */
function planned(...more: readonly string[]): Promise<CliResult> {
  return one.affected(['plan', '--base', 'main', ...(more.includes('--task') ? [] : ['--task', TASKS]), '--out', planFile, ...more]);
}

async function planOf(...more: readonly string[]): Promise<Plan> {
  const { code, stderr } = await planned(...more);
  if (code !== 0) throw new Error(stderr);
  return readPlan();
}

function readPlan(): Plan {
  return JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
}

function piecesOf({ shards }: Plan): readonly string[] {
  return shards.flatMap(({ pieces }) => pieces.map(pieceName)).sort();
}

function runShards(...ids: readonly string[]): Promise<CliResult> {
  return one.affected(['run-shard', ...(ids.length === 0 ? ['--all'] : ids), '--plan', planFile, '--receipts', receipts]);
}

function gate(...more: readonly string[]): Promise<CliResult> {
  return one.affected(['gate', '--plan', planFile, '--receipts', receipts, ...more]);
}

function ran(): readonly string[] {
  return readFileSync(one.log, 'utf8').trim().split('\n').sort();
}

const ALL = ['core#build', 'core#lint', 'core#test', 'ui#lint', 'ui#test'];

describe('one plan for several tasks', () => {
  test('has a piece for each task that an affected workspace has, and the gate passes once all of them ran', async () => {
    const { code, stdout, stderr } = await planned('--shards', '2');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const plan = readPlan();
    expect(piecesOf(plan)).toEqual(ALL);
    expect(stdout).toContain(
      'test: 2 of 5 workspaces affected.\nlint: 2 of 5 workspaces affected.\nbuild: 2 of 5 workspaces affected.\n2 shards, about',
    );
    expect(stdout).toContain('Left out: ui#build. It has no script "build".');
    expect(plan.shards).toHaveLength(2);
    expect((await runShards()).code).toBe(0);
    // Nothing ran twice on this machine.
    expect(ran()).toEqual(['build core', 'lint core', 'lint ui', 'test core', 'test ui']);
    const passed = await gate();
    expect({ code: passed.code, stdout: passed.stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All 5 planned pieces in 2 shards ran and passed.'),
    });
    // Runners of tests tell what ran, and nobody expects that of a linter or a compiler.
    expect(passed.stderr).toMatch(/how many tests ran in core#test, ui#test:/);
  });

  test('is red for a linter that fails, and names it with its task', async () => {
    one.repo.git('checkout', '-q', '-b', 'bad-lint');
    one.repo.commit('Break the lint', { files: { 'packages/p0/bad.js': '' } });
    await planOf('--shards', '1');
    const { code, stdout } = await runShards();
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('Failed, or not run: core#lint.') });
    const red = await gate();
    expect(red.code).toBe(1);
    expect(red.stdout).toContain('Shard 01: core#lint failed with exit code 1.');
    expect(red.stdout).not.toContain('core#test failed');
  });

  test.each<[what: string, outcomes: string, lint: object, problems: readonly string[], failed: Receipt['failedBuilds']]>([
    // The second run is no proof of the first one.
    ['fails, and passes before its test', '10', {}, ['core#lint failed with exit code 1.'], undefined],
    [
      'passes, and fails before its test',
      '01',
      { cache: false },
      ['core#test was planned, but did not run. Failed in that shard: core#lint (exit code 1).'],
      // Without a cache, turborepo keeps no log.
      [{ task: 'core#lint', exit: 1 }],
    ],
    [
      'fails each time',
      '11',
      {},
      ['core#lint failed with exit code 1.', 'core#test was planned, but did not run. Failed in that shard: core#lint (exit code 1).'],
      [{ task: 'core#lint', exit: 1, log: 'run 1' }],
    ],
  ])('tells the truth about a lint that %s', async (_, outcomes, lint, problems, failed) => {
    one.repo.git('checkout', '-q', '-B', 'flaky-lint');
    const turbo = JSON.parse(readFileSync(join(one.repo.path, 'turbo.json'), 'utf8')) as { tasks: object };
    const tasks = { ...turbo.tasks, lint, test: { dependsOn: ['lint'] } };
    // Its n-th run ends with the n-th digit.
    const script = `node -e "const f = '${one.log}.runs', n = fs.existsSync(f) ? fs.statSync(f).size : 0; fs.appendFileSync(f, '.'); console.log('run', n); process.exitCode = +'${outcomes}'[n]"`;
    const files = { 'turbo.json': JSON.stringify({ ...turbo, tasks }), ...withScripts(0, { lint: script }) };
    one.repo.commit('Make a lint flaky', { files });
    one.repo.commit('Change core', { files: { 'packages/p0/src.js': `${outcomes};\n` } });
    rmSync(`${one.log}.runs`, { force: true });
    await planOf('--base', 'HEAD~1', '--task', 'test,lint', '--shards', '1');
    expect((await runShards()).code).toBe(1);
    const red = await gate();
    expect([red.code, red.stdout.split('\n').filter((line) => line.startsWith('Shard'))]).toEqual([
      1,
      problems.map((what) => `Shard 01: ${what}`),
    ]);
    const [file = ''] = jsonFilesIn(receipts);
    const { failedBuilds } = JSON.parse(readFileSync(join(receipts, file), 'utf8')) as Receipt;
    expect(failedBuilds).toEqual(failed);
  });

  test('is red for tests that ran on what an earlier task made of the files of the commit', async () => {
    one.repo.git('checkout', '-q', '-b', 'repairs');
    const lint = `node -e "fs.writeFileSync('src.js', 'good')"`;
    one.repo.commit('Add a fault', { files: { 'packages/p0/src.js': 'bad', ...withScripts(0, { lint, test: 'grep -q good src.js' }) } });
    // That an installation changes a file is noted, as for a plan of one task.
    one.repo.write({ 'packages/p3/src.js': 'installed' });
    await planOf('--task', 'lint,test', '--shards', '1');
    const { code, stderr } = await runShards();
    const why = 'Before it, lint ran in this checkout, and files of the commit changed: packages/p0/src.js.';
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`test proves nothing: ${why}`) });
    const red = await gate();
    expect({ code: red.code, stdout: red.stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Shard 01: core#test proves nothing. ${why}`),
    });
    expect(red.stdout).not.toContain('lint proves nothing');
  });

  test('runs tests once after a build without outputs that was a piece before', async () => {
    one.repo.git('checkout', '-q', '-b', 'no-outputs');
    const turbo = JSON.parse(readFileSync(join(one.repo.path, 'turbo.json'), 'utf8')) as { tasks: { build: object } };
    const tasks = { ...turbo.tasks, build: {} };
    const build = `node -e "fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/a.js', '')"`;
    const ignored = `${readFileSync(join(one.repo.path, '.gitignore'), 'utf8')}dist\n`;
    const files = { 'turbo.json': JSON.stringify({ ...turbo, tasks }), '.gitignore': ignored, ...withScripts(0, { build }) };
    one.repo.commit('Build without outputs', { files });
    one.repo.commit('Change core', { files: { 'packages/p0/src.js': '3;\n' } });
    await planOf('--base', 'HEAD~1', '--task', 'test,build', '--shards', '1');
    const { code, stderr } = await runShards();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('restores nothing') });
    expect(ran()).toEqual(['test core', 'test ui']);
  });

  test('agrees that a workspace loses its lint only if that is named', async () => {
    one.repo.git('checkout', '-q', '-b', 'no-lint');
    one.repo.commit('Drop a lint', { files: withScripts(1, { lint: undefined }) });
    const agreed = async (dropped: string): Promise<unknown> => (await planOf('--dropped', dropped)).also?.[0]?.atBase.lost;
    expect(await agreed('ui,*')).toMatchObject([{ workspace: 'ui', agreed: null }]);
    expect(await agreed('ui#lint')).toMatchObject([{ workspace: 'ui', agreed: expect.stringContaining('--dropped') }]);
  });

  test('is red for a piece without proof, though the same workspace has passed with another task', async () => {
    await planOf('--shards', '1');
    await runShards();
    const [file = ''] = jsonFilesIn(receipts);
    const path = join(receipts, file);
    const receipt = JSON.parse(readFileSync(path, 'utf8')) as Receipt;
    expect(receipt.pieces.map(pieceName).sort()).toEqual(ALL);
    writeFileSync(path, JSON.stringify({ ...receipt, pieces: receipt.pieces.filter((piece) => pieceName(piece) !== 'core#lint') }));
    const red = await gate();
    expect({ code: red.code, stdout: red.stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Shard 01: core#lint was planned, but did not run.'),
    });
    // The receipt of another task does not stand in.
    const swapped = receipt.pieces.map((piece) => (pieceName(piece) === 'core#lint' ? { ...piece, task: 'spare' } : piece));
    writeFileSync(path, JSON.stringify({ ...receipt, pieces: swapped }));
    expect((await gate()).stdout).toContain('Shard 01: core#spare ran, but was not planned there.');
  });

  test('is red for a shard without a receipt, and green when that shard has run again', async () => {
    await planOf('--shards', '2');
    await runShards('01');
    const red = await gate();
    expect(red.code).toBe(1);
    expect(red.stdout).toContain('Shard 02 has no receipt');
    await runShards('02');
    expect((await gate()).code).toBe(0);
  });

  test('selects each task by its own rules: settings of linters, every lint and no test', async () => {
    one.repo.git('checkout', '-q', '-b', 'lint-only', 'main');
    one.repo.commit('Configure the linter', { files: { 'eslint.config.mjs': 'export default [{}];\n' } });
    const { outside, also } = await planOf();
    expect(piecesOf(readPlan())).toEqual(['core#lint', 'other#lint', 'ui#lint']);
    expect((await runShards()).code).toBe(0);
    expect(ran()).toEqual(['lint core', 'lint other', 'lint ui']);
    expect((await gate()).code).toBe(0);
    // A cached lint of other settings does not count, and a cached test does.
    one.repo.git('checkout', '-q', 'topic');
    const before = await planOf();
    expect(outside).toBe(before.outside);
    expect(also?.[0]?.outside).not.toBe(before.also?.[0]?.outside);
  });

  test('takes results from the cache that prove their run, for each task', async () => {
    await planOf('--shards', '1');
    await runShards();
    rmSync(receipts, { recursive: true });
    rmSync(one.log);
    expect((await runShards()).code).toBe(0);
    const [file = ''] = jsonFilesIn(receipts);
    const { pieces } = JSON.parse(readFileSync(join(receipts, file), 'utf8')) as Receipt;
    // turborepo hashes nothing of `core` for the lint of `ui`, and for its test it does.
    const forced = "turborepo's hash may not show why it was selected: through core: packages/p0/src.js changed.";
    expect(pieces.map((piece) => [pieceName(piece), piece.state, piece.forced]).sort()).toEqual(
      ALL.map((name) => (name === 'ui#lint' ? [name, 'executed', forced] : [name, 'replayed', undefined])),
    );
    expect((await gate()).code).toBe(0);
  });

  test('takes a result that ran only before another task, for it is proven too', async () => {
    one.repo.git('checkout', '-q', '-B', 'two-steps');
    one.repo.commit('Change ui', { files: { 'packages/p1/src.js': '2;\n' } });
    const args = ['plan', '--task', 'test,build', '--out', planFile, '--base'];
    await one.affected([...args, 'HEAD~1']);
    expect(piecesOf(readPlan())).toEqual(['ui#test']);
    await runShards();
    expect(ran()).toEqual(['build core', 'test ui']);
    rmSync(receipts, { recursive: true });
    await one.affected([...args, 'main']);
    await runShards();
    expect(ran()).toEqual(['build core', 'test core', 'test ui']);
    expect((await gate()).code).toBe(0);
  });

  test('says what a selection would have left out, by task', async () => {
    const { unselected, also } = await planOf('--report-only');
    expect([unselected, ...(also ?? []).map((task) => task.unselected)].map((left) => left?.map(({ workspace }) => workspace))).toEqual([
      ['other'],
      ['other'],
      ['other', 'plain'],
    ]);
    await runShards();
    expect((await gate()).stdout).toMatch(
      /Report only: a selection would have left out 4 of 9 tasks, with \S+ s of work\.\nAll of their tasks passed\./,
    );
  });

  test('plans everything for each task if the change cannot be read, and reads a list of files once', async () => {
    const { also, affected } = await planOf('--base', 'nowhere', '--fallback', 'all');
    expect([affected, ...(also ?? []).map((task) => task.affected)].map(({ all }) => all?.code)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect(piecesOf(readPlan())).toEqual(
      ['core#build', 'core#lint', 'core#test', 'other#build', 'other#lint', 'other#test', 'plain#build', 'ui#lint', 'ui#test'].sort(),
    );
    const list = join(one.work, 'list.txt');
    execFileSync('mkfifo', [list]);
    const writing = writeFile(list, 'packages/p2/src.js\n');
    expect(piecesOf(await planOf('--files-from', list))).toEqual(['other#build', 'other#lint', 'other#test']);
    await writing;
  });

  test('stores the times of each task', async () => {
    await planOf('--shards', '1');
    await runShards();
    const timings = join(one.work, 'timings.json');
    await one.affected(['timings', 'collect', '--plan', planFile, '--receipts', receipts, '--into', timings]);
    const known = readFileSync(timings, 'utf8');
    for (const name of ALL) expect(known).toContain(`"${name}"`);
  });
});

describe('a list of tasks that cannot be meant', () => {
  test.each<[tasks: string, message: string]>([
    ['test,,lint', 'It must name tasks, separated by commas.'],
    ['test,', 'It must name tasks, separated by commas.'],
    ['', 'It must name tasks, separated by commas.'],
    ['test,lint,test', 'It names "test" twice.'],
    ['test,core#lint', 'It must name tasks without a workspace.'],
    ['test,lunt', 'turbo.json has no task "lunt".'],
  ])('%p: %s', async (tasks, message) => {
    const { code, stderr } = await one.affected(['plan', '--base', 'main', '--task', tasks, '--out', planFile]);
    expect({ code: code !== 0, stderr }).toEqual({ code: true, stderr: expect.stringContaining(message) });
  });

  test('a task without a script in any workspace has no piece, beside one that has', async () => {
    const { code } = await one.affected(['plan', '--base', 'main', '--task', 'lint,spare', '--out', planFile]);
    expect(code).toBe(0);
    expect(piecesOf(readPlan())).toEqual(['core#lint', 'ui#lint']);
  });
});

import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import { findTool } from '../ci-tests/tools.fixture.js';
import { type Plan, pieceName } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { jsonFilesIn, ShardRepo } from '../testing/shard-repo.fixture.js';

// Suites of real runners, whole and in parts: the same tests run, with the same result. Each suite has a setup for all files and a shared
// file on disk. Some tests depend on the one before, and some files only look like tests.

const cleanUp = cleanUpIn(afterAll);

/** Returns five files of two tests. The second test needs the result of the first. `fails` names the file whose second test fails. */
function testFiles(ending: string, { head, fails }: { readonly head: string; readonly fails?: string }): Files {
  const text = (name: string): string => `${head}
const { appendFileSync, existsSync } = require('node:fs');
let left = 0;
const log = (line) => appendFileSync(process.env.RAN_LOG, line + '\\n');
test('one', () => { left += 1; if (!existsSync(__dirname + '/../shared.txt') || !process.env.SET_UP) throw new Error('no setup'); log('${name} one'); });
test('two', () => { if (left !== 1${name === fails ? ' || true' : ''}) throw new Error('bad'); log('${name} two'); });
`;
  const tests = ['a', 'b', 'c', 'd', 'e'].map((name) => [`checks/${name}${ending}`, text(name)] as const);
  const others = Array.from({ length: 40 }, (_, at) => [`tests/data-${at}.js`, "throw new Error('no test');\n"] as const);
  return { 'shared.txt': '', ...Object.fromEntries([...tests, ...others]) };
}

interface Suite {
  readonly script: string;
  readonly program: string | undefined;
  readonly manifest?: Manifest;
  readonly files: (fails?: string) => Files;
  /** The package that tests import, by its place in `node_modules`. */
  readonly linked?: string;
}

/** The tests of all five files. */
const ALL = ['a', 'b', 'c', 'd', 'e'].flatMap((file) => [`${file} one`, `${file} two`]);

const SETUP = "process.env.SET_UP = '1';\n";
const SUITES: Readonly<Record<string, Suite>> = {
  jest: {
    script: 'jest',
    program: join(findProjectRoot(), 'node_modules/.bin/jest'),
    manifest: { jest: { setupFilesAfterEnv: ['./setup.js'] } },
    files: (fails) => ({ 'setup.js': `beforeEach(() => { ${SETUP} });\n`, ...testFiles('.test.js', { head: '', ...failing(fails) }) }),
  },
  vitest: {
    script: 'vitest run --globals',
    program: findTool('VITEST'),
    files: (fails) => ({
      'setup.js': `beforeEach(() => { ${SETUP} });\n`,
      'vitest.config.mjs': "export default { test: { setupFiles: ['./setup.js'] } };\n",
      ...testFiles('.test.cjs', { head: '', ...failing(fails) }),
    }),
  },
  playwright: {
    script: 'playwright test',
    program: findTool('PLAYWRIGHT'),
    linked: 'playwright',
    files: (fails) => ({
      'setup.js': `module.exports = () => { ${SETUP} };\n`,
      'playwright.config.js': "module.exports = { globalSetup: './setup.js', testDir: 'checks', workers: 1 };\n",
      ...testFiles('.spec.js', { head: "const { test } = require('playwright/test');", ...failing(fails) }),
    }),
  },
  node: {
    script: 'node --test',
    program: process.execPath,
    files: (fails) =>
      testFiles('.test.js', { head: `const { test, before } = require('node:test');\nbefore(() => { ${SETUP} });`, ...failing(fails) }),
  },
};

function failing(fails: string | undefined): { readonly fails?: string } {
  return fails === undefined ? {} : { fails };
}

/** Returns a wrapper of a program. If the folder has a file `slow`, tests take more than ten seconds. */
function wrapper(folder: string, program: string): string {
  return `#!/bin/sh\n[ ! -e "${folder}/slow" ] || case "$*" in *list*) ;; *) sleep 10.5 ;; esac\nexec "${program}" "$@"\n`;
}

interface Outcome {
  readonly pieces: readonly string[];
  /** The receipts' value for the list that a part was cut out of. */
  readonly lists: readonly (string | undefined)[];
  /** The tests that ran and passed, sorted. */
  readonly ran: readonly string[];
  readonly gate: CliResult;
}

describe.each(Object.entries(SUITES))('%s', (name, suite) => {
  const run = suite.program === undefined ? test.skip : test;

  async function makeRepo(fails?: string): Promise<ShardRepo> {
    const repo = await ShardRepo.create(
      cleanUp,
      { app: { test: suite.script, files: suite.files(fails), manifest: suite.manifest ?? {} } },
      { changed: ['app'], files: {} },
    );
    const program = suite.program ?? '';
    if (name !== 'node') writeFileSync(join(repo.work, 'bin', name), wrapper(repo.work, program), { mode: 0o755 });
    if (suite.linked !== undefined) {
      mkdirSync(join(repo.repo.path, 'node_modules'), { recursive: true });
      symlinkSync(dirname(realpathSync(program)), join(repo.repo.path, 'node_modules', suite.linked));
    }
    return repo;
  }

  async function runAll(
    repo: ShardRepo,
    shards: number,
    files: Readonly<Record<string, number>> | null = null,
    env: Readonly<Record<string, string>> = {},
    cache: 'removed' | 'kept' = 'removed',
  ): Promise<Outcome> {
    const [planFile, receipts] = [join(repo.work, 'plan.json'), join(repo.work, 'receipts')];
    const old = [receipts, repo.log, ...(cache === 'kept' ? [] : [join(repo.repo.path, '.turbo')])];
    for (const path of old) rmSync(path, { recursive: true, force: true });
    // As after a first run: 300 s, five files.
    const timings = join(repo.work, 'timings.json');
    const known = { tasks: { 'app#test': [300] }, testFiles: { 'app#test': [5] }, files: { 'app#test': [files] } };
    writeFileSync(timings, JSON.stringify({ schemaVersion: 1, ...known }));
    await repo.affected(['plan', '--base', 'main', '--out', planFile, '--shards', String(shards), '--timings', timings]);
    const plan = JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
    const pieces = plan.shards.flatMap((shard) => shard.pieces.map(pieceName));
    for (const { id } of plan.shards) await repo.affected(['run-shard', id, '--plan', planFile, '--receipts', receipts], { env });
    const gate = await repo.affected(['gate', '--plan', planFile, '--receipts', receipts]);
    const lists = jsonFilesIn(receipts).flatMap((file) =>
      (JSON.parse(readFileSync(join(receipts, file), 'utf8')) as Receipt).pieces.map(({ list }) => list),
    );
    return { pieces: pieces.sort(), lists, ran: readFileSync(repo.log, 'utf8').trim().split('\n').sort(), gate };
  }

  run('in parts runs the tests of the whole, and passes', async () => {
    const repo = await makeRepo();
    const parts = await runAll(repo, 2);
    expect([parts.pieces, parts.ran, parts.gate.code]).toEqual([['app (1 of 2)', 'app (2 of 2)'], ALL, 0]);
  });

  run('in parts by the times of its files runs the tests of the whole, the long file by itself', async () => {
    const repo = await makeRepo();
    const ending =
      Object.keys(suite.files())
        .find((path) => path.startsWith('checks/a'))
        ?.slice('checks/a'.length) ?? '';
    const times = Object.fromEntries(['a', 'b', 'c', 'd'].map((file) => [`checks/${file}${ending}`, file === 'c' ? 9 : 1]));
    const parts = await runAll(repo, 2, times);
    expect([parts.pieces, parts.ran, parts.gate.code]).toEqual([['app (1 of 2)', 'app (2 of 2)'], ALL, 0]);
    expect([new Set(parts.lists).size, typeof parts.lists[0]]).toEqual([1, 'string']);
    if (name === 'playwright') return;
    rmSync(repo.log);
    const [planFile, receipts] = [join(repo.work, 'plan.json'), join(repo.work, 'again')];
    rmSync(join(repo.repo.path, '.turbo'), { recursive: true, force: true });
    const { shards } = JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
    const first = shards.find(({ pieces }) => pieces.some(({ part }) => part?.[0] === 1))?.id ?? '';
    await repo.affected(['run-shard', first, '--plan', planFile, '--receipts', receipts]);
    expect(readFileSync(repo.log, 'utf8').trim().split('\n').sort()).toEqual(['c one', 'c two']);
    // An earlier file that still exists is missing in the list, so the runner splits by itself.
    const doubtful = await runAll(repo, 2, { ...times, 'shared.txt': 1 });
    expect([doubtful.ran, doubtful.gate.code, new Set(doubtful.lists).size]).toEqual([ALL, 0, 1]);
    expect(doubtful.lists).not.toEqual(parts.lists);
  });

  // The tests below check the list of each runner.
  if (name === 'jest')
    run('in parts whose checkouts have different files proves nothing', async () => {
      const repo = await makeRepo();
      const { pieces, lists, gate } = await runAll(repo, 2);
      expect([pieces.length, new Set(lists).size, typeof lists[0], gate.code]).toEqual([2, 1, 'string', 0]);
      const [planFile, receipts] = [join(repo.work, 'plan.json'), join(repo.work, 'receipts')];
      const [first = ''] = Object.keys(suite.files()).filter((path) => path.startsWith('checks/'));
      const folder = join(repo.repo.path, 'packages/p0');
      writeFileSync(join(folder, first.replace('checks/', 'checks/made-')), readFileSync(join(folder, first)));
      await repo.affected(['run-shard', '02', '--plan', planFile, '--receipts', receipts]);
      const again = await repo.affected(['gate', '--plan', planFile, '--receipts', receipts]);
      expect([again.code, again.stdout + again.stderr]).toEqual([1, expect.stringContaining('different lists')]);
    });

  if (name === 'jest')
    run('in parts that settings cut in a way of their own proves nothing if a file is in none', async () => {
      const repo = await makeRepo();
      const folder = join(repo.repo.path, 'packages/p0');
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      const jest = { ...(manifest['jest'] as object), testSequencer: './sequencer.cjs' };
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, jest }));
      const always =
        'module.exports = class { shard(tests) { return [...tests].sort((one, two) => (one.path < two.path ? -1 : 1)).slice(0, 2); } sort(tests) { return tests; } cacheResults() {} };\n';
      writeFileSync(join(folder, 'sequencer.cjs'), always);
      repo.repo.commit('Cut in another way');
      const { gate } = await runAll(repo, 2);
      const told = [1, expect.stringContaining('3 of the 5 test files of app ran in none of its parts.')];
      expect([gate.code, gate.stdout]).toEqual(told);
      // The cache has both parts now.
      const again = await runAll(repo, 2, null, {}, 'kept');
      expect([again.gate.code, again.gate.stdout]).toEqual(told);
    });

  if (name === 'jest')
    run('in parts has the list that the variables of its task make, not those of the job', async () => {
      const repo = await makeRepo();
      const folder = join(repo.repo.path, 'packages/p0');
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, jest: undefined }));
      const config =
        "module.exports = { setupFilesAfterEnv: ['./setup.js'], testMatch: [process.env.LESS ? '**/checks/[a-d].*' : '**/checks/*'] };\n";
      writeFileSync(join(folder, 'jest.config.js'), config);
      repo.repo.commit('Look at a variable');
      const times = Object.fromEntries(['a', 'b', 'c', 'd'].map((file) => [`checks/${file}.test.js`, 1]));
      // turborepo does not pass the variable on to the tests.
      const { ran, gate, lists } = await runAll(repo, 2, times, { LESS: '1', TURBO_CACHE: 'local:r' });
      expect([ran.filter((line) => line.startsWith('e')), gate.code, new Set(lists).size]).toEqual([['e one', 'e two'], 0, 1]);
    });

  run('in parts fails if one of its tests fails, and runs the others', async () => {
    const parts = await runAll(await makeRepo('e'), 2);
    expect([parts.ran, parts.gate.code]).toEqual([ALL.filter((line) => line !== 'e two'), 1]);
  });

  // Its list asks no files of before.
  if (name === 'playwright') return;

  run('in parts by the times of its files runs what its build makes, and not what that takes away', async () => {
    const ending = name === 'vitest' ? '.test.cjs' : '.test.js';
    const repo = await makeRepo();
    const folder = join(repo.repo.path, 'packages/p0');
    const made = readFileSync(join(folder, `checks/a${ending}`), 'utf8')
      .replaceAll('a one', 'made one')
      .replaceAll('a two', 'made two');
    const build = `const fs = require('node:fs'); fs.writeFileSync('checks/made${ending}', ${JSON.stringify(made)}); fs.rmSync('checks/old${ending}', { force: true });`;
    writeFileSync(join(folder, 'build.cjs'), build);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts: { build: 'node build.cjs', test: suite.script } }));
    const tasks = { build: { cache: false }, test: { dependsOn: ['build'] } };
    writeFileSync(join(repo.repo.path, 'turbo.json'), JSON.stringify({ globalPassThroughEnv: ['RAN_LOG'], tasks }));
    repo.repo.commit('Make tests');
    writeFileSync(join(folder, `checks/old${ending}`), "throw new Error('old');\n");
    const parts = await runAll(repo, 2, Object.fromEntries(['a', 'b', 'c', 'd'].map((file) => [`checks/${file}${ending}`, 1])));
    expect([parts.gate.stderr, parts.gate.code, new Set(parts.lists).size, typeof parts.lists[0]]).toEqual(['', 0, 1, 'string']);
    expect(new Set(parts.ran)).toEqual(new Set([...ALL, 'made one', 'made two']));
  });

  // For node, the files of the commit are the list. jest and vitest report theirs.
  if (name !== 'playwright') return;

  run('is asked for its files once it took long', async () => {
    const repo = await makeRepo();
    writeFileSync(join(repo.work, 'slow'), '');
    const [planFile, receipts] = [join(repo.work, 'plan.json'), join(repo.work, 'receipts')];
    await repo.affected(['plan', '--base', 'main', '--out', planFile]);
    expect((await repo.affected(['run-shard', '01', '--plan', planFile, '--receipts', receipts])).code).toBe(0);
    const receipt = JSON.parse(readFileSync(join(receipts, '01.json'), 'utf8')) as Receipt;
    expect(receipt.pieces.map(({ testFiles: files }) => files)).toEqual([5]);
  });
});

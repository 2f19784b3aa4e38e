import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { Files } from '@tributary/test-repo/temp-repo';
import { findTool } from '../ci-tests/tools.fixture.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// The evidence that a shard gets from the processes and the runners of its tests, without an effect on the tests.

const cleanUp = cleanUpIn(afterAll);
const RUNNERS = {
  jest: join(findProjectRoot(), 'node_modules/.bin/jest'),
  vitest: findTool('VITEST'),
  mocha: findTool('MOCHA'),
  playwright: findTool('PLAYWRIGHT'),
  node: process.execPath,
} as const;
type Runner = keyof typeof RUNNERS;

interface Suite {
  readonly script: string;
  readonly files: Files;
  /** Files by their path from the root. */
  readonly more?: Files;
  /** The time that the runner sleeps first. */
  readonly sleeps?: number;
}

/** Runs the tests of one workspace as a shard. Returns the piece of its receipt. */
async function run(runner: Runner, suite: Suite): Promise<{ readonly piece: ReceiptPiece; readonly repo: ShardRepo }> {
  const repo = await ShardRepo.create(
    cleanUp,
    { app: { test: suite.script, files: suite.files } },
    { changed: ['app'], files: suite.more ?? {} },
  );
  const program = RUNNERS[runner] ?? '';
  if (runner !== 'node') {
    const text = `#!/bin/sh\nsleep ${suite.sleeps ?? 0}\nexec "${program}" "$@"\n`;
    writeFileSync(join(repo.work, 'bin', runner), text, { mode: 0o755 });
  }
  if (runner === 'playwright' && program !== '')
    symlinkSync(dirname(realpathSync(program)), join(repo.repo.path, 'node_modules/playwright'));
  return { piece: await pieceOf(repo), repo };
}

async function pieceOf(repo: ShardRepo, env: Readonly<Record<string, string>> = {}): Promise<ReceiptPiece> {
  const [planFile, receipts] = [join(repo.work, 'plan.json'), join(repo.work, 'receipts')];
  rmSync(receipts, { recursive: true, force: true });
  await repo.affected(['plan', '--base', 'main', '--out', planFile]);
  await repo.affected(['run-shard', '01', '--plan', planFile, '--receipts', receipts], { env });
  const { pieces } = JSON.parse(readFileSync(join(receipts, '01.json'), 'utf8')) as Receipt;
  const [piece] = pieces;
  if (piece === undefined) throw new Error('nothing ran');
  return piece;
}

const HEADS: { readonly [One in Runner]?: string } = {
  node: "const { test } = require('node:test');\n",
  playwright: "const { test } = require('playwright/test');\n",
  mocha: 'test = it;\n',
};

/** A test that fails on its first try, in the third line. node has no retries. */
const AGAIN: { readonly [One in Runner]?: string } = {
  jest: "jest.retryTimes(1, { logErrorsBeforeRetry: true });\nlet tries = 0;\ntest('again', () => { if (tries++ === 0) throw new Error('only once'); });\n",
  vitest: "let tries = 0;\n\ntest('again', { retry: 1 }, () => { if (tries++ === 0) throw new Error('only once'); });\n",
  mocha: "\n\ntest('again', function () { this.retries(1); if (this.test.currentRetry() === 0) throw new Error('only once'); });\n",
  playwright:
    "test.describe.configure({ retries: 1 });\n\ntest('again', ({}, info) => { if (info.retry === 0) throw new Error('only once'); });\n",
};

/** Returns a test file: its head, and the bodies of its tests `adds` and `sees`. */
function testFile(runner: Runner, adds: string, sees = ''): string {
  const head = HEADS[runner] ?? '';
  return `${head}test('adds', () => {\n  ${adds}\n});\ntest('sees', () => { ${sees} });\n`;
}

const SCRIPTS: Readonly<Record<Runner, string>> = {
  jest: 'jest',
  vitest: 'vitest run --globals --allowOnly',
  mocha: 'mocha',
  playwright: 'playwright test',
  node: 'node --test',
};
const BURN = 'for (const end = Date.now() + 400; Date.now() < end; );';
const THROWS = "throw new Error('one is not two');";
const CLEAN =
  "if (process.env.AFFECTED_HOOK || process.env.AFFECTED_FORCED || process.env.TURBO_FORCE || /task-hook/.test(process.env.NODE_OPTIONS || '')) throw new Error('noticed');";

describe.each(Object.keys(RUNNERS) as Runner[])('%s', (runner) => {
  const runTest = RUNNERS[runner] === undefined ? test.skip : test;
  const script = SCRIPTS[runner];

  // The other runners give no times of files.
  if (runner !== 'mocha' && runner !== 'playwright')
    runTest('is timed by file once it took long, with the processor time of all its processes', async () => {
      const files = { 'a.test.cjs': testFile(runner, BURN, CLEAN), 'b.test.cjs': testFile(runner, '') };
      const slow =
        runner === 'node' ? { ...files, 'b.test.cjs': testFile(runner, '', 'return new Promise((r) => setTimeout(r, 10500));') } : files;
      const { piece } = await run(runner, { script: withFiles(runner, script), files: { ...slow, ...CONFIG[runner] }, sleeps: 10.5 });
      expect(piece).toMatchObject({ exit: 0, state: 'executed', testFiles: 2 });
      const a = piece.fileSeconds?.find(({ file }) => file === 'a.test.cjs')?.seconds ?? 0;
      expect([piece.fileSeconds?.map(({ file }) => file).sort(), a >= 0.4, a < 9]).toEqual([['a.test.cjs', 'b.test.cjs'], true, true]);
      expect((piece.cpuSeconds ?? 0) >= 0.4).toBe(true);
      expect([piece.failures, piece.log, piece.problem, piece.unheeded]).toEqual([undefined, undefined, undefined, undefined]);
    });

  runTest('says what failed, passed only on another try, or was left out, and has the hash that it has without us', async () => {
    const again = AGAIN[runner];
    const files = {
      'a.test.cjs': testFile(runner, THROWS),
      'b.test.cjs': `${testFile(runner, '')}${again ?? ''}`,
      ...CONFIG[runner],
    };
    const { piece, repo } = await run(runner, { script: withFiles(runner, script), files });
    expect(piece.exit).not.toBe(0);
    const line = lineOf(THROWS, files['a.test.cjs']);
    expect(piece.failures).toEqual([
      { file: 'packages/p0/a.test.cjs', line, test: 'adds', message: expect.stringContaining('one is not two') },
    ]);
    expect(piece.log).toBeUndefined();
    const retried = { file: 'packages/p0/b.test.cjs', line: lineOf('only once', files['b.test.cjs']), test: 'again' };
    const message = expect.stringContaining('only once');
    expect(piece.retried).toEqual(again === undefined ? undefined : [{ ...retried, message }]);
    const one = testFile(runner, CLEAN).replace("test('adds'", "test.only('adds'");
    const manifest = JSON.stringify({
      name: 'app',
      scripts: { test: runner === 'node' ? `${script} --test-only` : withFiles(runner, script) },
    });
    repo.repo.write({ 'packages/p0/a.test.cjs': one, 'packages/p0/package.json': manifest });
    repo.repo.commit('Mend');
    const mended = await pieceOf(repo);
    const tests = runner === 'jest' || runner === 'vitest' ? 4 : 1;
    const only = { only: [`packages/p0/a.test.cjs:${lineOf('test.only', one)}`], tests };
    expect(mended).toMatchObject({ exit: 0, state: 'executed', ...only });
    await repo.turbo(['run', 'test', '--filter=app', '--summarize']);
    expect(await pieceOf(repo)).toMatchObject({ state: 'replayed', taskHash: mended.taskHash, cpuSeconds: null, ...only });
  });
});

function lineOf(words: string, text: string): number {
  return text.split('\n').findIndex((line) => line.includes(words)) + 1;
}

/** Returns a script with which a runner finds test files of this name. */
function withFiles(runner: Runner, script: string): string {
  return runner === 'jest' ? `${script} --config=jest.config.json` : script;
}

const CONFIG: Readonly<Record<Runner, Files>> = {
  jest: { 'jest.config.json': '{ "testMatch": ["**/*.test.cjs"], "moduleFileExtensions": ["cjs", "js", "json"] }' },
  vitest: { 'vitest.config.mjs': "export default { test: { include: ['*.test.cjs'] } };\n" },
  mocha: { '.mocharc.json': '{ "spec": ["*.test.cjs"], "reporter": "dot" }' },
  playwright: {
    '.gitignore': 'test-results\n',
    'playwright.config.cjs': "module.exports = { testMatch: '*.test.cjs', reporter: 'dot' };\n",
  },
  node: {},
};

describe('a report that the user has asked for', () => {
  test('of jest is left as it is', async () => {
    const files = { 'a.test.cjs': testFile('jest', THROWS), ...CONFIG.jest };
    const { piece, repo } = await run('jest', { script: 'jest --config=jest.config.json --json --outputFile=mine.json', files });
    expect([piece.exit, piece.failures, piece.log?.includes('one is not two')]).toEqual([1, undefined, true]);
    expect(existsSync(join(repo.repo.path, 'packages/p0/mine.json'))).toBe(true);
  });

  const REPORTERS = "{ test: { include: ['**/*.test.cjs'], reporters: ['default', 'json'], outputFile: { json: 'mine.json' } } }";
  (RUNNERS.vitest === undefined ? test.skip : test).each<[title: string, own: string | undefined, files: Files]>([
    ['its configuration', `export default ${REPORTERS};`, {}],
    [
      'a file that its configuration takes in',
      "import base from '../../base.mjs'; export default { ...base };",
      { 'base.mjs': `export default ${REPORTERS};` },
    ],
    ['the configuration of a folder above', undefined, { 'vitest.config.mjs': `export default ${REPORTERS};` }],
  ])('of vitest, by %s, is left as it is', async (_, own, more) => {
    const files = { 'a.test.cjs': testFile('vitest', THROWS), ...(own === undefined ? {} : { 'vitest.config.mjs': own }) };
    const { piece, repo } = await run('vitest', { script: SCRIPTS.vitest, files, more });
    expect([piece.exit, piece.failures, piece.log?.includes('one is not two')]).toEqual([1, undefined, true]);
    expect(existsSync(join(repo.repo.path, 'packages/p0/mine.json'))).toBe(true);
  });
});

test('a script with options for Node of its own is watched, and leaves nothing of ours to its tests', async () => {
  const files = { 'a.test.cjs': testFile('jest', CLEAN), ...CONFIG.jest };
  const { piece, repo } = await run('jest', { script: 'NODE_OPTIONS=--max-old-space-size=2048 jest --config=jest.config.json', files });
  expect([piece.exit, (piece.cpuSeconds ?? 0) > 0]).toEqual([0, true]);
  repo.repo.write({ 'packages/p0/a.test.cjs': testFile('jest', 'process.exit(0);', THROWS) });
  repo.repo.commit('End the runner');
  expect(await pieceOf(repo)).toMatchObject({ exit: 1, log: expect.stringContaining('Does a test call process.exit?') });
});

test('tests that fail without failing the task are told, also of a cached result', async () => {
  const files = { 'a.test.cjs': testFile('jest', THROWS), ...CONFIG.jest };
  const { piece, repo } = await run('jest', { script: 'jest --config=jest.config.json || true', files });
  expect([piece.exit, piece.unheeded]).toEqual([0, 1]);
  expect(await pieceOf(repo)).toMatchObject({ state: 'replayed', unheeded: 1 });
});

test('a report that is cut off fails the task, and no cache keeps it', async () => {
  const cut = `const { readdirSync, writeFileSync } = require('node:fs');
const folder = /"([^"]*)\\/task-hook/.exec(process.env.NODE_OPTIONS)[1];
for (const name of readdirSync(folder)) if (name.startsWith('report-')) writeFileSync(folder + '/' + name, '{"testResults":[');
`;
  const files = { 'a.test.cjs': testFile('jest', ''), 'cut.cjs': cut, ...CONFIG.jest };
  const { piece, repo } = await run('jest', { script: 'jest --config=jest.config.json && node cut.cjs', files });
  expect([piece.exit, piece.log?.includes('is cut off or missing')]).toEqual([1, true]);
  expect(await pieceOf(repo)).toMatchObject({ state: 'executed', exit: 1 });
});

test('tests that were skipped or not found are told, and those that a build has deleted prove nothing', async () => {
  const script = 'jest --config=jest.config.json --passWithNoTests';
  const { piece, repo } = await run('jest', { script, files: { 'a.test.cjs': "test.skip('adds', () => {});\n", ...CONFIG.jest } });
  expect(piece).toMatchObject({ exit: 0, tests: 0 });
  repo.repo.write({
    'packages/p0/b.test.cjs': testFile('jest', THROWS),
    'packages/p0/package.json': `{ "name": "app", "scripts": { "build": "rm b.test.cjs", "test": "${script}" } }`,
    'turbo.json': '{ "tasks": { "build": {}, "test": { "dependsOn": ["build"] } } }',
  });
  repo.repo.commit('Build');
  const gone = await pieceOf(repo);
  expect(gone).toMatchObject({
    exit: 0,
    problem: expect.stringContaining('packages/p0/b.test.cjs of the commit was deleted'),
  });
});

test('a test that ends its runner fails the task, and no cache keeps it', async () => {
  const files = { 'a.test.cjs': testFile('jest', 'process.exit(0);', THROWS), ...CONFIG.jest };
  const { piece, repo } = await run('jest', { script: 'jest --config=jest.config.json', files });
  expect([piece.exit, piece.log?.includes('Does a test call process.exit?')]).toEqual([1, true]);
  expect(await pieceOf(repo)).toMatchObject({ state: 'executed', exit: 1 });
});

test('a test file of node that calls process.exit early fails, and a script without tests may, and is no test', async () => {
  const files = { 'a.test.cjs': testFile('node', 'process.exit(0);', THROWS) };
  const { piece, repo } = await run('node', { script: 'node --test', files });
  expect(piece).toMatchObject({
    exit: 1,
    failures: [
      { file: 'packages/p0/a.test.cjs', test: 'packages/p0/a.test.cjs', message: expect.stringContaining('process.exit was called') },
    ],
  });
  const rest = "describe('none', () => { it.skip('a', () => {}); it.todo('b'); });\n";
  repo.repo.write({
    'packages/p0/a.test.cjs': "require('node:assert')(true);\nprocess.exit(0);\n",
    'packages/p0/b.test.cjs': `const { describe, it } = require('node:test');\n${rest}`,
    'packages/p0/c.test.cjs': '',
  });
  repo.repo.commit('Only a script');
  expect(await pieceOf(repo)).toMatchObject({ state: 'executed', exit: 0, tests: 0 });
});

test('a result that somebody else has cached counts once it is proven', async () => {
  const files = { 'a.test.cjs': testFile('jest', 'process.exit(0);', THROWS), ...CONFIG.jest };
  const { repo } = await run('jest', { script: 'jest --config=jest.config.json', files });
  // Without our tool, turborepo takes it for passed, and keeps that result.
  expect(await repo.turbo(['run', 'test', '--filter=app'])).toBe(0);
  expect(await pieceOf(repo)).toMatchObject({ state: 'executed', exit: 1, forced: expect.stringContaining('did not observe') });
  repo.repo.write({ 'packages/p0/a.test.cjs': testFile('jest', '') });
  repo.repo.commit('Mend');
  expect(await repo.turbo(['run', 'test', '--filter=app'])).toBe(0);
  expect(await pieceOf(repo)).toMatchObject({ state: 'executed', exit: 0 });
  expect(await pieceOf(repo)).toMatchObject({ state: 'replayed', exit: 0 });
});

// Tests with retries, with hooks, and a test file that itself fails, and how the runner ends. Our tool must not change this.
const HARD: Readonly<Record<'mocha' | 'node', { readonly files: Files; readonly failures: readonly unknown[] }>> = {
  mocha: {
    files: {
      'a.test.cjs':
        "describe('outer', function () {\n  it('in', () => require('node:assert').strictEqual(1, 2));\n  describe('hooked', () => {\n    before(() => { throw 'text'; });\n    it('never', () => {});\n  });\n  it('again', function () { this.retries(1); if (this.test.currentRetry() === 0) throw new Error('once'); });\n});\n",
    },
    failures: [
      { line: 2, test: 'outer in', message: expect.stringContaining('1 !== 2') },
      { test: 'outer hooked "before all" hook for "never"', message: expect.stringContaining('text') },
    ],
  },
  node: {
    files: {
      'a.test.cjs':
        "const { describe, it, test } = require('node:test');\ndescribe('outer', () => { it('in', () => require('node:assert').strictEqual(1, 2)); });\ntest('later', { todo: true }, () => { throw new Error('todo'); });\n",
      'b.test.cjs': "require('./gone.cjs');\n",
    },
    failures: [
      { file: 'packages/p0/a.test.cjs', line: 2, test: 'outer in', message: expect.stringContaining('1 !== 2') },
      {
        file: 'packages/p0/b.test.cjs',
        test: 'packages/p0/b.test.cjs',
        message: expect.stringContaining("Cannot find module './gone.cjs'"),
      },
    ],
  },
};

test.each(['mocha', 'node'] as const)('%s: each failure is named once, with what is above it', async (runner) => {
  if (RUNNERS[runner] === undefined) return;
  const { files, failures } = HARD[runner];
  const { piece } = await run(runner, { script: SCRIPTS[runner], files: { ...files, ...CONFIG[runner] } });
  expect(piece.failures).toMatchObject(failures);
  expect(piece.failures).toHaveLength(failures.length);
});

(RUNNERS.mocha === undefined ? test.skip : test)('mocha that a test ends with exit code 0, or that runs in parallel', async () => {
  const files = { 'a.test.cjs': testFile('mocha', 'process.exit(0);', THROWS), 'b.test.cjs': testFile('mocha', '') };
  const { piece, repo } = await run('mocha', { script: 'mocha --expose-gc', files: { ...files, ...CONFIG.mocha } });
  expect([piece.exit, piece.log?.includes('Does a test call process.exit?')]).toEqual([1, true]);
  repo.repo.write({
    'packages/p0/a.test.cjs': testFile('mocha', THROWS),
    'packages/p0/.mocharc.json': '{ "spec": ["*.test.cjs"], "parallel": true }',
  });
  repo.repo.commit('Parallel');
  expect((await pieceOf(repo)).failures).toMatchObject([{ file: 'packages/p0/a.test.cjs', line: 3, test: 'adds' }]);
});

test('a file that cannot be loaded is named by its path in the project', async () => {
  const { piece } = await run('jest', {
    script: 'jest --config=jest.config.json',
    files: { 'a.test.cjs': "require('./gone.cjs');\n", ...CONFIG.jest },
  });
  expect(piece.failures).toMatchObject([{ file: 'packages/p0/a.test.cjs', line: 1, test: 'packages/p0/a.test.cjs' }]);
});

test('tests that empty the folder of temporary files are counted, with nothing known of them', async () => {
  const empty = 'require("node:fs").rmSync(/"([^"]*)\\/task-hook/.exec(process.env.NODE_OPTIONS)[1], { recursive: true });\n';
  const { piece } = await run('node', { script: 'node empty.cjs', files: { 'empty.cjs': empty } });
  expect(piece).toMatchObject({ exit: 0, cpuSeconds: null });
});

test('a script that Node lets read some files alone runs', async () => {
  const permission = Number.parseInt(process.versions.node, 10) < 24 ? '--experimental-permission' : '--permission';
  const script = `node ${permission} --allow-fs-read="$INIT_CWD/*" main.cjs`;
  const { piece } = await run('node', { script, files: { 'main.cjs': "console.log('ok');\n" } });
  expect([piece.log, piece.exit]).toEqual([undefined, 0]);
});

test('a temporary folder may have a space in its name', async () => {
  const files = { 'a.test.cjs': testFile('jest', THROWS), ...CONFIG.jest };
  const { repo } = await run('jest', { script: 'jest --config=jest.config.json', files });
  const temporary = join(repo.work, 'a b');
  mkdirSync(temporary);
  expect((await pieceOf(repo, { TMPDIR: temporary })).failures).toHaveLength(1);
  expect(readdirSync(temporary).filter((name) => name.startsWith('affected-'))).toEqual([]);
});

test('who does not want it, turns it off', async () => {
  const files = { 'a.test.cjs': testFile('jest', THROWS), ...CONFIG.jest };
  const { repo } = await run('jest', { script: 'jest --config=jest.config.json', files });
  expect(await pieceOf(repo, { AFFECTED_REPORTS: 'off' })).toMatchObject({
    exit: 1,
    cpuSeconds: null,
    log: expect.stringContaining('not two'),
  });
  const wrong = ['run-shard', '01', '--plan', join(repo.work, 'plan.json')];
  expect(await repo.affected(wrong, { env: { AFFECTED_REPORTS: 'no' } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('AFFECTED_REPORTS must be "on" or "off". [USAGE]'),
  });
});

test('where turborepo hashes NODE_OPTIONS, nothing is loaded, and no cached result counts', async () => {
  const repo = await ShardRepo.create(
    cleanUp,
    { app: { test: 'node -p "process.env.NODE_OPTIONS" >> $RAN_LOG' } },
    {
      changed: ['app'],
      files: { 'turbo.json': '{ "globalEnv": ["NODE_OPTIONS"], "globalPassThroughEnv": ["RAN_LOG"], "tasks": { "test": {} } }\n' },
    },
  );
  expect(await pieceOf(repo)).toMatchObject({ exit: 0, state: 'executed', cpuSeconds: null });
  expect(readFileSync(repo.log, 'utf8')).toBe('undefined\n');
  expect(await pieceOf(repo)).toMatchObject({ exit: 0, state: 'executed', forced: expect.stringContaining('does not watch') });
});

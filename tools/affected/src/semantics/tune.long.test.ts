import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { CheckResult, ReplayResult, TuneResult } from '../result.js';
import { manifestOf } from './monorepo.fixture.js';
import { MonorepoScene, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const CI = 'on: push\njobs:\n  test:\n    steps:\n      - run: node tools/run.js\n      - run: yarn test\n';

/** Creates one commit for each step. */
function history(...steps: readonly Files[]): TempRepo {
  const repo = scene.copy();
  for (const files of steps) {
    repo.write(files);
    repo.commit('Change');
  }
  return repo;
}

async function tune(repo: TempRepo, ...args: readonly string[]): Promise<TuneResult> {
  const { code, stdout, stderr } = await runCli('affected', ['tune', '--last', '20', '--json', ...args], { cwd: repo.path });
  if (code !== 0) throw new Error(`tune ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as TuneResult;
}

async function promises(repo: TempRepo): Promise<CheckResult['findings']> {
  const { stdout } = await runCli('affected', ['check', '--json'], { cwd: repo.path });
  return (JSON.parse(stdout) as CheckResult).findings.filter(({ kind }) => kind === 'broken-promise');
}

const rulesOf = ({ proposals }: TuneResult): unknown => proposals.map(({ rule }) => rule);
const owner = (files: string): unknown => ({
  files: [files],
  affects: 'owner',
  because: expect.stringMatching(/^of all that can be read, only /),
});
const site = (script: string): Files => manifestOf('', { scripts: { test: 'jest', docs: script } });

describe('tune proposes', () => {
  test('a rule for what only a script of the website names', async () => {
    const result = await tune(history(site('node site/build.js'), { 'site/build.js': '' }));
    expect(rulesOf(result)).toEqual([owner('site/**')]);
    expect([result.before.all, result.after.all]).toEqual([1, 0]);
    expect(result.after.mean).toBeLessThan(result.before.mean);
    expect(result.proposals[0]?.saves).toBeCloseTo(result.before.mean - result.after.mean, 3);
  });

  test('a narrower one where nothing names another file of the folder', async () => {
    const repo = history(site('node site/build.js'), { 'site/build.js': '', 'site/other.css': '' }, { 'site/build.js': '//' });
    expect(rulesOf(await tune(repo))).toEqual([owner('site/build.js')]);
  });

  test('one that names the workspace that reads it, too', async () => {
    const reader = { 'packages/tool/a.test.js': "import '../../site/build.js';\n" };
    const result = await tune(history({ ...site('node site/build.js'), ...reader }, { 'site/build.js': '' }));
    // The answer knows that by itself.
    expect(result.proposals).toEqual([]);
    expect(result.before.all).toBe(0);
  });

  test.each<[what: string, files: Files]>([
    ['what a test script names', { ...manifestOf('', { scripts: { test: 'node tools/run.js' } }), 'tools/run.js': '' }],
    ['what a shared setting names', { 'jest.config.js': "module.exports = { setupFiles: ['./tools/run.js'] };\n", 'tools/run.js': '' }],
    ['what a shared setting reads as a folder', { 'tsconfig.json': '{ "include": ["tools"] }\n', 'tools/run.d.ts': '' }],
    ['what a workflow with tests runs', { '.github/workflows/ci.yml': CI, 'tools/run.js': '' }],
    ['what tools look for by themselves', { '.toolrc': '' }],
    ['what nothing names', { 'starters/docs/a.css': '' }],
  ])('nothing for %s', async (_, files) => {
    const result = await tune(history(files));
    expect(result.proposals).toEqual([]);
    expect(result.after).toEqual(result.before);
    expect(result.left.length).toBeGreaterThan(0);
  });

  test('nothing where there is no history', async () => {
    const result = await tune(scene.copy());
    expect(result).toMatchObject({ commits: 0, proposals: [], left: [] });
  });
});

test('tune divides what is selected among its causes, and says of each what would narrow it', async () => {
  const result = await tune(
    history(
      { 'starters/docs/a.css': '' },
      { 'packages/lib/index.js': 'changed', 'packages/tool/index.js': 'changed' },
      { 'packages/lib/index.js': 'again' },
      { 'gone.css': '' },
    ),
  );
  const { after, left } = result;
  expect(left.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(after.mean, 3);
  expect(left.map(({ share }) => share)).toEqual(left.map(({ share }) => share).toSorted((a, b) => b - a));
  expect(left).toContainEqual(expect.objectContaining({ code: 'file', subject: 'lib', commits: 2 }));
  expect(left).toContainEqual(
    expect.objectContaining({
      code: 'FILE_UNCLAIMED',
      subject: 'gone.css',
      narrows: expect.stringContaining('nothing that can be read refers'),
    }),
  );
  for (const { narrows } of left) expect(narrows).toMatch(/^[A-Z"].*\.$/);
});

test('tune and replay print the same figures', async () => {
  const repo = history(
    site('node site/build.js'),
    { 'site/build.js': '' },
    { 'packages/tool/index.js': 'changed' },
    { 'README.md': 'changed' },
    { 'packages/alone/index.js': 'changed' },
  );
  repo.git('commit', '--quiet', '--allow-empty', '--message', 'Nothing');
  const { before, commits } = await tune(repo);
  const { stdout } = await runCli('affected', ['replay', '--last', '20', '--json'], { cwd: repo.path });
  const replayed = JSON.parse(stdout) as ReplayResult;
  const figures = replayed.policies.find(({ policy }) => policy === 'transitive');
  expect({ commits, ...before }).toEqual({ commits: replayed.commits.length, all: figures?.all, mean: figures?.mean });
  const named = replayed.commits.map(({ affected, workspaceCount }) => affected / workspaceCount);
  expect(before.mean).toBeCloseTo(named.reduce((sum, share) => sum + share, 0) / named.length, 3);
  const texts = await Promise.all(
    ['tune', 'replay'].map((command) => runCli('affected', [command, '--last', '20'], { cwd: repo.path, env: { COLUMNS: '120' } })),
  );
  const means = texts.map(({ stdout: text }) => /^(?:today|affected) .*?(\d+\.\d %)/m.exec(text)?.[1]);
  expect(means).toEqual([expect.any(String), means[0]]);
  for (const { stdout: text } of texts) expect(text).toContain('judged by the tributary.json of the last one.');
});

describe('tune --write', () => {
  test('adds to tributary.json, and keeps what is there; the answer follows, and check holds the reason against the files', async () => {
    const config = '{\n  // ours\n  "affected": { "always": ["tool"] }\n}\n';
    const repo = history({ 'tributary.json': config, ...site('node site/build.js') }, { 'site/build.js': '' });
    const { written } = await tune(repo, '--write');
    expect(written).toHaveLength(1);
    expect(readText(repo, 'tributary.json')).toContain('// ours');
    expect(readText(repo, 'tributary.json')).toContain('"always": ["tool"]');
    repo.commit('Tune');
    expect((await tune(repo)).proposals).toEqual([]);
    expect(await promises(repo)).toEqual([]);
    repo.write({ 'site/build.js': 'throw 1' });
    repo.commit('Build');
    const { stdout } = await runCli('affected', ['--base', 'HEAD~1', '--format', 'names'], { cwd: repo.path });
    expect(stdout).toBe('monorepo\ntool\n');
    repo.write({ 'packages/alone/a.test.js': "readFileSync('../../site/build.js');\n" });
    repo.commit('Read it');
    const broken = await promises(repo);
    expect(broken).toMatchObject([{ severity: 'hole', subject: 'site/**' }]);
    expect(JSON.stringify(broken)).toContain('packages/alone/a.test.js:1');
  });

  test('makes a file where there is none', async () => {
    const repo = history(site('node site/build.js'), { 'site/build.js': '' });
    await tune(repo, '--write');
    expect(JSON.parse(readText(repo, 'tributary.json'))).toEqual({
      affected: { rules: [{ files: 'site/**', affects: 'owner', because: expect.any(String) }] },
    });
  });

  test('refuses another commit than that of the working tree, and a broken tributary.json', async () => {
    const repo = history({ 'site/a.css': '' });
    const elsewhere = await runCli('affected', ['tune', '--write', '--head', 'HEAD~1', '--json'], { cwd: repo.path });
    expect([elsewhere.code, JSON.parse(elsewhere.stdout).error.code]).toEqual([2, 'USAGE']);
    repo.write({ 'tributary.json': '{' });
    const broken = await runCli('affected', ['tune', '--write', '--json'], { cwd: repo.path });
    expect(JSON.parse(broken.stdout).error.code).toBe('CONFIG_INVALID');
  });
});

test('tune tells what the kinds of files save', async () => {
  const release = { ...manifestOf('packages/lib', { version: '1.0.1' }), 'packages/lib/CHANGELOG.md': '# 1.0.1\n' };
  const { reach } = await tune(history({ 'packages/lib/src/index.js': '1;\n' }, release, { 'packages/lib/src/a.test.js': '1;\n' }));
  // Without one of the kinds, the release would reach the dependents.
  expect(reach.map(({ kind, commits }) => [kind, commits]).toSorted()).toEqual([
    ['documentation', 1],
    ['tests', 1],
    ['versions', 1],
  ]);
  expect(reach.every(({ saves }) => saves > 0.1)).toBe(true);
});

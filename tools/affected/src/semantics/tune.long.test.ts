import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { CheckResult, TuneResult } from '../result.js';
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
const owner = (files: string, because = 'nothing names it'): unknown => ({ files: [files], affects: 'owner', because });

describe('tune proposes', () => {
  test('a rule for the widest folder that nothing names', async () => {
    const repo = history({ 'starters/docs/a.css': '' }, { 'starters/docs/b.css': '', 'starters/x/c.css': '' });
    const result = await tune(repo);
    expect(rulesOf(result)).toEqual([owner('starters/**')]);
    expect(result.before.all).toBe(2);
    expect(result.after.all).toBe(0);
    expect(result.after.mean).toBeLessThan(result.before.mean);
    expect(result.proposals[0]?.saves).toBeCloseTo(result.before.mean - result.after.mean, 3);
  });

  test('a narrower one where a test names another file of the folder', async () => {
    const repo = history(
      { 'scripts/site.js': '', 'scripts/fake.js': '', 'packages/tool/a.test.js': "import '../../scripts/fake.js';\n" },
      { 'scripts/site.js': '//' },
    );
    expect(rulesOf(await tune(repo))).toEqual(
      expect.arrayContaining([
        owner('scripts/site.js'),
        { files: ['scripts/fake.js'], affects: ['monorepo', 'tool'], because: expect.any(String) },
      ]),
    );
  });

  test('a rule with the script of the website as its reason', async () => {
    const scripts = { test: 'jest', docs: 'node site/build.js' };
    const repo = history(manifestOf('', { scripts }), { 'site/build.js': '' });
    expect(rulesOf(await tune(repo))).toEqual([owner('site/**', 'only scripts.docs of package.json uses it')]);
  });

  test.each<[what: string, files: Files]>([
    ['what a test script names', { ...manifestOf('', { scripts: { test: 'node tools/run.js' } }), 'tools/run.js': '' }],
    ['what a shared setting names', { 'jest.config.js': "module.exports = { setupFiles: ['./tools/run.js'] };\n", 'tools/run.js': '' }],
    ['what a shared setting reads as a folder', { 'tsconfig.json': '{ "include": ["tools"] }\n', 'tools/run.d.ts': '' }],
    ['what a workflow with tests runs', { '.github/workflows/ci.yml': CI, 'tools/run.js': '' }],
    ['what tools look for by themselves', { '.toolrc': '' }],
  ])('nothing for %s', async (_, files) => {
    const result = await tune(history(files));
    expect(result.proposals).toEqual([]);
    expect(result.after).toEqual(result.before);
    expect(result.left.length).toBeGreaterThan(0);
  });

  test('nothing that would hold a workspace', async () => {
    const result = await tune(history({ 'packages/notes.txt': '' }));
    expect(rulesOf(result)).toEqual([owner('packages/notes.txt')]);
  });

  test('nothing where there is no history', async () => {
    const result = await tune(scene.copy());
    expect(result).toMatchObject({ commits: 0, proposals: [], left: [] });
  });
});

describe('tune --write', () => {
  test('adds to tributary.json, and keeps what is there; the answer follows, and check holds the reason against the files', async () => {
    const config = '{\n  // ours\n  "affected": { "always": ["tool"] }\n}\n';
    const repo = history({ 'tributary.json': config }, { 'starters/a.css': '' });
    const { written } = await tune(repo, '--write');
    expect(written).toHaveLength(1);
    expect(readText(repo, 'tributary.json')).toContain('// ours');
    expect(readText(repo, 'tributary.json')).toContain('"always": ["tool"]');
    repo.commit('Tune');
    expect((await tune(repo)).proposals).toEqual([]);
    expect(await promises(repo)).toEqual([]);
    repo.write({ 'starters/a.css': 'b {}' });
    repo.commit('Style');
    const { stdout } = await runCli('affected', ['--base', 'HEAD~1', '--format', 'names'], { cwd: repo.path });
    expect(stdout).toBe('monorepo\ntool\n');
    repo.write({ 'packages/alone/a.test.js': "readFileSync('../../starters/a.css');\n" });
    repo.commit('Read it');
    expect(await promises(repo)).toEqual([
      {
        kind: 'broken-promise',
        severity: 'hole',
        subject: 'starters/**',
        because: 'nothing names it',
        evidence: 'only alone and the root name it',
      },
    ]);
  });

  test('makes a file where there is none', async () => {
    const repo = history({ 'starters/a.css': '' });
    await tune(repo, '--write');
    expect(JSON.parse(readText(repo, 'tributary.json'))).toEqual({
      affected: { rules: [{ files: 'starters/**', affects: 'owner', because: 'nothing names it' }] },
    });
  });

  test('refuses another commit than that of the working tree, and a broken tributary.json', async () => {
    const repo = history({ 'starters/a.css': '' });
    const elsewhere = await runCli('affected', ['tune', '--write', '--head', 'HEAD~1', '--json'], { cwd: repo.path });
    expect([elsewhere.code, JSON.parse(elsewhere.stdout).error.code]).toEqual([2, 'USAGE']);
    repo.write({ 'tributary.json': '{' });
    const broken = await runCli('affected', ['tune', '--write', '--json'], { cwd: repo.path });
    expect(JSON.parse(broken.stdout).error.code).toBe('CONFIG_INVALID');
  });
});

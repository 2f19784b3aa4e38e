import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo, formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { Plan } from '../plan/plan.js';

// Tests that disappear: without a run nothing fails, so the gate must know the earlier tests.

const cleanUp = cleanUpIn(afterEach);
const TURBO = '{ "tasks": { "build": {}, "test": {} } }\n';
const tested = (name: string, more: Manifest = {}): string =>
  formatManifest({ name, version: '1.0.0', scripts: { test: 'node -e 0' }, ...more });

function monorepo(files: Files = {}): TempRepo {
  const packages = { 'packages/a': { scripts: { test: 'node -e 0' } }, 'packages/b': { scripts: { test: 'node -e 0' } } };
  const code = { 'packages/a/index.js': '0;\n', 'packages/b/index.js': '0;\n' };
  return cleanUp.add(createTempMonorepo({ packages, files: { 'turbo.json': TURBO, 'package-lock.json': '{}\n', ...code, ...files } }));
}

interface Change {
  readonly files?: Files;
  readonly gone?: readonly string[];
}

interface Answer {
  readonly plan: Plan;
  readonly gate: CliResult;
  /** The kinds of the gate's problems, without those about shards, which this test does not run. */
  readonly kinds: readonly string[];
  readonly summary: string;
}

async function judge(
  repo: TempRepo,
  change: Change,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<Answer> {
  for (const path of change.gone ?? []) rmSync(join(repo.path, path), { recursive: true });
  repo.commit('Change', { files: change.files ?? {} });
  const [out, summary] = [join(repo.path, '.git/plan.json'), join(repo.path, '.git/summary.md')];
  const run = (...words: string[]): Promise<CliResult> => runCli('affected', words, { cwd: repo.path, env });
  const made = await run('plan', '--base', 'HEAD~1', '--out', out, ...args);
  if (made.code !== 0) throw new Error(made.stderr);
  const gate = await run('gate', '--plan', out, '--receipts', join(repo.path, '.git/none'), '--json', '--summary', summary);
  const { problems } = JSON.parse(gate.stdout) as { problems: readonly { kind: string; shard: string | null }[] };
  const kinds = problems.filter(({ kind, shard }) => kind !== 'empty' && shard === null).map(({ kind }) => kind);
  return { plan: JSON.parse(readFileSync(out, 'utf8')) as Plan, gate, kinds, summary: readFileSync(summary, 'utf8') };
}

const lostOf = ({ plan }: Answer): readonly string[] => plan.atBase.lost.map(({ workspace }) => workspace);
const RENAMED = { scripts: { tests: 'node -e 0' } };

describe('the gate does not pass where a workspace lost its tests:', () => {
  test('all scripts have another name, and nothing is planned', async () => {
    const files = { 'packages/a/package.json': tested('a', RENAMED), 'packages/b/package.json': tested('b', RENAMED) };
    const answer = await judge(monorepo(), { files: { ...files, 'packages/a/index.js': 'broken(' } });
    expect([answer.plan.shards, answer.gate.code, answer.kinds]).toEqual([[], 1, ['dropped', 'dropped']]);
    expect(answer.gate.stderr).toContain('affected.dropped');
    expect(answer.summary).toContain('`a had the task "test" at the base and lost it: It has no script "test".`');
  });

  test.each<[title: string, change: Change, lost: readonly string[]]>([
    ['one script is gone', { files: { 'packages/b/package.json': tested('b', { scripts: {} }) } }, ['b']],
    ['one script only prints', { files: { 'packages/b/package.json': tested('b', { scripts: { test: 'echo ok' } }) } }, ['b']],
    ['one script is empty', { files: { 'packages/b/package.json': tested('b', { scripts: { test: '' } }) } }, ['b']],
    ['its script is gone with its name', { files: { 'packages/b/package.json': tested('x', RENAMED) } }, ['b']],
    [
      'a pattern takes it out of the workspaces',
      { files: { 'package.json': formatManifest({ name: 'r', private: true, workspaces: ['packages/*', '!packages/b'] }) } },
      ['b'],
    ],
    ['its package.json is deleted, and the rest stays', { gone: ['packages/b/package.json'] }, ['b']],
    ['it moved to where no workspaces are', { gone: ['packages/b'], files: { 'old/b/package.json': tested('b') } }, ['b']],
    [
      'it has another name and place, and no script there',
      { gone: ['packages/b'], files: { 'packages/x/package.json': tested('x', RENAMED), 'packages/x/index.js': '0;\n' } },
      ['b'],
    ],
    [
      'it has another name, and is where no workspaces are',
      { gone: ['packages/b'], files: { 'old/x/package.json': tested('x'), 'old/x/index.js': '0;\n' } },
      ['b'],
    ],
    ['turbo.json knows the task of others only', { files: { 'turbo.json': '{ "tasks": { "a#test": {} } }' } }, ['b']],
    [
      'its script is gone, and everything is planned',
      { files: { 'packages/b/package.json': tested('b', RENAMED), 'unknown.file': 'x' } },
      ['b'],
    ],
  ])('%s', async (_, change, lost) => {
    const answer = await judge(monorepo(), change);
    expect([lostOf(answer), answer.kinds, answer.gate.code]).toEqual([lost, lost.map(() => 'dropped'), 1]);
  });

  test('turbo.json lost the task: there is no plan at all', async () => {
    const change = { files: { 'turbo.json': '{ "tasks": { "build": {} } }' } };
    await expect(judge(monorepo(), change)).rejects.toThrow('[TASK_UNKNOWN]');
    await expect(judge(monorepo(), change, { args: ['--fallback', 'all'] })).rejects.toThrow('[TASK_UNKNOWN]');
  });
});

describe('nothing is lost where', () => {
  test.each<[title: string, change: Change]>([
    ['a workspace is deleted', { gone: ['packages/b'] }],
    ['a workspace has another name', { files: { 'packages/b/package.json': tested('x') } }],
    ['a workspace has another place', { gone: ['packages/b'], files: { 'packages/c/package.json': tested('b') } }],
    [
      'a workspace has another name and place',
      { gone: ['packages/b'], files: { 'packages/x/package.json': tested('x'), 'packages/x/index.js': '0;\n' } },
    ],
    ['a workspace is new, and has no tests', { files: { 'packages/c/package.json': tested('c', RENAMED) } }],
  ])('%s', async (_, change) => {
    const answer = await judge(monorepo(), change);
    expect([answer.plan.atBase, answer.kinds]).toEqual([{ unknown: null, workspaces: 2, lost: [] }, []]);
  });

  test('a workspace is deleted and one that lies in its folder stays', async () => {
    const nested = { 'packages/b/in/package.json': tested('in'), 'packages/b/in/x.js': '0;\n' };
    const root = formatManifest({ name: 'r', private: true, workspaces: ['packages/*', 'packages/*/in'] });
    const answer = await judge(monorepo({ ...nested, 'package.json': root }), { gone: ['packages/b/package.json', 'packages/b/index.js'] });
    expect(lostOf(answer)).toEqual([]);
  });
});

describe('a change may say that it drops tests:', () => {
  const lost = { 'packages/a/package.json': tested('a', RENAMED), 'packages/b/package.json': tested('b', RENAMED) };
  const dropped = (...names: readonly string[]): Files => ({
    'tributary.json': JSON.stringify({ affected: { dropped: names.map((name) => ({ name, because: 'it is frozen' })) } }),
  });

  test('in tributary.json; each is named with the reason', async () => {
    const { gate, kinds, summary, plan } = await judge(monorepo(), { files: { ...lost, ...dropped('a', 'b', 'never-there') } });
    expect([plan.shards, kinds, gate.code]).toEqual([[], [], 0]);
    expect(JSON.parse(gate.stdout)).toMatchObject({
      leftOut: [
        { workspace: 'a', reason: 'It has no script "test". Dropped: it is frozen' },
        { workspace: 'b' },
        { workspace: 'monorepo' },
      ],
    });
    expect(summary).toContain('| `b` | `It has no script "test". Dropped: it is frozen` |');
  });

  test('for one, which is not for another', async () => {
    expect((await judge(monorepo(), { files: { ...lost, ...dropped('a') } })).kinds).toEqual(['dropped']);
  });

  test('but not in the tributary.json of another time: that of the head counts', async () => {
    const repo = monorepo(dropped('a', 'b'));
    expect((await judge(repo, { files: lost, gone: ['tributary.json'] })).kinds).toEqual(['dropped', 'dropped']);
  });

  test.each<[title: string, more: { args?: string[]; env?: Record<string, string> }, kinds: readonly string[]]>([
    ['by an option', { args: ['--dropped', 'a, b'] }, []],
    ['by an option for one', { args: ['--dropped', 'a'] }, ['dropped']],
    ['by a variable for all', { env: { AFFECTED_DROPPED: '*' } }, []],
    // What a workflow produces if a pull request lacks the labels, such as one of a fork, which cannot set them.
    ['by an empty variable, which says nothing', { env: { AFFECTED_DROPPED: '' } }, ['dropped', 'dropped']],
  ])('%s', async (_, more, kinds) => expect((await judge(monorepo(), { files: lost }, more)).kinds).toEqual(kinds));
});

test('of those listed as dropped that have the task, the plan says what that means', async () => {
  const repo = monorepo();
  repo.commit('Change', { files: { 'packages/a/index.js': '1;\n', 'packages/b/index.js': '1;\n' } });
  const [out, timings] = [join(repo.path, '.git/plan.json'), join(repo.path, '.git/timings.json')];
  writeFileSync(timings, '{ "schemaVersion": 1, "tasks": { "a#test": [1] }, "tests": { "a#test": [20] } }');
  const env = { AFFECTED_DROPPED: 'a, b, c' };
  const { stderr } = await runCli('affected', ['plan', '--base', 'HEAD~1', '--out', out, '--timings', timings], { cwd: repo.path, env });
  expect(stderr).toContain('Listed as dropped, so the number of their tests is not checked: a.');
  expect(stderr).toContain('Listed as dropped, but they lost no task: b, c.');
});

describe('a base that is not known is told, and fails nothing:', () => {
  test('a broken manifest', async () => {
    const repo = monorepo();
    repo.commit('Break', { files: { 'packages/b/package.json': '{' } });
    const answer = await judge(repo, { files: { 'packages/b/package.json': tested('b', RENAMED) } });
    expect([answer.plan.atBase.unknown, answer.kinds]).toEqual([expect.stringContaining('The base cannot be read: '), []]);
    expect(answer.summary).toContain('Unknown which workspaces had the task before: The base cannot be read: ');
    expect(JSON.parse(answer.gate.stdout)).toMatchObject({ notes: [{ kind: 'base', shard: null }] });
  });

  test('objects that are missing', async () => {
    const repo = monorepo();
    repo.write({ 'packages/b/package.json': tested('b', RENAMED) });
    const id = repo.id('HEAD:packages/b/package.json');
    rmSync(join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2)), { force: true });
    const list = join(repo.path, '.git/list');
    writeFileSync(list, 'packages/a/index.js\n');
    const { plan, kinds } = await judge(repo, {}, { args: ['--files-from', list] });
    expect([plan.atBase.unknown, kinds]).toEqual([expect.stringContaining('The base cannot be read: '), []]);
  });

  test('a list of files alone', async () => {
    const repo = monorepo();
    const out = join(repo.path, '.git/plan.json');
    writeFileSync(join(repo.path, '.git/list'), 'packages/a/index.js\n');
    await runCli('affected', ['plan', '--files-from', '.git/list', '--out', out], { cwd: repo.path });
    expect((JSON.parse(readFileSync(out, 'utf8')) as Plan).atBase.unknown).toBe('Only the names of changed files were given, and no base.');
  });

  test('a base that is the head', async () => {
    const answer = await judge(monorepo(), {}, { args: ['--base', 'HEAD'] });
    expect(answer.plan.atBase.unknown).toContain('there is nothing to compare');
  });
});

test('a plan out of which somebody took the loss is none', async () => {
  const repo = monorepo();
  const { plan } = await judge(repo, { files: { 'packages/b/package.json': tested('b', RENAMED) } });
  const out = join(repo.path, '.git/plan.json');
  writeFileSync(out, JSON.stringify({ ...plan, atBase: { ...plan.atBase, lost: [] } }));
  const gate = await runCli('affected', ['gate', '--plan', out], { cwd: repo.path });
  expect(gate).toMatchObject({ code: 1, stderr: expect.stringContaining('it was changed after its creation. [PLAN_INVALID]') });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { CheckResult } from '../result.js';
import { ask } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

/** Creates `app`, `lib` and `other`, which do not depend on each other. */
function monorepo(files: Files): TempRepo {
  const packages = { 'packages/app': {}, 'packages/lib': {}, 'packages/other': {} };
  return cleanUp.add(createTempMonorepo({ packages, files: { 'package-lock.json': '{}\n', ...files } }));
}

function run(repo: TempRepo, ...args: readonly string[]): Promise<CliResult> {
  return runCli('affected', ['check', ...args], { cwd: repo.path, env: { COLUMNS: '100' } });
}

async function check(repo: TempRepo, ...args: readonly string[]): Promise<CheckResult> {
  const { stdout, code } = await run(repo, '--json', ...args);
  const result = JSON.parse(stdout) as CheckResult;
  expect(code).toBe(result.findings.some(({ severity }) => severity === 'hole') ? 1 : 0);
  return result;
}

function configIn(repo: TempRepo): string {
  return readFileSync(join(repo.path, 'tributary.json'), 'utf8');
}

/** What a command read, as `affected trace` writes it. */
function observed(repo: TempRepo, workspace: string, ...files: readonly string[]): readonly string[] {
  const command = ['yarn', 'run', 'test'];
  const observation = {
    schemaVersion: 2,
    commit: repo.git('rev-parse', 'HEAD').trim(),
    workspace,
    command,
    exit: 0,
    incomplete: [],
    files,
  };
  const file = join(repo.path, '..', `${basename(repo.path)}-observed.json`);
  writeFileSync(file, JSON.stringify(observation));
  return ['--observed', file];
}

const DATA: Files = { 'data/a.json': '{}', 'packages/lib/b.json': '{}' };

describe('check --fix', () => {
  test('writes what was observed, and the next answer follows it', async () => {
    const repo = monorepo({ ...DATA, 'tributary.json': JSON.stringify({ affected: { rules: [{ files: 'data/**', affects: 'none' }] } }) });
    const { fixed } = await check(repo, '--fix', ...observed(repo, 'app', 'data/a.json', 'packages/lib/b.json'));
    expect(fixed?.added.map(({ from, to }) => `${from} ${to}`)).toEqual(['app data/a.json', 'app packages/lib/b.json']);
    const proof = 'observed: yarn run test';
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual({ app: { files: { 'data/a.json': proof, 'packages/lib/b.json': proof } } });
    repo.commit('List the edges');
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app']);
    repo.commit('Break the data', { files: { 'data/a.json': '[]' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app']);
    expect((await check(repo, '--fix', ...observed(repo, 'app', 'data/a.json'))).fixed).toEqual({ added: [], removed: [] });
    expect((await run(repo, '--fix')).stdout).toContain('tributary.json needs no change.');
  });

  test('writes nothing that answers follow without an entry, and deletes it where it is listed', async () => {
    const edges = { app: { workspaces: { lib: 'packages/app/a.test.js:1' }, files: { 'data/a.json': 'packages/app/a.test.js:2' } } };
    const source = { 'packages/app/a.test.js': "import 'lib';\nimport '../../data/a.json';\n" };
    const repo = monorepo({ ...DATA, ...source, 'tributary.json': JSON.stringify({ affected: { edges } }) });
    const stale = (await check(repo)).findings.flatMap((one) => (one.kind === 'stale-edge' ? [`${one.to} ${one.missing}`] : []));
    expect(stale).toEqual(['data/a.json nothing', 'lib nothing']);
    const { fixed } = await check(repo, '--fix', ...observed(repo, 'app', 'data/a.json', 'packages/lib/b.json'));
    expect(fixed?.added).toEqual([]);
    expect(fixed?.removed.map(({ to }) => to)).toEqual(['lib', 'data/a.json']);
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual({});
    repo.commit('Delete the edges');
    repo.commit('Break both', { files: { 'data/a.json': '[]', 'packages/lib/b.json': '[]' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app', 'lib', 'monorepo']);
  });

  test('keeps comments, the order of keys, indentation, line ends and the byte order mark', async () => {
    const before =
      '\uFEFF// ours\r\n{\r\n\t"affected": {\r\n\t\t"turboInputs": "respect", // as ever\r\n\t\t"always": [],\r\n\t},\r\n}\r\n';
    const repo = monorepo({ ...DATA, 'tributary.json': before });
    await check(repo, '--fix', ...observed(repo, 'app', 'packages/lib/b.json'));
    const lines = [
      '\t\t"always": [],',
      '\t\t"edges": {',
      '\t\t\t"app": {',
      '\t\t\t\t"files": {',
      '\t\t\t\t\t"packages/lib/b.json": "observed: yarn run test"',
      '\t\t\t\t}',
      '\t\t\t}',
      '\t\t},',
    ];
    expect(configIn(repo)).toBe(before.replace('\t\t"always": [],', lines.join('\r\n')));
  });

  test('keeps an edge that a person wrote, and warns of a wrong name', async () => {
    const edges = {
      app: { workspaces: { lib: 'packages/app/load.js:3' }, files: { data: 'the loader puts its path together' } },
      gone: { workspaces: { lib: 'packages/app/load.js:3' } },
      lib: { workspaces: { gone: 'packages/app/load.js:3' }, files: { nowhere: 'why not' } },
    };
    const repo = monorepo({ 'packages/app/load.js': '', 'data/a.json': '', 'tributary.json': JSON.stringify({ affected: { edges } }) });
    const stale = (await check(repo)).findings.flatMap((one) =>
      one.kind === 'stale-edge' ? [`${one.severity} ${one.from} ${one.to} ${one.missing}`] : [],
    );
    expect(stale).toEqual(['note gone lib reader', 'note lib gone target', 'note lib nowhere file']);
    expect((await check(repo, '--fix')).fixed).toEqual({ added: [], removed: [] });
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual(edges);
    expect((await run(repo)).stdout).toContain('Edges of tributary.json that say nothing (3)');
  });

  test('does not take away what is not committed yet, and says so', async () => {
    const repo = monorepo({ 'packages/app/a.js': "import 'lib';\n" });
    const edges = { app: { workspaces: { lib: 'packages/app/a.js:1' } } };
    repo.commit('List it', { files: { 'tributary.json': JSON.stringify({ affected: { edges } }) } });
    const more = { app: { workspaces: { lib: 'packages/app/a.js:1', other: 'soon' } } };
    repo.write({ 'tributary.json': JSON.stringify({ affected: { edges: more } }) });
    const { fixed, warnings } = await check(repo, '--fix');
    expect(fixed).toEqual({ added: [], removed: [] });
    expect(warnings).toContainEqual(expect.stringContaining('differ from HEAD'));
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual(more);
  });

  test('says that it does not see what is not committed', async () => {
    const repo = monorepo({});
    repo.write({ 'packages/app/package.json': '{"name": "app", "version": "2.0.0"}\n' });
    expect((await check(repo, '--fix')).warnings).toContainEqual(expect.stringContaining('uncommitted changes'));
  });

  const code = async (repo: TempRepo, ...args: readonly string[]): Promise<unknown> => {
    const { stdout, code: exit } = await runCli('affected', ['check', '--json', '--fix', ...args], { cwd: repo.path });
    return [exit, (JSON.parse(stdout) as { error: { code: string } }).error.code];
  };

  test('refuses another commit than that of the working tree', async () => {
    const repo = monorepo({});
    repo.commit('More');
    expect(await code(repo, '--head', 'HEAD~1')).toEqual([2, 'USAGE']);
    expect((await run(repo, '--fix', '--head', 'main')).code).toBe(0);
  });

  test('refuses a bare repository', async () => {
    const repo = monorepo({});
    const bare = cleanUp.add(createTempMonorepo({ packages: {} }));
    bare.git('clone', '-q', '--bare', repo.path, join(bare.path, 'bare.git'));
    const { stdout, code: exit } = await runCli('affected', ['check', '--fix', '--json'], { cwd: join(bare.path, 'bare.git') });
    expect([exit, JSON.parse(stdout).error.code]).toEqual([1, 'TARGET_NOT_FOUND']);
  });

  test('refuses to write beside a tributary.json that is missing in the working tree alone', async () => {
    const repo = monorepo({ 'tributary.json': '{}' });
    repo.write({ 'tributary.json': null });
    expect(await code(repo)).toEqual([1, 'FILE_UNUSABLE']);
  });

  test('refuses a tributary.json that cannot be read, and leaves it', async () => {
    const repo = monorepo({});
    repo.write({ 'tributary.json': '{"affected": {"edges": []}}' });
    expect(await code(repo)).toEqual([1, 'CONFIG_INVALID']);
    expect(configIn(repo)).toBe('{"affected": {"edges": []}}');
  });
});

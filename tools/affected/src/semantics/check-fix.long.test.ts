import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo, formatManifest } from '@tributary/test-repo/temp-monorepo';
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

const TEST = 'packages/app/src/util.test.ts';
const FAKE = 'tests/fake-provider.ts';
/** A test imports a file of the root, which imports another workspace. */
const THROUGH_ROOT: Files = {
  [TEST]: "import { fake } from '../../../tests/fake-provider.js';\n",
  [FAKE]: "import type { Provider } from 'lib';\nexport const fake = 1;\n",
};

function rules(files: string, affects: string | readonly string[]): Files {
  return { 'tributary.json': JSON.stringify({ affected: { rules: [{ files, affects }] } }) };
}

describe('check finds', () => {
  test('the chain that leads to a workspace, as a hole, and says what to do', async () => {
    const repo = monorepo(THROUGH_ROOT);
    const { findings } = await check(repo);
    expect(findings).toContainEqual({
      kind: 'indirect-reading',
      severity: 'hole',
      workspace: 'app',
      reason: 'unseen',
      target: 'lib',
      chain: [
        { file: TEST, line: 1, specifier: '../../../tests/fake-provider.js' },
        { file: FAKE, line: 1, specifier: 'lib' },
      ],
    });
    const { stdout } = await run(repo);
    expect(stdout).toContain(
      [
        'Reads through files of the root (1)',
        'A change to such a file does not select the workspace that reads it.',
        'Declare the dependency, or list it in tributary.json: "affected check --fix".',
        '  app reads lib',
        `      ${TEST}:1 > ${FAKE}:1`,
      ].join('\n'),
    );
  });
});

/** `app` runs a script of `lib`, and through a script of the root one of `other`. */
const SCRIPTS: Files = {
  'packages/app/package.json': formatManifest({
    name: 'app',
    version: '1.0.0',
    scripts: { test: 'yarn workspace lib gen && jest', build: 'yarn -T run gen', clean: 'yarn workspace gone clean' },
    // This `lib` is the one of the registry.
    dependencies: { lib: '^9.0.0' },
  }),
  'package.json': formatManifest({ name: 'monorepo', workspaces: ['packages/*'], scripts: { gen: 'yarn workspace other gen' } }),
};

describe('scripts that run scripts of other workspaces', () => {
  test('are holes', async () => {
    const repo = monorepo(SCRIPTS);
    const { findings } = await check(repo);
    const place = { severity: 'hole', workspace: 'app', reason: 'unseen' };
    expect(findings.filter(({ severity }) => severity === 'hole')).toEqual([
      {
        ...place,
        kind: 'indirect-reading',
        target: 'other',
        chain: [
          { file: 'packages/app/package.json', line: 6, specifier: 'yarn -T run gen' },
          { file: 'package.json', line: 7, specifier: 'yarn workspace other gen' },
        ],
      },
      {
        ...place,
        kind: 'foreign-script',
        file: 'packages/app/package.json',
        line: 5,
        specifier: 'yarn workspace lib gen && jest',
        target: 'lib',
      },
    ]);
    const { stdout } = await run(repo);
    expect(stdout).toContain(
      [
        'Scripts that run scripts of workspaces that are not declared (1)',
        'A change to the script does not select the workspace that runs it.',
        'Declare the dependency, or list it in tributary.json: "affected check --fix".',
        '  app runs scripts of lib',
        '      packages/app/package.json:5 "yarn workspace lib gen && jest"',
      ].join('\n'),
    );
  });

  test('get edges, which the next answer follows', async () => {
    const repo = monorepo(SCRIPTS);
    const change = { files: { 'packages/lib/a.js': 'changed', 'packages/other/a.js': 'changed' } };
    repo.commit('Break what is run', change);
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['lib', 'other']);
    await check(repo, '--fix');
    const workspaces = { lib: 'packages/app/package.json:5', other: 'package.json:7' };
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual({ app: { workspaces } });
    repo.commit('List the edges');
    const { findings } = await check(repo);
    expect(findings.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['indirect-reading', 'note'],
      ['foreign-script', 'note'],
    ]);
    for (const name of ['lib', 'other']) {
      repo.commit('Break it again', { files: { [`packages/${name}/a.js`]: 'again' } });
      expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app', name]);
    }
  });

  test('need none where the dependency is declared', async () => {
    const app = { name: 'app', version: '1.0.0', scripts: { test: 'yarn workspace lib gen' }, devDependencies: { lib: 'workspace:*' } };
    const { findings, edges } = await check(monorepo({ 'packages/app/package.json': formatManifest(app) }));
    expect([findings, edges]).toEqual([[], []]);
  });
});

describe('check --fix', () => {
  test('writes what was found, and the next answer follows it', async () => {
    const repo = monorepo(THROUGH_ROOT);
    expect(await ask(repo, ['--base', 'HEAD'])).toEqual([]);
    const { findings, fixed } = await check(repo, '--fix');
    expect(findings.filter(({ severity }) => severity === 'hole')).toEqual([]);
    expect(fixed?.added.map(({ from, to }) => `${from} ${to}`)).toEqual(['app lib', `app ${FAKE}`, 'monorepo lib']);
    expect(configIn(repo)).toBe(
      `${JSON.stringify(
        {
          affected: {
            edges: {
              app: { workspaces: { lib: `${FAKE}:1` }, files: { [FAKE]: `${TEST}:1` } },
              monorepo: { workspaces: { lib: `${FAKE}:1` } },
            },
          },
        },
        null,
        2,
      )}\n`,
    );
    repo.commit('List the edges');
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app', 'monorepo']);
    repo.commit('Break lib', { files: { 'packages/lib/a.js': 'broken' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app', 'lib', 'monorepo']);
    repo.commit('Delete the edges and break lib', { files: { 'tributary.json': null, 'packages/lib/a.js': 'more' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app', 'lib', 'monorepo']);
  });

  test('is done when it is done', async () => {
    const repo = monorepo(THROUGH_ROOT);
    await check(repo, '--fix');
    const first = configIn(repo);
    expect((await check(repo, '--fix')).fixed).toEqual({ added: [], renewed: [], removed: [] });
    repo.commit('List the edges');
    const again = await check(repo, '--fix');
    expect([again.fixed, again.warnings.length, configIn(repo)]).toEqual([{ added: [], renewed: [], removed: [] }, 1, first]);
    expect((await run(repo, '--fix')).stdout).toContain('tributary.json lists every edge that was found.');
    expect((await check(repo)).edges.every(({ listed }) => listed)).toBe(true);
  });

  test('keeps comments, the order of keys, indentation, line ends and the byte order mark', async () => {
    const before =
      '\uFEFF// ours\r\n{\r\n\t"affected": {\r\n\t\t"turboInputs": "respect", // as ever\r\n\t\t"always": [],\r\n\t},\r\n}\r\n';
    const repo = monorepo({ ...THROUGH_ROOT, [FAKE]: '', 'tributary.json': before });
    await check(repo, '--fix');
    const [first, ...rest] = [
      '\t\t"always": [],',
      '\t\t"edges": {',
      '\t\t\t"app": {',
      '\t\t\t\t"files": {',
      `\t\t\t\t\t"${FAKE}": "${TEST}:1"`,
      '\t\t\t\t}',
      '\t\t\t}',
      '\t\t},',
    ];
    expect(configIn(repo)).toBe(before.replace('\t\t"always": [],', [first, ...rest].join('\r\n')));
  });

  test('writes a new proof where a line moved, and leaves one that is elsewhere', async () => {
    const byHand = { affected: { edges: { app: { workspaces: { lib: `${FAKE}:9` }, files: { [FAKE]: 'packages/app/b.test.ts:1' } } } } };
    const second = { 'packages/app/b.test.ts': "import '../../tests/fake-provider';\n" };
    const repo = monorepo({ ...THROUGH_ROOT, ...second, 'tributary.json': JSON.stringify(byHand) });
    const { fixed } = await check(repo, '--fix');
    expect(fixed?.renewed).toEqual([{ from: 'app', kind: 'workspace', to: 'lib', proof: `${FAKE}:1` }]);
    expect(JSON.parse(configIn(repo)).affected.edges.app.files).toEqual(byHand.affected.edges.app.files);
  });

  test('keeps an edge that was written by hand, and warns of it', async () => {
    const edges = {
      app: { workspaces: { lib: 'packages/app/load.js:3' }, files: { data: 'the loader puts its path together' } },
      gone: { workspaces: { lib: 'packages/app/load.js:3', other: 'packages/gone/x.js:1' } },
      lib: { workspaces: { gone: 'packages/app/load.js:3', left: 'packages/gone/y.js:4' }, files: { nowhere: 'why not' } },
    };
    const repo = monorepo({ 'packages/app/load.js': '', 'data/a.json': '', 'tributary.json': JSON.stringify({ affected: { edges } }) });
    const { findings } = await check(repo);
    const stale = findings.flatMap((one) => (one.kind === 'stale-edge' ? [`${one.severity} ${one.from} ${one.to} ${one.missing}`] : []));
    expect(stale).toEqual([
      'note app data reading',
      'note app lib reading',
      'note gone lib reader',
      'note gone other reader',
      'note lib gone target',
      'note lib left target',
      'note lib nowhere file',
    ]);
    const { fixed, findings: left } = await check(repo, '--fix');
    expect(fixed?.removed.map(({ from, to, proof }) => `${from} ${to} ${proof}`)).toEqual([
      'gone other packages/gone/x.js:1',
      'lib left packages/gone/y.js:4',
    ]);
    expect(left.filter(({ kind }) => kind === 'stale-edge')).toHaveLength(5);
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual({
      app: edges.app,
      gone: { workspaces: { lib: 'packages/app/load.js:3' } },
      lib: { workspaces: { gone: 'packages/app/load.js:3' }, files: { nowhere: 'why not' } },
    });
    repo.commit('What was written');
    const { stdout } = await run(repo);
    expect(stdout).toContain('Edges of tributary.json that were not found (5)');
  });

  test('does not take away what is not committed yet', async () => {
    const repo = monorepo({});
    const edges = { soon: { workspaces: { later: 'packages/soon/x.js:1' } } };
    repo.commit('Read lib', { files: { [TEST]: "import 'lib';\n" } });
    repo.write({ 'tributary.json': JSON.stringify({ affected: { edges } }) });
    const { fixed } = await check(repo, '--fix');
    expect(fixed).toMatchObject({ added: [{ from: 'app', to: 'lib' }], removed: [] });
    expect(JSON.parse(configIn(repo)).affected.edges).toMatchObject(edges);
  });

  test('does not change a proof that is not committed yet, and says so', async () => {
    const repo = monorepo({ [TEST]: "import 'lib';\n" });
    const edges = { app: { workspaces: { lib: `${TEST}:5` } } };
    repo.write({ 'tributary.json': JSON.stringify({ affected: { edges } }) });
    const { fixed, warnings } = await check(repo, '--fix');
    expect(fixed).toEqual({ added: [], renewed: [], removed: [] });
    expect(warnings).toContainEqual(expect.stringContaining('differ from HEAD'));
    expect(JSON.parse(configIn(repo))).toEqual({ affected: { edges } });
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
    const repo = monorepo(THROUGH_ROOT);
    repo.commit('More');
    expect(await code(repo, '--head', 'HEAD~1')).toEqual([2, 'USAGE']);
    expect((await run(repo, '--fix', '--head', 'main')).code).toBe(0);
  });

  test('refuses a bare repository', async () => {
    const repo = monorepo(THROUGH_ROOT);
    const bare = cleanUp.add(createTempMonorepo({ packages: {} }));
    bare.git('clone', '-q', '--bare', repo.path, join(bare.path, 'bare.git'));
    const { stdout, code: exit } = await runCli('affected', ['check', '--fix', '--json'], { cwd: join(bare.path, 'bare.git') });
    expect([exit, JSON.parse(stdout).error.code]).toEqual([1, 'TARGET_NOT_FOUND']);
  });

  test('refuses to write beside a tributary.json that is missing in the working tree alone', async () => {
    const repo = monorepo({ ...THROUGH_ROOT, ...rules('x/**', 'none') });
    repo.write({ 'tributary.json': null });
    expect(await code(repo)).toEqual([1, 'FILE_UNUSABLE']);
  });

  test('refuses a tributary.json that cannot be read, and leaves it', async () => {
    const repo = monorepo(THROUGH_ROOT);
    repo.write({ 'tributary.json': '{"affected": {"edges": []}}' });
    expect(await code(repo)).toEqual([1, 'CONFIG_INVALID']);
    expect(configIn(repo)).toBe('{"affected": {"edges": []}}');
  });

  test('works in a project below the root of its repository', async () => {
    const files = {
      'package.json': '{"name": "sub", "workspaces": ["p/*"]}',
      'yarn.lock': '',
      'p/a/package.json': '{"name": "a"}',
      'p/b/package.json': '{"name": "b"}',
    };
    const repo = monorepo(Object.fromEntries(Object.entries(files).map(([path, text]) => [`sub/${path}`, text])));
    repo.commit('Read b', { files: { 'sub/p/a/x.js': "import 'b';\n" } });
    const { stdout } = await runCli('affected', ['check', '--fix', '--json'], { cwd: join(repo.path, 'sub/p') });
    expect((JSON.parse(stdout) as CheckResult).fixed?.added).toMatchObject([{ from: 'a', to: 'b', proof: 'p/a/x.js:1' }]);
    const written = JSON.parse(readFileSync(join(repo.path, 'sub/tributary.json'), 'utf8'));
    expect(written.affected.edges).toEqual({ a: { workspaces: { b: 'p/a/x.js:1' } } });
  });

  test('does not take a name for what every object has', async () => {
    const repo = monorepo({ 'packages/constructor/package.json': '{"name": "constructor"}', [TEST]: "import 'constructor';\n" });
    await check(repo, '--fix');
    expect(JSON.parse(configIn(repo)).affected.edges).toEqual({ app: { workspaces: { constructor: `${TEST}:1` } } });
  });
});

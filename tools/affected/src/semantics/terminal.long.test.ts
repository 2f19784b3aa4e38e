import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo, type Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { CheckResult, ReplayResult } from '../result.js';
import { ask, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

const TERMINAL: Files = { 'tributary.json': '{"affected": {"dev": "terminal"}}\n' };
const IN_TESTS: Files = { 'packages/app/src/app.test.js': "import 'tool';\n", 'packages/app/test/helper.js': "import 'tool';\n" };

/**
 * Creates `user`, which depends on `app`. `app` has `tool` as a dev dependency and uses it as files and manifest say. The last commit
 * changes `tool`.
 */
function monorepo(files: Files, app: Manifest = {}): TempRepo {
  const packages = {
    'packages/tool': { bin: { 'make-it': 'src/tool.js' } },
    'packages/app': { devDependencies: { tool: 'workspace:*' }, ...app },
    'packages/user': { dependencies: { app: 'workspace:*' } },
  };
  const repo = cleanUp.add(createTempMonorepo({ packages, files: { 'packages/tool/src/tool.js': '', ...files } }));
  repo.commit('Change the tool', { files: { 'packages/tool/src/tool.js': 'changed\n' } });
  return repo;
}

/** Returns the unsafe dev edges that `affected check` reports, as `<workspace> <dependency>`. */
async function transitiveEdges(repo: TempRepo): Promise<readonly string[]> {
  const { stdout } = await runCli('affected', ['check', '--json'], { cwd: repo.path });
  const { findings } = JSON.parse(stdout) as CheckResult;
  return findings.flatMap((finding) => (finding.kind === 'unsafe-dev-edge' ? [`${finding.workspace} ${finding.dependency}`] : []));
}

const CASES: readonly (readonly [sentence: string, files: Files, app: Manifest, goesOn: 'on' | 'no further'])[] = [
  ['that tests alone use ends at its dependent', IN_TESTS, {}, 'no further'],
  ['that nothing names ends at its dependent', {}, {}, 'no further'],
  ['that only the script of tests calls ends at its dependent', {}, { scripts: { test: 'make-it' } }, 'no further'],
  ['whose binary the build script calls goes on', IN_TESTS, { scripts: { build: 'make-it --all' } }, 'on'],
  ['that the source imports goes on', { 'packages/app/src/app.js': "import 'tool';\n" }, {}, 'on'],
  ['that a bundler of the workspace loads goes on', { 'packages/app/rollup.config.js': "export default 'tool';\n" }, {}, 'on'],
  ['that a compiler of the root loads goes on', { 'babel.config.js': "export default 'tool';\n" }, {}, 'on'],
  [
    'of tests that another workspace imports goes on',
    { ...IN_TESTS, 'packages/user/src/user.js': "import 'app/test/helper.js';\n" },
    {},
    'on',
  ],
  [
    'of tests that a test of another workspace imports by its path goes on',
    { ...IN_TESTS, 'packages/user/src/user.test.js': "import helper from '../../app/test/helper.js';\n" },
    {},
    'on',
  ],
  ['of tests that are published goes on', IN_TESTS, { files: ['src', 'test'] }, 'on'],
];

describe('with dev: "terminal", a dev dependency', () => {
  test.each(CASES)('%s, and check says the same', async (_, files, app, goesOn) => {
    const repo = monorepo({ ...TERMINAL, ...files }, app);
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(goesOn === 'on' ? ['app', 'tool', 'user'] : ['app', 'tool']);
    expect(await transitiveEdges(repo)).toEqual(goesOn === 'on' ? ['app tool'] : []);
  });

  test('is looked for in the work tree where that is asked about', async () => {
    const repo = monorepo({ ...TERMINAL, ...IN_TESTS });
    repo.write({ 'packages/tool/src/tool.js': 'changed again\n' });
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(['app', 'tool']);
    repo.write({ 'packages/app/build.js': "import 'tool';\n" });
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(['app', 'tool', 'user']);
  });

  test('goes on where the base alone has a dependent behind it', async () => {
    const repo = monorepo({ ...TERMINAL, ...IN_TESTS });
    const manifest = readText(repo, 'packages/user/package.json').replace(/"app"/, '"tool"');
    repo.commit('Let go of app', { files: { 'packages/user/package.json': manifest, 'packages/tool/src/tool.js': 'again\n' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['app', 'tool', 'user']);
  });
});

test.each([
  ['the dev dependency of tests ends', IN_TESTS, 3, 2],
  ['the dev dependency of a build goes on', { 'packages/app/src/app.js': "import 'tool';\n" }, 3, 3],
])('replay shows both figures: %s', async (_, files, transitive, terminal) => {
  const run = await runCli('affected', ['replay', '--last', '1', '--json'], { cwd: monorepo(files).path });
  const { policies } = JSON.parse(run.stdout) as ReplayResult;
  expect(policies.map(({ policy, runs }) => [policy, runs])).toEqual([
    ['everything', 4],
    ['transitive', transitive],
    ['terminal', terminal],
  ]);
});

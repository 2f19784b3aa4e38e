import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { clonePartially } from '@tributary/test-repo/partial-clone';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, ROOT_TOOLS } from './monorepo.fixture.js';
import { type Answer, ask, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

/** Returns a root that depends on the workspace `tool`, which no other workspace declares. */
function rootWith(over: Manifest): Files {
  return manifestOf('', over);
}

/** As Yarn writes it for all packages. */
const PNP = `const STATE = '{"packageRegistryData": [["tool", [["workspace:packages/tool", {"packageLocation": "./packages/tool/"}]]]]}';\n`;

const EVERYBODY = 'all: ROOT_DEPENDENCY_CHANGED';

describe('a workspace that the root depends on', () => {
  const change = { 'packages/tool/index.js': 'changed' };
  test.each<[sentence: string, before: Files, affected: Answer]>([
    ['affects the root alone, where nothing names it', rootWith({ scripts: { test: 'jest' } }), ['monorepo', 'tool']],
    ['affects everybody, where a test script of the root names it', rootWith({ scripts: { test: 'tool && jest' } }), EVERYBODY],
    [
      'affects everybody, where a script calls one that names it',
      rootWith({ scripts: { test: 'yarn lint && jest', lint: 'node node_modules/tool/x.js' } }),
      EVERYBODY,
    ],
    ['affects the root alone, where a script of linters names it', rootWith({ scripts: { lint: 'tool .' } }), ['monorepo', 'tool']],
    ['affects everybody, where a shared setting names it', { 'jest.config.js': "module.exports = { preset: 'tool' };\n" }, EVERYBODY],
    [
      'affects everybody, where a shared setting leads to a file that names it',
      { 'jest.config.js': "module.exports = require('./settings/jest');\n", 'settings/jest.js': "require('tool');\n" },
      EVERYBODY,
    ],
    [
      'affects everybody, where a shared setting names its folder',
      { 'jest.config.js': "module.exports = { preset: './packages/tool' };\n" },
      'all: RULE',
    ],
    [
      'affects the root alone, where a setting has a pattern of its files',
      { 'jest.config.js': "module.exports = { roots: ['packages/tool/**'] };\n" },
      ['monorepo', 'tool'],
    ],
    ["affects the root alone, where the map of Plug'n'Play names it", { '.pnp.cjs': PNP, '.pnp.loader.mjs': PNP }, ['monorepo', 'tool']],
    ['affects the root alone, where the settings of a linter name it', { 'eslint.config.js': "import 'tool';\n" }, ['monorepo', 'tool']],
    [
      'affects the workspace that names it without declaring it',
      { 'packages/alone/a.test.js': "require.resolve('tool');\n" },
      ['alone', 'monorepo', 'tool'],
    ],
    [
      'affects the dependents of such a workspace',
      { 'packages/by-dev/index.js': "import 'tool';\n" },
      ['by-dev', 'dev-user', 'monorepo', 'tool'],
    ],
    [
      'affects those that get such a workspace through a package',
      { 'packages/lib/a.js': "import 'tool';\n" },
      [...LIB_AND_USERS, 'monorepo', 'tool'],
    ],
    [
      'affects the workspace that reads a file of the root which names it',
      { 'tests/fake.js': "import 'tool';\n", 'packages/alone/a.test.js': "import '../../tests/fake.js';\n" },
      ['alone', 'monorepo', 'tool'],
    ],
    [
      'affects nobody else, where a file of the root names it that no workspace names',
      { 'scripts/release.js': "import 'tool';\n", 'packages/alone/release.js': "import './release.js';\n" },
      ['monorepo', 'tool'],
    ],
    [
      'affects nobody else, where a tsconfig of the root lists it',
      { 'tsconfig.json': '{"references": [{"path": "packages/tool"}], "compilerOptions": {"paths": {"tool": ["packages/tool"]}}}' },
      ['monorepo', 'tool'],
    ],
    ['affects nobody else, where words for people name it', { 'packages/alone/README.md': 'Uses `tool`.\n' }, ['monorepo', 'tool']],
    [
      'affects the workspace that names it in a file with the name of one of the root that counts for nobody',
      {
        'tributary.json': '{ "affected": { "rules": [{ "files": "a.test.js", "affects": "none" }] } }',
        'packages/alone/a.test.js': "require('tool');\n",
      },
      ['alone', 'monorepo', 'tool'],
    ],
    [
      'affects nobody else, where it is only compared with',
      { 'packages/alone/a.js': "export default (name) => name === 'tool';\n" },
      ['monorepo', 'tool'],
    ],
  ])('%s', async (_, before, affected) => {
    expect(await scene.ask({ before, files: change })).toEqual(affected);
  });

  test.each<[what: string, setting: string, answer: Answer]>([
    ['a source that they load affects everybody', "setupFiles: ['./packages/alone/src/setup.js']", 'all: RULE'],
    ['a source without its extension does, too', "setupFiles: ['./packages/alone/src/setup']", 'all: RULE'],
    ['a folder does not', "roots: ['<rootDir>/packages/alone']", ['alone']],
    ['settings of tests do not', "projects: ['./packages/alone/jest.config.js']", ['alone']],
  ])('of what settings of the root name by path, %s', async (_, setting, answer) => {
    const before = {
      'jest.config.js': `module.exports = { ${setting} };\n`,
      'packages/alone/src/setup.js': '1;',
      'packages/alone/jest.config.js': '',
    };
    expect(await scene.ask({ before, files: { 'packages/alone/src/setup.js': '2;' } })).toEqual(answer);
  });

  test.each<[what: string, workflow: string, step: string, answer: Answer]>([
    ['runs tests affects everybody', 'ci', 'yarn test', 'all: RULE'],
    ['publishes does not', 'publish', 'yarn npm publish', ['alone']],
  ])('a source that is run by a workflow that %s', async (_, name, step, answer) => {
    const steps = `    steps:\n      - run: node packages/alone/src/setup.js\n      - run: ${step}\n`;
    const before = {
      [`.github/workflows/${name}.yml`]: `on: push\njobs:\n  ${name}:\n    runs-on: ubuntu-latest\n${steps}`,
      'packages/alone/src/setup.js': '1;',
    };
    expect(await scene.ask({ before, files: { 'packages/alone/src/setup.js': '2;' } })).toEqual(answer);
  });

  test.each<[what: string, step: string, file: string, more: Files]>([
    ['data', 'cat packages/alone/x.sql', 'packages/alone/x.sql', {}],
    ['a source by the name of what is built from it', 'npx tsx packages/alone/x.js', 'packages/alone/x.ts', {}],
    [
      'what a script of the root names',
      'yarn prepared',
      'packages/alone/x.js',
      manifestOf('', { scripts: { prepared: 'node packages/alone/x.js' } }),
    ],
    ['what a file of the root imports', 'node tools/a.mjs', 'packages/alone/x.js', { 'tools/a.mjs': "import '../packages/alone/x.js';\n" }],
  ])('a job with tests uses for everybody %s', async (_, step, file, more) => {
    const steps = `    steps:\n      - run: ${step}\n      - run: yarn test\n`;
    const ci = { '.github/workflows/ci.yml': `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n${steps}` };
    expect(await scene.ask({ before: { ...ci, ...more, [file]: '1;' }, files: { [file]: '2;' } })).toBe('all: RULE');
  });

  test('what a script of the root names affects everybody if it is unknown which scripts run', async () => {
    const before = {
      ...manifestOf('', { scripts: { prepared: 'node packages/alone/x.js' } }),
      'packages/alone/x.js': '1;',
      '.github/workflows/ci.yml': 'on: push\njobs:\n  test:\n    uses: acme/other/.github/workflows/tests.yml@v1\n',
    };
    expect(await scene.ask({ before, files: { 'packages/alone/x.js': '2;' } })).toBe('all: RULE');
  });

  test.each<[what: string, before: Files, files: Files]>([
    [
      'a local action in a workspace',
      {
        '.github/workflows/ci.yml': 'on: push\njobs:\n  test:\n    steps:\n      - uses: ./packages/alone\n      - run: yarn test\n',
        'packages/alone/action.yml': 'runs: { using: node20, main: a.js }\n',
      },
      { 'packages/alone/action.yml': 'runs: { using: node24, main: a.js }\n' },
    ],
    [
      'a pipeline in a workspace',
      { '.gitlab-ci.yml': 'include: [{ local: /packages/alone/ci.yml }]\n', 'packages/alone/ci.yml': 'a: {}\n' },
      { 'packages/alone/ci.yml': 'b: {}\n' },
    ],
  ])('%s counts for everybody', async (_, before, files) => {
    expect(await scene.ask({ before, files })).toBe('all: RULE');
  });

  test('each installation runs for everybody what its scripts name', async () => {
    const before = { ...manifestOf('', { scripts: { postinstall: 'node packages/alone/x.js' } }), 'packages/alone/x.js': '1;' };
    expect(await scene.ask({ before, files: { 'packages/alone/x.js': '2;' } })).toBe('all: RULE');
  });

  test('a helper of tests that settings of the root load affects everybody', async () => {
    const before = {
      'jest.config.js': "module.exports = { setupFiles: ['./packages/lib/test/helper.js'] };\n",
      'packages/lib/test/helper.js': '1;',
    };
    expect(await scene.ask({ before, files: { 'packages/lib/test/helper.js': '2;' } })).toBe('all: RULE');
  });

  test('what a loaded source imports in its workspace is loaded, too', async () => {
    const before = {
      'babel.config.js': "module.exports = { plugins: ['./packages/alone/plugin.js'] };\n",
      'packages/alone/plugin.js': "module.exports = require('./lib');\n",
      'packages/alone/lib/index.js': "require('./deep.js');\n",
      'packages/alone/lib/deep.js': '1;',
      'packages/alone/other.js': '1;',
    };
    expect(await scene.ask({ before, files: { 'packages/alone/lib/deep.js': '2;' } })).toBe('all: RULE');
    expect(await scene.ask({ before, files: { 'packages/alone/other.js': '2;' } })).toEqual(['alone']);
  });

  test('a rule comes before what settings of the root load', async () => {
    const before = {
      'jest.config.js': "module.exports = { setupFiles: ['./packages/alone/src/setup.js'] };\n",
      'packages/alone/src/setup.js': '1;',
      'tributary.json': '{ "affected": { "rules": [{ "files": "packages/alone/src/setup.js", "affects": "owner" }] } }',
    };
    expect(await scene.ask({ before, files: { 'packages/alone/src/setup.js': '2;' } })).toEqual(['alone']);
  });

  test('goes by the name that it had before, too', async () => {
    const before = { 'jest.config.js': "module.exports = { preset: 'tool' };\n", 'yarn.lock': null };
    expect(await scene.ask({ before, files: manifestOf('packages/tool', { name: 'renamed' }) })).toBe(EVERYBODY);
  });

  test('affects others through a workspace that it depends on', async () => {
    const before = {
      ...manifestOf('packages/tool', { dependencies: { 'ring-a': 'workspace:^' } }),
      'packages/alone/a.test.js': "import 'tool';\n",
    };
    const files = { 'packages/ring-b/index.js': 'changed' };
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['alone', 'monorepo', 'ring-a', 'ring-b', 'tool']);
  });

  test('affects everybody where a partial clone lacks a file that may name it, and nothing may be fetched', async () => {
    const source = await scene.changed({ files: { ...change, 'packages/alone/a.test.js': "import 'tool';\n" } });
    const { clone } = clonePartially(source, cleanUp.add(new TempFolder()), '--no-checkout');
    cleanUp.add(clone);
    clone.git('checkout', '-q', 'HEAD~1');
    const args = ['--head', 'main', '--base', 'main~1'];
    expect(await ask(clone, [...args, '--no-fetch'])).toBe('all: SOURCES_MISSING');
    expect(await ask(clone, args)).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('says who names it', async () => {
    const { all } = await scene.resultOf({ before: rootWith({ scripts: { test: 'tool && jest' } }), files: change });
    expect(all?.reason).toMatch(
      /^The root depends on the workspace tool, which every workspace can use\. package\.json:\d+ names it, or what leads to it\.$/,
    );
  });
});

// A compiler's helper, a plugin and a runner's environment are loaded by names that nobody wrote.
test('a package that the root depends on affects everybody, also where nothing names it', async () => {
  for (const version of ['1.0.0', '1.0.1']) scene.registry.add({ manifest: { name: 'injected-helper', version } });
  const rootWith1 = (version: string): Files => rootWith({ devDependencies: { ...ROOT_TOOLS, 'injected-helper': version } });
  const change = { before: rootWith1('1.0.0'), files: rootWith1('1.0.1'), lock: 'by Yarn' } as const;
  const { all } = await scene.resultOf(change);
  expect(all).toMatchObject({ code: 'ROOT_DEPENDENCY_CHANGED', subject: 'injected-helper' });
  const config = { affected: { rootOnlyDependencies: [{ name: 'injected-helper', because: 'we know' }] } };
  const before = { ...change.before, 'tributary.json': JSON.stringify(config) };
  expect(await scene.ask({ ...change, before })).toEqual(['monorepo']);
});

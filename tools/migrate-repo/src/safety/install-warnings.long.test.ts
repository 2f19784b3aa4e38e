import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { published } from '../io/yarn.fixture.js';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

// What only an installation shows about a package: real Yarn, real warnings, a real node_modules.

const cleanUp = cleanUpIn(afterAll);
let fixture: MigrationFixture;
let env: Readonly<Record<string, string>>;

const PACKAGES = [
  { manifest: { name: 'native', version: '1.0.0', scripts: { install: 'exit 9' } } },
  published('draws', '1.0.0', { native: '^1.0.0' }),
  { manifest: { name: 'plugin', version: '1.0.0', peerDependencies: { host: '^2.0.0' } } },
  { manifest: { name: 'odd-plugin', version: '1.0.0', peerDependencies: { engine: '^2.0.0' } } },
  ...['1.0.0', '2.0.0'].map((version) => published('engine', version)),
  ...['1.0.0', '2.0.0'].map((version) => published('world', version)),
];

beforeAll(async () => {
  const registry = cleanUp.add(await startRegistry({ packages: PACKAGES }));
  fixture = createFixture(cleanUp);
  env = registryEnvironment(registry.url, cleanUp.add(createHome()).path);
  fixture.monorepo.write({
    '.yarnrc.yml': `enableTelemetry: false\nenableScripts: false\nnodeLinker: node-modules\nyarnPath: ${quickYarn(findProjectRoot())}\n`,
    '.gitignore': 'node_modules\n.yarn\n',
    'yarn.lock': '',
    'packages/other/package.json': formatManifest({ name: 'other', version: '1.0.0', dependencies: { world: '^1.0.0' } }),
    // It lacks a peer too, but that is not new.
    'packages/user/package.json': formatManifest({ name: 'user', version: '1.0.0', dependencies: { world: '^1.0.0', plugin: '^1.0.0' } }),
  });
  const args = [quickYarn(findProjectRoot()), 'install', '--no-immutable'];
  const { code, stdout } = await runProcess(process.execPath, args, { cwd: fixture.monorepo.path, env });
  if (code !== 0) throw new Error(stdout);
  fixture.monorepo.commit('Lock');
});

async function messagesOf(
  name: string,
  dependencies: object,
  files: Readonly<Record<string, string>> = {},
): Promise<Record<'decisions' | 'changes', readonly string[]>> {
  const source = createSource(cleanUp, name, { dependencies });
  source.commit('Add', { files: { 'yarn.lock': null, ...files } });
  const { stdout } = await fixture.accepted([name, '--from', source.path, '--json', '--no-tags'], { env });
  const lock = (JSON.parse(stdout) as MigrateResult).alignment?.find(({ step }) => step === 'lockfile');
  const flat = (
    list: readonly { text: string; about: readonly { place: string | null; detail: string | null }[] }[] = [],
  ): readonly string[] => list.flatMap(({ text, about }) => about.map(({ place, detail }) => `${place}: ${text.slice(0, 40)} (${detail})`));
  return { decisions: flat(lock?.decisions.flatMap(({ findings }) => findings)), changes: flat(lock?.changes) };
}

test('a build script that is not run is to be decided, with who brought it; where it was not run before, it is told', async () => {
  expect((await messagesOf('builds', { draws: '^1.0.0' })).decisions).toEqual([
    'native: It has a build script. Unbuilt at the ro (1.0.0, through draws@1.0.0)',
  ]);
  expect(await messagesOf('builds-not', { native: '^1.0.0' }, { '.npmrc': 'ignore-scripts=true\n' })).toEqual({
    decisions: [],
    changes: ['native: It has a build script, which does not ru (1.0.0)'],
  });
});

test('peers that are missing or wrong are told of the imported package, not of those that had them before', async () => {
  const { changes } = await messagesOf('peers', { plugin: '^1.0.0', 'odd-plugin': '^1.0.0', engine: '^1.0.0' });
  expect([...changes].sort()).toEqual([
    'null: Yarn warns about peer dependencies that  (engine is 1.0.0, required by odd-plugin (^2.0.0))',
    'null: Yarn warns about peer dependencies that  (host is not provided, required by plugin)',
  ]);
});

test('a package named by its place is told where it has moved, and not where it is still there', async () => {
  const files = { 'test/read.js': 'read("./node_modules/world/data.json");\n' };
  expect((await messagesOf('hoisted', { world: '^1.0.0' }, files)).decisions).toEqual([
    'test/read.js:1: It has a path of a package in node_modul (`world`, which is elsewhere)',
  ]);
  expect((await messagesOf('nested', { world: '^2.0.0' }, files)).decisions).toEqual([]);
});

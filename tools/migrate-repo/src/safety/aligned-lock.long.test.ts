import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { createHome, runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { published } from '../io/yarn-scene.fixture.js';
import type { MigrateResult } from '../result.js';
import { createScene, createSource, type Scene } from './scene.fixture.js';

// What a package had locked is locked on the branch, which the monorepo's own Yarn has installed. Real Yarn, and a real registry.

const cleanUp = cleanUpIn(afterAll);
let registry: LocalRegistry;
let scene: Scene;
let env: Readonly<Record<string, string>>;

/** As the package was locked alone: an older `ms` than the monorepo would get, and another `used` than the monorepo has. */
const LOCK = ['# yarn lockfile v1', '', entry('ms@^1.0.0', '1.0.0'), entry('used@^1.0.0', '1.0.0'), entry('spare@^2.0.0', '2.0.0')].join(
  '\n',
);

function entry(key: string, version: string): string {
  return `\n${key}:\n  version "${version}"\n`;
}

beforeAll(async () => {
  const versions = ['ms@1.0.0', 'ms@1.2.0', 'used@1.0.0', 'used@1.1.0', 'spare@2.0.0', 'spare@2.1.0'];
  const packages = versions.map((one) => published(...(one.split('@') as [string, string])));
  registry = cleanUp.add(await startRegistry({ packages }));
  scene = createScene(cleanUp);
  env = registryEnvironment(registry.url, cleanUp.add(createHome()).path);
  scene.monorepo.write({
    '.yarnrc.yml': `enableTelemetry: false\nnodeLinker: node-modules\nyarnPath: ${yarnRelease(findProjectRoot())}\n`,
    '.gitignore': 'node_modules\n.yarn\n',
    'yarn.lock': '',
    'packages/user/package.json': formatManifest({ name: 'user', version: '1.0.0', dependencies: { used: '^1.0.0' } }),
  });
  await yarn(['install', '--no-immutable']);
  scene.monorepo.commit('Lock');
}, 120_000);

async function yarn(args: readonly string[]): Promise<void> {
  const { code, stdout } = await runProcess(process.execPath, [yarnRelease(findProjectRoot()), ...args], { cwd: scene.monorepo.path, env });
  if (code !== 0) throw new Error(stdout);
}

async function migrate(name: string, args: readonly string[] = []): Promise<MigrateResult> {
  const source = createSource(cleanUp, name, { dependencies: { ms: '^1.0.0', used: '^1.0.0' } });
  source.commit('Lock', { files: { 'yarn.lock': LOCK, 'src/spare.js': 'require("spare");\n' } });
  const { stdout } = await scene.accepted([name, '--from', source.path, '--json', '--no-tags', ...args], { env });
  return JSON.parse(stdout) as MigrateResult;
}

function lockOf(branch: string): string {
  return scene.monorepo.git('show', `${branch}:yarn.lock`);
}

test('what the package had locked stays locked, what the monorepo has stays as it is, and the conflict is told', async () => {
  const { alignment, branch } = await migrate('locked');
  const lock = lockOf(branch);
  expect(lock.match(/resolution: "(?:ms|used|spare)@[^"]*"/g)).toEqual([
    'resolution: "ms@npm:1.0.0"',
    'resolution: "spare@npm:2.0.0"',
    'resolution: "used@npm:1.1.0"',
  ]);
  expect(alignment?.map(({ step }) => step)).toEqual(['phantoms', 'versions', 'lockfile']);
  const { changes = [], files = [] } = alignment?.at(-1) ?? {};
  expect(files).toEqual(['yarn.lock']);
  expect(changes).toContain('`used@npm:^1.0.0` is 1.1.0 as in the monorepo; it was 1.0.0.');
  expect(changes[0]).toBe('2 of 3 locked versions are kept; for 1 the monorepo has another');
  scene.monorepo.git('checkout', '-q', branch);
  await yarn(['install', '--immutable', '--check-resolutions']);
  scene.monorepo.git('checkout', '-q', 'main');
}, 120_000);

test('without an installation the lockfile of the monorepo is left alone', async () => {
  const { alignment, branch } = await migrate('unlocked', ['--no-install']);
  const { commit, decisions } = alignment?.find(({ step }) => step === 'lockfile') ?? {};
  expect([commit, decisions]).toEqual([null, [expect.stringMatching(/^Nothing was installed, so what unlocked had locked is not/)]]);
  expect(lockOf(branch)).toBe(lockOf('main'));
}, 120_000);

test('a registry that cannot be reached refuses the migration, and the monorepo is as it was', async () => {
  const source = createSource(cleanUp, 'offline', { dependencies: { ms: '^1.0.0' } });
  const nowhere = { ...env, YARN_NPM_REGISTRY_SERVER: 'http://127.0.0.1:9', YARN_HTTP_RETRY: '0' };
  const { stderr } = await scene.refused('REGISTRY_UNREACHABLE', ['offline', '--from', source.path, '--no-tags'], { env: nowhere });
  expect(stderr).toContain('--no-install');
}, 120_000);

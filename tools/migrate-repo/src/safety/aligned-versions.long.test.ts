import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import { published } from '../io/yarn.fixture.js';
import type { MigrateResult } from '../result/result.js';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';
import { createSource } from './migration.fixture.js';

// Yarn installs the versions that the report announces.

const cleanUp = cleanUpIn(afterAll);
let installed: InstalledFixture;

beforeAll(async () => {
  const versions = ['used@1.0.0', 'used@1.1.0', 'host@1.0.0', 'host@1.3.0', 'local@1.0.0'];
  const plain = versions.map((one) => published(...(one.split('@') as [string, string])));
  const tool = { manifest: { name: 'tool', version: '1.0.0', dependencies: { local: '^1.0.0' }, peerDependencies: { host: '^1.0.0' } } };
  const workspaces = {
    'packages/user': { name: 'user', version: '1.0.0', dependencies: { used: '^1.0.0' } },
    'packages/local': { name: 'local', version: '1.2.0' },
  };
  installed = await createInstalledFixture(cleanUp, { packages: [...plain, tool], workspaces });
});

async function migrate(name: string, manifest: Manifest, files: Readonly<Record<string, string>>): Promise<MigrateResult> {
  const source = createSource(cleanUp, name, manifest);
  source.commit('Lock', { files: { 'yarn.lock': null, ...files } });
  const { stdout } = await installed.fixture.accepted([name, '--from', source.path, '--json', '--no-tags'], { env: installed.env });
  return JSON.parse(stdout) as MigrateResult;
}

function resolutionsOf({ branch }: MigrateResult): readonly string[] {
  const lock = installed.fixture.monorepo.git('show', `${branch}:yarn.lock`);
  return [...lock.matchAll(/^ {2}resolution: "(.*)"$/gm)].map(([, resolution = '']) => resolution);
}

test('a peer that npm had installed is there as it was, and what gets a workspace through the registry is told', async () => {
  const manifest = { devDependencies: { tool: '^1.0.0' } };
  const tool = { version: '1.0.0', dependencies: { local: '^1.0.0' }, peerDependencies: { host: '^1.0.0' }, dev: true };
  const rest = { 'node_modules/host': { version: '1.0.0', peer: true }, 'node_modules/local': { version: '1.0.0' } };
  const lock = { name: 'peers', lockfileVersion: 3, packages: { '': manifest, 'node_modules/tool': tool, ...rest } };
  const result = await migrate('peers', manifest, { 'package-lock.json': JSON.stringify(lock) });
  expect(resolutionsOf(result)).toEqual(expect.arrayContaining(['host@npm:1.0.0', 'tool@npm:1.0.0', 'local@workspace:packages/local']));
  expect(resolutionsOf(result)).not.toContain('local@npm:1.0.0');
  expect(result.replaced).toEqual([
    { name: 'local', change: { from: '1.0.0', to: '1.2.0', level: 'minor', direction: 'up' }, for: ['peers'], through: ['tool@1.0.0'] },
  ]);
  const messages = result.alignment?.flatMap(({ changes, decisions }) => [...changes, ...decisions].map(({ text }) => text)) ?? [];
  expect(messages).toContain('peers: host `^1.0.0` in devDependencies; npm installed it as a peer of tool@1.0.0');
  expect(messages).toContainEqual(expect.stringMatching(/^tool@1\.0\.0 comes from the registry and now gets the workspace local\./));
});

const PATCH = `diff --git a/added.js b/added.js
new file mode 100644
index 0000000000000000000000000000000000000000..d00491fd7e5bb6fa28c517a0bb32b8b506539d4d
--- /dev/null
+++ b/added.js
@@ -0,0 +1 @@
+1
`;
const PATCHED = 'used@patch:used@npm%3A1.0.0#./used.patch';
const BOUND = 'locator=patched%40workspace%3A.';

/** A lockfile of Yarn 4. Other packages would take the patched 1.0.0 for `^1.0.0`. */
const BERRY = `__metadata:
  version: 8
  cacheKey: 10c0

"patched@workspace:.":
  version: 0.0.0-use.local
  resolution: "patched@workspace:."
  dependencies:
    used: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"used@npm:1.0.0":
  version: 1.0.0
  resolution: "used@npm:1.0.0"
  languageName: node
  linkType: hard

"${PATCHED}::${BOUND}":
  version: 1.0.0
  resolution: "${PATCHED}::version=1.0.0&hash=000000&${BOUND}"
  languageName: node
  linkType: hard
`;

test('a package that is patched keeps its version, and is not said to get another', async () => {
  const manifest = { dependencies: { used: '^1.0.0' }, resolutions: { used: 'patch:used@npm%3A1.0.0#./used.patch' } };
  const result = await migrate('patched', manifest, { 'yarn.lock': BERRY, 'used.patch': PATCH });
  const patched = resolutionsOf(result).filter((resolution) => resolution.startsWith('used@'));
  expect(patched).toEqual(
    expect.arrayContaining([
      'used@npm:1.0.0',
      'used@npm:1.1.0',
      expect.stringMatching(/^used@patch:used@npm%3A1\.0\.0#.*::version=1\.0\.0/),
    ]),
  );
  expect(result.dependencies).toEqual([]);
  expect(result.locked?.changed).toEqual([]);
  installed.fixture.monorepo.git('checkout', '-q', result.branch);
  await installed.yarn('install', '--immutable', '--check-resolutions');
  installed.fixture.monorepo.git('checkout', '-q', 'main');
});

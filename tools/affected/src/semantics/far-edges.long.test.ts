import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, published, YARNRC } from './monorepo.fixture.js';
import { ask, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  scene.registry.add(published('far-host', '1.0.0', { host: '^1.0.0' }));
  scene.registry.add(published('alias-host', '1.0.0', { other: 'npm:lib@^1.0.0' }));
});

const LIB_AND_ALONE = [...LIB_AND_USERS, 'alone'].toSorted();
const TOOL_AND_ALONE = ['alone', 'monorepo', 'tool'];

/** Paths from `alone`, which otherwise depends on no workspace, to a workspace. A source file or a manifest of that workspace changes. */
const WAYS: readonly (readonly [sentence: string, before: () => Files, changed: 'lib' | 'tool', affected: readonly string[]])[] = [
  [
    'a package that needs a package that needs the workspace',
    () => manifestOf('packages/alone', { dependencies: { 'far-host': '1.0.0' } }),
    'lib',
    LIB_AND_ALONE,
  ],
  [
    'a package that needs the workspace under another name',
    () => manifestOf('packages/alone', { devDependencies: { 'alias-host': '1.0.0' } }),
    'lib',
    LIB_AND_ALONE,
  ],
  [
    'a portal out of all workspaces, to a package that needs the workspace',
    () => ({
      ...manifestOf('packages/alone', { dependencies: { thing: 'portal:../../vendor/thing' } }),
      ...manifestOf('vendor/thing', { dependencies: { lib: '^1.0.0' } }),
    }),
    'lib',
    LIB_AND_ALONE,
  ],
  [
    'a resolution that is a portal',
    () => manifestOf('', { resolutions: { deep: 'portal:packages/tool' } }),
    'tool',
    ['alone', 'by-dependency', 'by-optional', 'monorepo', 'tool'],
  ],
  [
    'a resolution that is a portal, of a package that is asked for by a path elsewhere',
    () => ({
      ...manifestOf('', { resolutions: { deep: 'portal:packages/tool' } }),
      ...manifestOf('packages/alone', { dependencies: { deep: 'link:../ring-a' } }),
    }),
    'tool',
    ['alone', 'by-dependency', 'by-optional', 'monorepo', 'tool'],
  ],
  [
    'a resolution to the workspace, of a package that is got through others too',
    () => manifestOf('', { resolutions: { deep: 'workspace:packages/tool' } }),
    'tool',
    ['alone', 'by-dependency', 'by-optional', 'monorepo', 'tool'],
  ],
  [
    'an entry of a catalog that is an alias',
    () => ({
      ...manifestOf('packages/alone', { dependencies: { other: 'catalog:' } }),
      '.yarnrc.yml': `${YARNRC}  other: "npm:lib@^1.0.0"\n`,
    }),
    'lib',
    LIB_AND_ALONE,
  ],
  [
    'an entry of a catalog that is a portal, seen from the root',
    () => ({
      ...manifestOf('packages/alone', { dependencies: { hammer: 'catalog:' } }),
      '.yarnrc.yml': `${YARNRC}  hammer: "portal:packages/tool"\n`,
    }),
    'tool',
    TOOL_AND_ALONE,
  ],
  [
    'a patch of the workspace',
    () => ({
      ...manifestOf('packages/alone', { dependencies: { tool: 'patch:tool@workspace%3Apackages/tool#~/.yarn/patches/tool.patch' } }),
      '.yarn/patches/tool.patch': 'diff --git a/n.js b/n.js\nnew file mode 100644\n--- /dev/null\n+++ b/n.js\n@@ -0,0 +1 @@\n+n\n',
    }),
    'tool',
    TOOL_AND_ALONE,
  ],
  [
    'a peer that need not be there',
    () => manifestOf('packages/alone', { peerDependencies: { tool: '*' }, peerDependenciesMeta: { tool: { optional: true } } }),
    'tool',
    TOOL_AND_ALONE,
  ],
  [
    'a peer whose range the version does not satisfy',
    () => manifestOf('packages/alone', { peerDependencies: { tool: '^7.0.0' } }),
    'tool',
    TOOL_AND_ALONE,
  ],
  [
    'a range of versions behind workspace:',
    () => manifestOf('packages/alone', { dependencies: { tool: 'workspace:^1.0.0' } }),
    'tool',
    TOOL_AND_ALONE,
  ],
  ['any version', () => manifestOf('packages/alone', { dependencies: { tool: '*' } }), 'tool', TOOL_AND_ALONE],
  ['a bare path', () => manifestOf('packages/alone', { dependencies: { tool: '../tool' } }), 'tool', TOOL_AND_ALONE],
];

describe('a workspace is reached by way of', () => {
  test.each(WAYS)('%s', async (_, before, changed, affected) => {
    const repo = await scene.changed({ before: before(), files: { [`packages/${changed}/a.js`]: '' }, lock: 'by Yarn' });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(affected);
    repo.commit('A manifest too', { files: manifestOf(`packages/${changed}`, { main: 'src/index.js' }) });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(affected);
  });
});

test('the root is reached like any other workspace, and leads on', async () => {
  const before = manifestOf('packages/alone', { devDependencies: { monorepo: 'workspace:^' } });
  expect(await scene.ask({ before, files: { 'packages/tool/a.js': '' }, lock: 'by Yarn' })).toEqual(TOOL_AND_ALONE);
});

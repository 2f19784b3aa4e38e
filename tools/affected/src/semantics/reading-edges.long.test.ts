import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { manifestOf } from './monorepo.fixture.js';
import { edges, touched } from './reading-edges.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

describe('workspaces that come, go and change their name', () => {
  test('an edge to a workspace that goes is followed', async () => {
    const before = edges({ alone: { workspaces: ['ring-a'] } });
    const gone = { 'packages/ring-a/package.json': null, 'packages/ring-a/src/index.js': null };
    const ring = manifestOf('packages/ring-b', { devDependencies: {} });
    expect(await scene.ask({ before, files: { ...gone, ...ring }, lock: 'by Yarn' })).toEqual(['alone', 'ring-b']);
    expect(await scene.ask({ before, files: { ...gone, ...ring, ...edges({}) }, lock: 'by Yarn' })).toEqual(['alone', 'ring-b']);
  });

  test('an edge to a workspace that gets another name is followed, under the old name and the new one', async () => {
    const before = edges({ 'by-dev': { workspaces: ['alone'] } });
    const renamed = { ...manifestOf('packages/alone', { name: 'lonely' }), ...touched('packages/alone/a.js') };
    const all = ['by-dev', 'dev-user', 'lonely'];
    expect(await scene.ask({ before, files: renamed, lock: 'by Yarn' })).toEqual(all);
    const after = edges({ 'by-dev': { workspaces: ['lonely'] } });
    expect(await scene.ask({ before, files: { ...renamed, ...after }, lock: 'by Yarn' })).toEqual(all);
  });

  test('a workspace that the lockfile does not know yet is read from the manifests', async () => {
    const before = { ...edges({ fresh: { workspaces: ['tool'] } }), 'packages/fresh/package.json': '{"name": "fresh"}\n' };
    expect(await scene.ask({ before, files: touched('packages/tool/a.js') })).toEqual(['fresh', 'monorepo', 'tool']);
  });
});

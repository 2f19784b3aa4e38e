import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { branched } from './history.fixture.js';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { ask, askTool, failureOf, MonorepoScene, readText } from './scene.fixture.js';

// Continues history-basics.long.test.ts.

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

function cloneOf(source: TempRepo, ...options: string[]): TempRepo {
  return cleanUp.add(TempRepo.cloneOf(source, ...options));
}

describe('a shallow clone', () => {
  test.each(['1', '2', '30'])('of depth %s is deepened until the two meet', async (depth) => {
    const clone = cloneOf(branched(scene, 25), '--branch', 'topic', '--depth', depth, '--no-single-branch');
    const before = [clone.id('HEAD'), readText(clone, '.git/HEAD'), clone.git('status', '--porcelain')];
    expect(await ask(clone, ['--base', 'origin/main'])).toEqual(['alone']);
    expect([clone.id('HEAD'), readText(clone, '.git/HEAD'), clone.git('status', '--porcelain')]).toEqual(before);
  });

  test.each(['a tag', 'an id'])('whose base is %s is deepened like any other', async (kind) => {
    const origin = branched(scene, 25);
    origin.tag('v1', { message: 'Annotated', at: 'main~3' });
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const clone = cloneOf(origin, '--branch', 'topic', '--depth', '1');
    expect(await ask(clone, ['--base', kind === 'a tag' ? 'v1' : origin.id('main~3')])).toEqual(['alone']);
  });

  test('in which a parent is asked for gets the parent', async () => {
    const clone = cloneOf(branched(scene, 25), '--branch', 'main', '--depth', '1');
    expect(await ask(clone, ['--base', 'HEAD~2'])).toEqual(['monorepo', 'tool']);
  });

  test('that must not fetch affects everybody, or fails if the base itself is missing', async () => {
    const origin = branched(scene, 5);
    const both = cloneOf(origin, '--branch', 'topic', '--depth', '1', '--no-single-branch');
    expect(await ask(both, ['--base', 'origin/main', '--no-fetch'])).toBe('all: NO_MERGE_BASE');
    const one = cloneOf(origin, '--branch', 'topic', '--depth', '1');
    expect(failureOf(await askTool(one, ['--base', 'origin/main', '--no-fetch']))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  });

  test('whose remote is gone affects everybody', async () => {
    const clone = cloneOf(branched(scene, 5), '--branch', 'topic', '--depth', '1', '--no-single-branch');
    clone.git('remote', 'set-url', 'origin', `file://${clone.path}/gone`);
    expect(await ask(clone, ['--base', 'origin/main'])).toBe('all: NO_MERGE_BASE');
  });

  test('of histories that never meet affects everybody', async () => {
    const origin = branched(scene, 5);
    origin.git('checkout', '-q', '--orphan', 'other');
    origin.commit('Another beginning');
    const clone = cloneOf(origin, '--branch', 'other', '--depth', '1', '--no-single-branch');
    expect(await ask(clone, ['--base', 'origin/main'])).toBe('all: NO_MERGE_BASE');
  });
});

describe('a clone of another kind', () => {
  test('without the contents of files gets those it needs', async () => {
    const origin = branched(scene);
    origin.commit('A manifest', { files: manifestOf('packages/lib', { main: 'src/index.js' }) });
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const clone = cloneOf(origin, '--branch', 'topic', '--filter=blob:none');
    expect(await ask(clone, ['--base', 'origin/main', '--no-fetch'])).toBe('all: SOURCES_MISSING');
    expect(await ask(clone, ['--base', 'origin/main'])).toEqual([...LIB_AND_USERS, 'alone'].toSorted());
  });

  test('that is bare', async () => {
    const bare = cloneOf(branched(scene), '--bare');
    expect(await ask(bare, ['--base', 'main', '--head', 'topic'])).toEqual(['alone']);
  });

  test('that is a linked work tree', async () => {
    const repo = branched(scene);
    const folder = cleanUp.add(new TempFolder());
    rmSync(folder.path, { recursive: true });
    repo.git('worktree', 'add', '-q', '--detach', folder.path, 'main');
    expect(await ask(repo, ['--base', 'topic', '--cwd', folder.path])).toEqual(['monorepo', 'tool']);
  });

  test('seen from a folder within it, or from outside of it', async () => {
    const repo = branched(scene);
    const within = parseAbsolutePath(join(repo.path, 'packages/lib/src'));
    expect(await ask(repo, ['--base', 'main'], { cwd: within })).toEqual(['alone']);
    expect(await ask(repo, ['--base', 'main', '--cwd', repo.path], { cwd: '/' })).toEqual(['alone']);
  });

  test('that is none is an error', async () => {
    const folder = cleanUp.add(new TempFolder());
    expect(failureOf(await askTool(scene.copy(), ['--base', 'main', '--cwd', folder.path]))).toEqual({ exit: 1, code: 'TARGET_NOT_FOUND' });
  });
});

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { ask, askTool, failureOf, readResult, readText, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
});

/** A repository whose branch `topic` changed `alone`, and whose `main` moved on after that: `tool`, a few times. */
function branched(steps = 1): TempRepo {
  const repo = scene.copy();
  repo.git('checkout', '-q', '-b', 'topic');
  repo.commit('Topic', { files: { 'packages/alone/a.js': '' } });
  repo.checkout('main');
  for (let step = 0; step < steps; step++) repo.commit(`Main ${step}`, { files: { 'packages/tool/a.js': `${step}\n` } });
  repo.checkout('topic');
  return repo;
}

function cloneOf(source: TempRepo, ...options: string[]): TempRepo {
  return cleanUp.add(TempRepo.cloneOf(source, ...options));
}

describe('a base that is given', () => {
  test('is where the head left it: what happened there since does not count', async () => {
    const repo = branched();
    const result = readResult(await askTool(repo, ['--base', 'main']));
    expect(result.workspaces.map(({ name }) => name)).toEqual(['alone']);
    expect([result.base, result.head, result.mergeBase]).toEqual([repo.id('main'), repo.id('topic'), repo.id('main~1')]);
  });

  test('may be an id, a short one, a tag or a parent', async () => {
    const repo = branched();
    repo.tag('v1', { message: 'Annotated', at: 'main' });
    for (const base of [repo.id('main'), repo.id('main').slice(0, 9), 'v1', 'HEAD~1', 'HEAD^', 'refs/heads/main'])
      expect(await ask(repo, ['--base', base])).toEqual(['alone']);
  });

  test('that is the head affects nobody: so it was asked for', async () => {
    expect(await ask(branched(), ['--base', 'topic'])).toEqual([]);
  });

  test('and a head that is not checked out', async () => {
    const repo = branched();
    expect(await ask(repo, ['--base', 'topic', '--head', 'main'])).toEqual(['monorepo', 'tool']);
    repo.write({ 'packages/lib/package.json': 'what lies in the work tree is not asked for' });
    expect(await ask(repo, ['--base', 'main', '--head', 'topic'])).toEqual(['alone']);
  });

  test.each<[string, string[], unknown]>([
    ['that nobody has', ['--base', 'nowhere'], { exit: 1, code: 'REVISION_MISSING' }],
    ['with a head that nobody has', ['--base', 'main', '--head', 'nowhere'], { exit: 1, code: 'REVISION_MISSING' }],
    ['that is an option', ['--base=--all'], { exit: 2, code: 'USAGE' }],
    ['that is a range', ['--base', 'main..topic'], { exit: 2, code: 'USAGE' }],
    ['that is no commit', ['--base', 'HEAD^{tree}'], { exit: 1, code: 'REVISION_MISSING' }],
  ])('%s is an error, and not an empty answer', async (_, args, failure) => {
    expect(failureOf(await askTool(branched(), args))).toEqual(failure);
  });

  test('that nobody has counts for all if the caller prefers that to an error', async () => {
    expect(await ask(branched(), ['--base', 'nowhere', '--fallback', 'all'])).toMatch(/^all: /);
  });

  test('without a common history affects everybody', async () => {
    const repo = branched();
    repo.git('checkout', '-q', '--orphan', 'other');
    repo.commit('Another beginning');
    expect(await ask(repo, ['--base', 'main'])).toBe('all: NO_MERGE_BASE');
  });

  test('with several merge bases is compared with itself, which hides nothing', async () => {
    const repo = branched();
    const [main, topic] = [repo.id('main'), repo.id('topic')];
    repo.merge(main);
    repo.checkout('main');
    repo.merge(topic);
    repo.checkout('topic');
    repo.commit('After both', { files: { 'packages/inner-user/a.js': '' } });
    expect(repo.git('merge-base', '--all', 'main', 'topic').split('\n')).toHaveLength(2);
    const result = readResult(await askTool(repo, ['--base', 'main']));
    expect(result.workspaces.map(({ name }) => name)).toEqual(['inner-user']);
    expect(result.warnings).toHaveLength(1);
  });

  test('may be known to the remote alone', async () => {
    const clone = cloneOf(branched(), '--branch', 'topic');
    expect(await ask(clone, ['--base', 'main'])).toEqual(['alone']);
    expect(await ask(clone, ['--base', 'origin/main'])).toEqual(['alone']);
    expect(await ask(cloneOf(branched(), '--branch', 'topic', '--single-branch'), ['--base', 'main'])).toEqual(['alone']);
  });
});

describe('a base that nobody gave, outside of CI', () => {
  test("is the remote's default branch", async () => {
    const origin = branched();
    origin.checkout('main');
    const clone = cloneOf(origin);
    expect(await ask(clone, [])).toBe('all: BASE_IS_HEAD');
    clone.checkout('topic');
    expect(await ask(clone, [])).toEqual(['alone']);
  });

  test('is what tributary.json says', async () => {
    const repo = branched();
    repo.commit('Say it', { files: { 'tributary.json': '{"affected": {"base": "develop"}}\n' } });
    repo.branch('develop');
    repo.commit('More', { files: { 'packages/ring-a/a.js': '' } });
    expect(await ask(repo, [])).toEqual(['ring-a', 'ring-b']);
  });

  test("is not chosen by the branch itself: the remote's main branch says it", async () => {
    const clone = cloneOf(branched(), '--branch', 'topic');
    clone.branch('near');
    clone.commit('Choose', { files: { 'tributary.json': '{"affected": {"base": "near"}}\n' } });
    clone.git('branch', '-q', '-f', 'near', 'HEAD');
    clone.commit('More', { files: { 'packages/ring-a/a.js': '' } });
    expect(await ask(clone, [])).toBe('all: CONFIG_CHANGED');
  });

  test('is still the one named there where the branch names another one in its own tributary.json', async () => {
    const naming = (base: string): Files => ({ 'tributary.json': `{"affected": {"base": "${base}"}}\n` });
    const origin = scene.copy();
    origin.commit('Name it', { files: naming('origin/develop') });
    origin.branch('develop');
    origin.commit('Main moves on', { files: { 'packages/tool/a.js': '' } });
    origin.git('checkout', '-q', '-b', 'topic');
    origin.commit('Name another one', { files: naming('origin/near') });
    origin.branch('near');
    origin.commit('More', { files: { 'packages/ring-a/a.js': '' } });
    origin.checkout('main');
    const clone = cloneOf(origin, '--branch', 'topic');
    const sinceDevelop = { base: origin.id('develop'), mergeBase: origin.id('develop'), all: { code: 'CONFIG_CHANGED' } };
    expect(readResult(await askTool(clone, []))).toMatchObject(sinceDevelop);
    // actions/checkout leaves no origin/HEAD behind.
    clone.git('remote', 'set-head', 'origin', '--delete');
    expect(readResult(await askTool(clone, []))).toMatchObject(sinceDevelop);
  });

  test('is not known where there is nothing to compare with: everybody is affected', async () => {
    const repo = branched();
    repo.git('branch', '-q', '-D', 'main');
    expect(await ask(repo, [])).toBe('all: BASE_UNKNOWN');
  });

  test('that is the head affects everybody, for then nothing was compared', async () => {
    const repo = branched();
    repo.checkout('main');
    expect(await ask(repo, [])).toBe('all: BASE_IS_HEAD');
  });
});

describe('a shallow clone', () => {
  test.each(['1', '2', '30'])('of depth %s is deepened until the two meet', async (depth) => {
    const clone = cloneOf(branched(25), '--branch', 'topic', '--depth', depth, '--no-single-branch');
    const before = [clone.id('HEAD'), readText(clone, '.git/HEAD'), clone.git('status', '--porcelain')];
    expect(await ask(clone, ['--base', 'origin/main'])).toEqual(['alone']);
    expect([clone.id('HEAD'), readText(clone, '.git/HEAD'), clone.git('status', '--porcelain')]).toEqual(before);
  });

  test('that knows nothing of the base fetches it', async () => {
    expect(await ask(cloneOf(branched(25), '--branch', 'topic', '--depth', '1'), ['--base', 'origin/main'])).toEqual(['alone']);
  });

  test.each(['a tag', 'an id'])('whose base is %s is deepened like any other', async (kind) => {
    const origin = branched(25);
    origin.tag('v1', { message: 'Annotated', at: 'main~3' });
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const clone = cloneOf(origin, '--branch', 'topic', '--depth', '1');
    expect(await ask(clone, ['--base', kind === 'a tag' ? 'v1' : origin.id('main~3')])).toEqual(['alone']);
  });

  test('in which a parent is asked for gets the parent', async () => {
    const clone = cloneOf(branched(25), '--branch', 'main', '--depth', '1');
    expect(await ask(clone, ['--base', 'HEAD~2'])).toEqual(['monorepo', 'tool']);
  });

  test('that must not fetch affects everybody, or fails if the base itself is missing', async () => {
    const origin = branched(5);
    const both = cloneOf(origin, '--branch', 'topic', '--depth', '1', '--no-single-branch');
    expect(await ask(both, ['--base', 'origin/main', '--no-fetch'])).toBe('all: NO_MERGE_BASE');
    const one = cloneOf(origin, '--branch', 'topic', '--depth', '1');
    expect(failureOf(await askTool(one, ['--base', 'origin/main', '--no-fetch']))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  });

  test('whose remote is gone affects everybody', async () => {
    const clone = cloneOf(branched(5), '--branch', 'topic', '--depth', '1', '--no-single-branch');
    clone.git('remote', 'set-url', 'origin', `file://${clone.path}/gone`);
    expect(await ask(clone, ['--base', 'origin/main'])).toBe('all: NO_MERGE_BASE');
  });

  test('of histories that never meet affects everybody', async () => {
    const origin = branched(5);
    origin.git('checkout', '-q', '--orphan', 'other');
    origin.commit('Another beginning');
    const clone = cloneOf(origin, '--branch', 'other', '--depth', '1', '--no-single-branch');
    expect(await ask(clone, ['--base', 'origin/main'])).toBe('all: NO_MERGE_BASE');
  });
});

describe('a clone of another kind', () => {
  test('without the contents of files gets those it needs', async () => {
    const origin = branched();
    origin.commit('A manifest', { files: manifestOf('packages/lib', { description: 'New words' }) });
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const clone = cloneOf(origin, '--branch', 'topic', '--filter=blob:none');
    expect(await ask(clone, ['--base', 'origin/main'])).toEqual([...LIB_AND_USERS, 'alone'].toSorted());
  });

  test('that is bare', async () => {
    const bare = cloneOf(branched(), '--bare');
    expect(await ask(bare, ['--base', 'main', '--head', 'topic'])).toEqual(['alone']);
  });

  test('that is a linked work tree', async () => {
    const repo = branched();
    const folder = cleanUp.add(new TempFolder());
    rmSync(folder.path, { recursive: true });
    repo.git('worktree', 'add', '-q', '--detach', folder.path, 'main');
    expect(await ask(repo, ['--base', 'topic', '--cwd', folder.path])).toEqual(['monorepo', 'tool']);
  });

  test('seen from a folder within it, or from outside of it', async () => {
    const repo = branched();
    const within = parseAbsolutePath(join(repo.path, 'packages/lib/src'));
    expect(await ask(repo, ['--base', 'main'], { cwd: within })).toEqual(['alone']);
    expect(await ask(repo, ['--base', 'main', '--cwd', repo.path], { cwd: '/' })).toEqual(['alone']);
  });

  test('that is none is an error', async () => {
    const folder = cleanUp.add(new TempFolder());
    expect(failureOf(await askTool(scene.copy(), ['--base', 'main', '--cwd', folder.path]))).toEqual({ exit: 1, code: 'TARGET_NOT_FOUND' });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { branched } from './history.fixture.js';
import { ask, askTool, failureOf, MonorepoScene, readResult } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

function cloneOf(source: TempRepo, ...options: string[]): TempRepo {
  return cleanUp.add(TempRepo.cloneOf(source, ...options));
}

describe('a base that is given', () => {
  test('is where the head left it: what happened there since does not count', async () => {
    const repo = branched(scene);
    const result = readResult(await askTool(repo, ['--base', 'main']));
    expect(result.workspaces.map(({ name }) => name)).toEqual(['alone']);
    expect([result.base, result.head, result.mergeBase]).toEqual([repo.id('main'), repo.id('topic'), repo.id('main~1')]);
  });

  test('may be an id, a short one, a tag or a parent', async () => {
    const repo = branched(scene);
    repo.tag('v1', { message: 'Annotated', at: 'main' });
    for (const base of [repo.id('main'), repo.id('main').slice(0, 9), 'v1', 'HEAD~1', 'HEAD^', 'refs/heads/main'])
      expect(await ask(repo, ['--base', base])).toEqual(['alone']);
  });

  test('that is the head affects nobody: so it was asked for', async () => {
    expect(await ask(branched(scene), ['--base', 'topic'])).toEqual([]);
  });

  test('and a head that is not checked out', async () => {
    const repo = branched(scene);
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
    expect(failureOf(await askTool(branched(scene), args))).toEqual(failure);
  });

  test('that nobody has counts for all if the caller prefers that to an error', async () => {
    expect(await ask(branched(scene), ['--base', 'nowhere', '--fallback', 'all'])).toMatch(/^all: /);
  });

  test('without a common history affects everybody', async () => {
    const repo = branched(scene);
    repo.git('checkout', '-q', '--orphan', 'other');
    repo.commit('Another beginning');
    expect(await ask(repo, ['--base', 'main'])).toBe('all: NO_MERGE_BASE');
  });

  test('with several merge bases is compared with itself, which hides nothing', async () => {
    const repo = branched(scene);
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

  test('that is replaced is what git shows in its place', async () => {
    const repo = branched(scene);
    repo.git('checkout', '-q', '--detach', 'main~1');
    const other = repo.commit('As if it had been so', { files: { 'packages/ring-a/a.js': '' } });
    repo.checkout('topic');
    repo.git('replace', 'main~1', other);
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['alone', 'ring-a', 'ring-b']);
  });

  test('may be known to the remote alone', async () => {
    const clone = cloneOf(branched(scene), '--branch', 'topic');
    expect(await ask(clone, ['--base', 'main'])).toEqual(['alone']);
    expect(await ask(clone, ['--base', 'origin/main'])).toEqual(['alone']);
    expect(await ask(cloneOf(branched(scene), '--branch', 'topic', '--single-branch'), ['--base', 'main'])).toEqual(['alone']);
  });
});

describe('a base that nobody gave, outside of CI', () => {
  test("is the remote's default branch", async () => {
    const origin = branched(scene);
    origin.checkout('main');
    const clone = cloneOf(origin);
    expect(await ask(clone, [])).toBe('all: BASE_IS_HEAD');
    clone.checkout('topic');
    expect(await ask(clone, [])).toEqual(['alone']);
  });

  test('is what tributary.json says', async () => {
    const repo = branched(scene);
    repo.commit('Say it', { files: { 'tributary.json': '{"affected": {"base": "develop"}}\n' } });
    repo.branch('develop');
    repo.commit('More', { files: { 'packages/ring-a/a.js': '' } });
    expect(await ask(repo, [])).toEqual(['ring-a', 'ring-b']);
  });

  test("is not chosen by the branch itself: the remote's main branch says it", async () => {
    const clone = cloneOf(branched(scene), '--branch', 'topic');
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
    // actions/checkout leaves no origin/HEAD.
    clone.git('remote', 'set-head', 'origin', '--delete');
    expect(readResult(await askTool(clone, []))).toMatchObject(sinceDevelop);
  });

  test('is not known where there is nothing to compare with: everybody is affected', async () => {
    const repo = branched(scene);
    repo.git('branch', '-q', '-D', 'main');
    expect(await ask(repo, [])).toBe('all: BASE_UNKNOWN');
  });

  test('that is the head affects everybody, for then nothing was compared', async () => {
    const repo = branched(scene);
    repo.checkout('main');
    expect(await ask(repo, [])).toBe('all: BASE_IS_HEAD');
  });
});

test('a base that a push has taken away, as a CI job says, affects everybody', async () => {
  const repo = branched(scene);
  repo.checkout('main');
  const push = { GITLAB_CI: 'true', CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' };
  const env = { CI: 'true', ...push, CI_COMMIT_BEFORE_SHA: repo.id('topic') };
  expect(await ask(repo, [], { env })).toBe('all: BASE_REWRITTEN');
  expect(await ask(repo, [], { env: { ...env, CI_COMMIT_BEFORE_SHA: repo.id('HEAD~1') } })).toEqual(['monorepo', 'tool']);
});

describe('a shallow clone', () => {
  test('that knows nothing of the base fetches it', async () => {
    expect(await ask(cloneOf(branched(scene, 25), '--branch', 'topic', '--depth', '1'), ['--base', 'origin/main'])).toEqual(['alone']);
  });
});

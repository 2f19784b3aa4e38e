import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { ask, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const FILE = 'packages/ring-a/a.js';

/**
 * Creates a branch `topic` that reverts a commit of `main`, which it had merged. Both contain, by other paths, the older commit with the
 * same file as in `topic`. With that one as the merge base, no change is visible.
 */
function reverting(): TempRepo {
  const repo = scene.copy();
  repo.commit('Start', { files: { [FILE]: 'one\n' } });
  repo.branch('topic');
  repo.branch('side');
  repo.commit('Change', { files: { [FILE]: 'two\n' } });
  for (const step of ['a', 'b']) repo.commit(`Main ${step}`, { files: { 'packages/tool/a.js': `${step}\n` } });
  repo.checkout('topic');
  repo.commit('Topic', { files: { 'packages/alone/a.js': '' } });
  repo.merge('main');
  repo.commit('Revert', { files: { [FILE]: 'one\n', 'packages/alone/a.js': null } });
  repo.checkout('main');
  for (const step of ['c', 'd', 'e']) repo.commit(`Main ${step}`, { files: { 'packages/tool/a.js': `${step}\n` } });
  repo.git('checkout', '-q', 'side');
  repo.commit('Side', { files: { 'packages/inner-user/a.js': '' } });
  repo.checkout('main');
  repo.merge('side');
  repo.checkout('topic');
  return repo;
}

describe('a shallow clone in which the last common commit cannot be seen', () => {
  const DEPTHS = [3, 4, 5, 6, 7];

  test('the whole history: what was reverted is affected', async () => {
    expect(await ask(reverting(), ['--base', 'main'])).toEqual(['ring-a', 'ring-b']);
  });

  test('is deepened', async () => {
    const origin = reverting();
    for (const depth of DEPTHS) {
      const clone = cleanUp.add(TempRepo.cloneOf(origin, '--branch', 'topic', '--depth', String(depth), '--no-single-branch'));
      // With two visible merge bases, both tips are compared, which selects more.
      expect([depth, await ask(clone, ['--base', 'origin/main'])]).toEqual([depth, expect.arrayContaining(['ring-a', 'ring-b'])]);
    }
  });

  test('selects everything if it may not be', async () => {
    const origin = reverting();
    const answers = DEPTHS.map((depth) => {
      const clone = cleanUp.add(TempRepo.cloneOf(origin, '--branch', 'topic', '--depth', String(depth), '--no-single-branch'));
      return ask(clone, ['--base', 'origin/main', '--no-fetch']);
    });
    const found = await Promise.all(answers);
    expect(found).toContain('all: HISTORY_SHALLOW');
    for (const answer of found) {
      if (typeof answer === 'string') expect(answer).toMatch(/^all: (NO_MERGE_BASE|HISTORY_SHALLOW)$/);
      else expect(answer).toEqual(expect.arrayContaining(['ring-a', 'ring-b']));
    }
  });

  test('is enough where the base is an ancestor of the head', async () => {
    const origin = reverting();
    const clone = cleanUp.add(TempRepo.cloneOf(origin, '--branch', 'topic', '--depth', '2', '--no-single-branch'));
    expect(await ask(clone, ['--base', 'HEAD~1', '--no-fetch'])).toEqual(['alone', 'ring-a', 'ring-b']);
  });
});

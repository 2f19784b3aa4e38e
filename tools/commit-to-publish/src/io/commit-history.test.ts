import { afterEach, expect, test } from '@jest/globals';
import { type Git, plumbing } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { CloneCache } from './clone-cache.js';
import { CommitHistory } from './commit-history.js';

const cleanUp = cleanUpIn(afterEach);

function start(): { readonly repo: TempRepo; readonly read: (...tips: string[]) => Promise<{ started: number; history: CommitHistory }> } {
  const repo = cleanUp.add(TempRepo.create());
  const gitDir = parseAbsolutePath(`${repo.path}/.git`);
  const git = plumbing(gitDir);
  const read = async (...tips: string[]): Promise<{ started: number; history: CommitHistory }> => {
    let started = 0;
    const counting: Git = {
      ...git,
      start: (args) => {
        started++;
        return git.start(args);
      },
    };
    const cache = new CloneCache(gitDir);
    const history = new CommitHistory(counting, cache);
    await history.read(tips as CommitId[]);
    history.keep();
    cache.save();
    return { started, history };
  };
  return { repo, read };
}

test('what an earlier collection read is not asked of git again, and a clone may have lost it since', async () => {
  const { repo, read } = start();
  const [one, two] = [repo.commit('One'), repo.commit('Two\n\n(cherry picked from commit x)')];
  expect((await read(two)).started).toBe(1);
  const again = await read(two, one);
  expect(again.started).toBe(0);
  expect(again.history.containedIn([two as CommitId]).map(({ id }) => id)).toEqual([one, two]);
  expect([...again.history.messages.keys()]).toEqual([two]);
  repo.git('reset', '-q', '--hard', one);
  repo.git('reflog', 'expire', '--expire=now', '--all');
  repo.git('gc', '-q', '--prune=now');
  const three = repo.commit('Three');
  const { history } = await read(three);
  expect(history.containedIn([three as CommitId])).toMatchObject([{ id: one }, { id: three, parents: [one] }]);
  expect(history.firstParents(three as CommitId).map(({ id }) => id)).toEqual([three, one]);
});

test('a commit that git does not have is a failure, and no empty history', async () => {
  const { repo, read } = start();
  await expect(read(repo.commit('One'), 'f'.repeat(40))).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

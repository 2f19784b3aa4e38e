import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { benchEnvironment } from './affected-process.js';
import { variablesOf } from './oracle-repository.js';

const cleanUp = cleanUpIn(afterAll);

test('a workflow must be a file at the head of the repository', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('One', { files: { '.github/workflows/ci.yml': 'on: push\n' } });
  repo.write({ '.github/workflows/new.yml': 'on: push\n' });
  const ask = (path: string): Promise<unknown> => variablesOf(path, repo.path, benchEnvironment(repo.path));
  expect(await ask('.github/workflows/ci.yml')).toMatchObject({ GITHUB_ACTIONS: 'true' });
  for (const path of ['.github/workflows/new.yml', '.github/workflows', 'nowhere.yml']) await expect(ask(path)).rejects.toThrow(path);
});

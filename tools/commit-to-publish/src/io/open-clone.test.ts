import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { openClone } from './open-clone.js';

const cleanUp = cleanUpIn(afterEach);

test.each([
  ['https://github.com/acme/ui.git', 'acme/ui', 'https://github.com/acme/ui'],
  ['git@github.com:acme/ui.git', 'acme/ui', 'https://github.com/acme/ui'],
  ['https://someone:secret@gitlab.example/acme/design/ui.git', 'acme/design/ui', 'https://gitlab.example/acme/design/ui'],
  ['ssh://git@gitlab.example:2222/acme/design/ui', 'acme/design/ui', 'https://gitlab.example/acme/design/ui'],
] as const)('a repository at %s is called as CI calls it', async (address, name, webUrl) => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Add');
  repo.git('remote', 'add', 'origin', address);
  expect(await openClone(repo.path, new AbortController().signal)).toMatchObject({ name, webUrl });
});

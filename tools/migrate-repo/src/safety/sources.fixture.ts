import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { createSource } from './scene.fixture.js';

/** A repository made for one case: the usual one, and then some work on it. */
export function createSourceWith(cleanUp: CleanUp, work: (repo: TempRepo) => unknown): TempRepo {
  const repo = createSource(cleanUp);
  work(repo);
  return repo;
}

/** What Git LFS calls the content of the large file. */
export const LFS_ID = 'ab'.repeat(32);

/** A source whose only large file is a pointer of Git LFS. */
export function createLfsSource(cleanUp: CleanUp): TempRepo {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${LFS_ID}\nsize 12\n`;
  return createSourceWith(cleanUp, (repo) =>
    repo.commit('Big', { files: { '.gitattributes': '*.bin filter=lfs diff=lfs\n', 'a.bin': pointer } }),
  );
}

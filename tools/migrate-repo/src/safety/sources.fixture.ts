import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { createSource } from './migration.fixture.js';

/** Creates the usual repository and changes it with `work`. */
export function createSourceWith(cleanUp: CleanUp, work: (repo: TempRepo) => unknown): TempRepo {
  const repo = createSource(cleanUp);
  work(repo);
  return repo;
}

/** The id by which Git LFS names the content of the large file. */
export const LFS_ID = 'ab'.repeat(32);

/** Creates a source whose only large file is a Git LFS pointer. */
export function createLfsSource(cleanUp: CleanUp): TempRepo {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${LFS_ID}\nsize 12\n`;
  return createSourceWith(cleanUp, (repo) =>
    repo.commit('Big', { files: { '.gitattributes': '*.bin filter=lfs diff=lfs\n', 'a.bin': pointer } }),
  );
}

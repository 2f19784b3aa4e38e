import { afterEach, describe, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { clonePartially } from '@tributary/test-repo/partial-clone';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf } from './git.fixture.js';
import { plumbing } from './git.js';
import { readNamedBlobs } from './objects.js';

const cleanUp = cleanUpIn(afterEach);

/** Creates a clone that lacks the contents of files. `requests`: how often git asked its remote. */
function partialClone(): { readonly gitDir: AbsolutePath; readonly id: string; readonly requests: () => number } {
  const source = cleanUp.add(TempRepo.create());
  source.commit('x', { files: { a: 'a\n' } });
  const { clone, requests } = clonePartially(source, cleanUp.add(new TempFolder()), '--no-checkout');
  cleanUp.add(clone);
  return { gitDir: gitDirOf(clone), id: source.id('HEAD:a'), requests };
}

describe('a file that a partial clone lacks', () => {
  test('is fetched', async () => {
    const { gitDir, requests } = partialClone();
    expect((await readNamedBlobs(plumbing(gitDir), ['HEAD:a'])).map(String)).toEqual(['a\n']);
    expect(requests()).toBe(1);
  });

  test('is a failure that names it, where nothing may be fetched', async () => {
    const { gitDir, id, requests } = partialClone();
    await expect(readNamedBlobs(plumbing(gitDir, { lazyFetch: 'never' }), ['HEAD:a'])).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: `The object ${id} is missing in this partial clone, and was not fetched.`,
      hint: 'Allow fetching, or complete the clone: git fetch --refetch --no-filter origin',
    });
    expect(requests()).toBe(0);
  });
});

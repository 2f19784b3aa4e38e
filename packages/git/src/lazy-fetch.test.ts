import { chmodSync, existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf } from './git.fixture.js';
import { plumbing } from './git.js';
import { readNamedBlobs } from './objects.js';

const cleanUp = cleanUpIn(afterEach);

/** Creates a clone that lacks the contents of files, and the trace of a program that a fetch from its remote would start. */
function partialClone(): { readonly gitDir: AbsolutePath; readonly id: string; readonly trace: string } {
  const source = cleanUp.add(TempRepo.create());
  source.commit('x', { files: { a: 'a\n' } });
  source.git('config', 'uploadpack.allowFilter', 'true');
  const clone = cleanUp.add(TempRepo.cloneOf(source, '--filter=blob:none', '--no-checkout'));
  const folder = cleanUp.add(new TempFolder());
  const program = folder.write('program', `#!/bin/sh\ntouch '${folder.join('ran')}'\nexec git-upload-pack "$@"\n`);
  chmodSync(program, 0o755);
  clone.git('config', 'remote.origin.uploadpack', program);
  return { gitDir: gitDirOf(clone), id: source.id('HEAD:a'), trace: folder.join('ran') };
}

describe('a file that a partial clone lacks', () => {
  test('is fetched', async () => {
    const { gitDir, trace } = partialClone();
    expect((await readNamedBlobs(plumbing(gitDir), ['HEAD:a'])).map(String)).toEqual(['a\n']);
    expect(existsSync(trace)).toBe(true);
  });

  test('is a failure that names it, where nothing may be fetched', async () => {
    const { gitDir, id, trace } = partialClone();
    await expect(readNamedBlobs(plumbing(gitDir, { lazyFetch: 'never' }), ['HEAD:a'])).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: `The object ${id} is missing in this partial clone, and was not fetched.`,
      hint: 'Allow fetching, or complete the clone: git fetch --refetch --no-filter origin',
    });
    expect(existsSync(trace)).toBe(false);
  });
});

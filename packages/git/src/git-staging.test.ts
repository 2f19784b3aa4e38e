import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf, HOOKS, moveInto } from './git.fixture.js';
import { type Git, plumbing, type Scratch, staging } from './git.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());

beforeAll(() => moveInto(home, shared));

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

describe('staging into a scratch index', () => {
  function scratchFor(repo: TempRepo): Scratch {
    const folder = cleanUp.add(new TempFolder());
    mkdirSync(folder.join('objects'));
    return { index: folder.join('index'), objects: folder.join('objects'), alternate: parseAbsolutePath(join(gitDirOf(repo), 'objects')) };
  }

  async function stage(repo: TempRepo): Promise<{ git: Git; tree: string; scratch: Scratch }> {
    const scratch = scratchFor(repo);
    const git = staging(repo.path, scratch);
    await git.bytes(['add', '--all', '--', '.']);
    return { git, tree: await git.text(['write-tree']), scratch };
  }

  test('takes the work tree as it is, without what is ignored, and leaves no trace in the repository', async () => {
    const repo = create();
    repo.commit('x', { files: { a: 'a', b: 'b', '.gitignore': '*.log\n' } });
    repo.write({ a: 'changed', b: null, 'new/c': 'c', 'x.log': 'x' });
    repo.git('add', 'new/c');
    const [before, index] = [repo.snapshot(), repo.git('ls-files', '-s')];
    const { tree, scratch } = await stage(repo);
    expect([repo.snapshot(), repo.git('ls-files', '-s')]).toEqual([before, index]);
    const seeing = plumbing(gitDirOf(repo), { alternates: [scratch.objects] });
    expect(await seeing.text(['ls-tree', '-r', '--name-only', tree])).toBe('.gitignore\na\nnew/c');
    expect(await seeing.text(['cat-file', 'blob', `${tree}:a`])).toBe('changed');
    // Other calls do not see the objects.
    expect(await plumbing(gitDirOf(repo)).attempt(['cat-file', '-e', tree])).toMatchObject({
      exit: expect.any(Number),
      stdout: Buffer.alloc(0),
    });
    expect((await plumbing(gitDirOf(repo)).attempt(['cat-file', '-e', tree])).exit).not.toBe(0);
  });

  test('respects what the user ignores everywhere, and starts no hook', async () => {
    const repo = create();
    repo.commit('x', { files: { a: 'a' } });
    const trace = home.join('staging-hook');
    mkdirSync(join(gitDirOf(repo), 'hooks'), { recursive: true });
    for (const hook of HOOKS) writeFileSync(join(gitDirOf(repo), 'hooks', hook), `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });
    home.write('.config/git/ignore', '*.swp\n');
    cleanUp.defer(() => home.write('.config/git/ignore', ''));
    repo.write({ 'a.swp': 'x', b: 'b' });
    const { git, tree } = await stage(repo);
    expect(await git.text(['ls-tree', '-r', '--name-only', tree])).toBe('a\nb');
    expect(existsSync(trace)).toBe(false);
  });

  test('works where the object folder has a colon in its name', async () => {
    const folder = cleanUp.add(new TempFolder());
    const repo = TempRepo.create({ folder: folder.join('a:b "c"') });
    repo.commit('x', { files: { a: 'a', b: 'b' } });
    repo.write({ b: 'changed' });
    const { git, tree } = await stage(repo);
    expect((await git.text(['ls-tree', '-r', '--name-only', tree])).split('\n')).toEqual(['a', 'b']);
  });
});

import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { locate } from './locate.js';
import { withWorkTree } from './work-tree.js';

const cleanUp = cleanUpIn(afterEach);

function create(): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('x', { files: { 'package.json': '{}', 'a/x': 'x', 'a/y': 'y', '.gitignore': 'dist\n*.log\n' } });
  return repo;
}

/** Returns the differences between the last commit and the working tree. */
async function differences(folder: string): Promise<readonly string[]> {
  return withWorkTree(await locate(parseAbsolutePath(folder)), 'allowed', async ({ tree, git }) => {
    const text = await git.text(['diff-tree', '-r', '--name-status', '--no-renames', 'HEAD', tree]);
    return text === '' ? [] : text.split('\n').map((line) => line.replace('\t', ' '));
  });
}

/** Returns the temporary folders that hold an object. */
function foldersWith(object: string): readonly string[] {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith('affected-'));
  return folders.filter((name) => existsSync(join(tmpdir(), name, 'objects', object.slice(0, 2), object.slice(2))));
}

describe('the work tree as a tree', () => {
  test('is that of the last commit where nothing changed', async () => {
    expect(await differences(create().path)).toEqual([]);
  });

  test('has what is changed, staged, deleted and untracked, but not what is ignored', async () => {
    const repo = create();
    repo.write({ 'a/x': 'changed', 'a/y': null, 'b/new': 'new', staged: 's', 'a/x.log': 'ignored', 'dist/out.js': 'ignored' });
    repo.git('add', 'staged');
    expect(await differences(repo.path)).toEqual(['M a/x', 'D a/y', 'A b/new', 'A staged']);
  });

  test('has what is ignored but tracked all the same', async () => {
    const repo = create();
    repo.write({ 'kept.log': 'a' });
    repo.git('add', '-f', 'kept.log');
    repo.git('commit', '-q', '-m', 'kept');
    repo.write({ 'kept.log': 'b' });
    expect(await differences(repo.path)).toEqual(['M kept.log']);
  });

  test('has what changed in the second in which the index was written, at the same length', async () => {
    const repo = create();
    const second = 1_700_000_000;
    const at = (path: string): void => utimesSync(join(repo.path, path), second, second);
    // Otherwise git sees the change by a time that no test can set.
    repo.git('config', 'core.trustctime', 'false');
    at('a/x');
    repo.git('update-index', '--refresh');
    repo.write({ 'a/x': 'z' });
    at('a/x');
    at('.git/index');
    expect(await differences(repo.path)).toEqual(['M a/x']);
  });

  test('has what is on the disk, not what is staged and was changed or deleted again', async () => {
    const repo = create();
    repo.write({ 'a/x': 'staged', new: 'staged' });
    repo.git('add', '-A');
    repo.write({ 'a/x': 'x', new: null });
    expect(await differences(repo.path)).toEqual([]);
  });

  test('is whole from a folder of it, in a repository without an index, and in a linked work tree', async () => {
    const repo = create();
    repo.write({ top: 't' });
    expect(await differences(join(repo.path, 'a'))).toEqual(['A top']);
    const folder = cleanUp.add(new TempFolder());
    repo.git('worktree', 'add', '-q', '--no-checkout', '--detach', folder.join('linked'));
    expect(await differences(folder.join('linked'))).toEqual(['D .gitignore', 'D a/x', 'D a/y', 'D package.json']);
  });

  test('leaves no trace in the repository nor in its index', async () => {
    const repo = create();
    repo.write({ 'a/x': 'changed', new: 'n', 'a/y': null });
    repo.git('add', 'new');
    const state = (): unknown => [repo.snapshot(), repo.git('ls-files', '-s'), repo.git('count-objects')];
    const before = state();
    await differences(repo.path);
    expect(state()).toEqual(before);
  });

  test.each(['succeeds', 'fails'])('is gone from the temporary folder when what is done with it %s', async (how) => {
    const repo = create();
    // A unique content, because other tests may do the same at the same time.
    repo.write({ new: `${how} ${process.pid} ${Date.now()}` });
    let object = '';
    const done = withWorkTree(await locate(repo.path), 'allowed', ({ tree }) => {
      object = tree;
      expect(foldersWith(object)).toHaveLength(1);
      return how === 'fails' ? Promise.reject(new Error('x')) : Promise.resolve();
    });
    if (how === 'fails') await expect(done).rejects.toThrow('x');
    else await done;
    expect([object.length, foldersWith(object)]).toEqual([40, []]);
  });

  test('with a submodule has the commit that is checked out in it', async () => {
    const [inner, repo] = [create(), create()];
    repo.git('submodule', '--quiet', 'add', inner.path, 'sub');
    repo.git('commit', '-q', '-m', 'sub');
    const sub = TempRepo.create({ folder: parseAbsolutePath(join(repo.path, 'sub')) });
    sub.commit('more', { files: { new: 'x' } });
    expect(await differences(repo.path)).toEqual(['M sub']);
    expect(existsSync(join(repo.path, 'sub/new'))).toBe(true);
  });

  test('of a bare repository is refused', async () => {
    const bare = cleanUp.add(TempRepo.create({ bare: true }));
    await expect(withWorkTree(await locate(bare.path), 'allowed', () => Promise.resolve())).rejects.toMatchObject({
      code: 'TARGET_NOT_FOUND',
      message: `${bare.path} is a bare repository: it has no working tree.`,
    });
  });
});

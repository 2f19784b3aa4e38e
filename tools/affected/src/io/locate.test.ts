import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { locate } from './locate.js';

const cleanUp = cleanUpIn(afterEach);

function create(...files: readonly string[]): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('x', { files: Object.fromEntries(files.map((file) => [file, ''])) });
  return repo;
}

function at(...names: readonly string[]): AbsolutePath {
  return parseAbsolutePath(names.join('/'));
}

describe('the project is the nearest folder with a yarn.lock, else the outermost with a package.json', () => {
  test.each<[title: string, files: readonly string[], from: string, project: string]>([
    ['at the root', ['yarn.lock', 'package.json'], '', ''],
    ['from a workspace', ['yarn.lock', 'package.json', 'packages/a/package.json'], 'packages/a', ''],
    ['from a folder of a workspace', ['yarn.lock', 'packages/a/package.json', 'packages/a/src/x'], 'packages/a/src', ''],
    ['below the root of the repository', ['web/yarn.lock', 'web/package.json', 'web/a/package.json'], 'web/a', 'web'],
    ['a project inside of a project', ['yarn.lock', 'package.json', 'in/yarn.lock', 'in/a/package.json'], 'in/a', 'in'],
    ['without a lockfile', ['web/package.json', 'web/a/package.json', 'web/a/src/x'], 'web/a/src', 'web'],
    ['without a lockfile, at the root', ['package.json', 'web/a/package.json'], 'web/a', ''],
    ['a lockfile beside it is not one above it', ['other/yarn.lock', 'web/package.json'], 'web', 'web'],
    ['without anything: the root of the repository', ['a/x'], 'a', ''],
  ])('%s', async (_, files, from, project) => {
    const repo = create(...files);
    const found = await locate(from === '' ? repo.path : at(repo.path, from));
    const gitDir = at(repo.path, '.git');
    expect(found).toEqual({ gitDir, commonDir: gitDir, workTree: repo.path, project, depth: 'full' });
  });
});

describe('the repository', () => {
  test('of a linked work tree is its own part of it', async () => {
    const repo = create('yarn.lock');
    const folder = cleanUp.add(new TempFolder());
    repo.git('worktree', 'add', '-q', '--detach', folder.join('linked'));
    expect(await locate(folder.join('linked'))).toEqual({
      gitDir: at(repo.path, '.git/worktrees/linked'),
      commonDir: at(repo.path, '.git'),
      workTree: folder.join('linked'),
      project: '',
      depth: 'full',
    });
  });

  test('of a submodule is that of the submodule, not of the one around it', async () => {
    const [inner, outer] = [create('yarn.lock'), create('yarn.lock', 'package.json')];
    outer.git('submodule', '--quiet', 'add', inner.path, 'sub');
    const found = await locate(at(outer.path, 'sub'));
    expect(found).toMatchObject({ workTree: at(outer.path, 'sub'), project: '' });
    expect(realpathSync(found.gitDir)).toBe(realpathSync(at(outer.path, '.git/modules/sub')));
  });

  test('is the innermost one, also where it is another that was cloned inside', async () => {
    const outer = create('yarn.lock');
    const inner = TempRepo.create({ folder: at(outer.path, 'vendor/x') });
    inner.commit('x', { files: { 'package.json': '{}' } });
    expect(await locate(inner.path)).toMatchObject({ workTree: inner.path, project: '' });
  });

  test('may be bare, and asked from inside of itself', async () => {
    const bare = cleanUp.add(TempRepo.create({ bare: true }));
    expect(await locate(bare.path)).toEqual({
      gitDir: bare.path,
      commonDir: bare.path,
      workTree: undefined,
      project: '',
      depth: 'full',
    });
    expect(await locate(at(bare.path, 'refs/heads'))).toMatchObject({ gitDir: bare.path, workTree: undefined });
  });

  test('is shallow where its history was cut off, also seen from a linked work tree', async () => {
    const source = create('yarn.lock');
    source.commit('two');
    const clone = cleanUp.add(TempRepo.cloneOf(source, '--depth=1'));
    const folder = cleanUp.add(new TempFolder());
    clone.git('worktree', 'add', '-q', '--detach', folder.join('linked'));
    expect([(await locate(clone.path)).depth, (await locate(folder.join('linked'))).depth]).toEqual(['shallow', 'shallow']);
  });

  test('is not a folder .git that holds none', async () => {
    const repo = create('yarn.lock', 'a/x');
    mkdirSync(at(repo.path, 'a/.git'));
    expect(await locate(at(repo.path, 'a'))).toMatchObject({ workTree: repo.path, project: '' });
  });

  test('is found through a symlink to a folder by the way that was asked', async () => {
    const repo = create('yarn.lock', 'packages/a/x');
    const folder = cleanUp.add(new TempFolder());
    symlinkSync(repo.path, folder.join('link'));
    expect(await locate(folder.join('link', 'packages/a'))).toMatchObject({ workTree: folder.join('link'), project: '' });
  });

  test('is nowhere outside of one', async () => {
    const folder = cleanUp.add(new TempFolder());
    folder.write('yarn.lock', '');
    const missing = { code: 'TARGET_NOT_FOUND', message: `${folder.path} is not in a git repository.` };
    await expect(locate(folder.path)).rejects.toMatchObject(missing);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { type Answer, ask, askTool, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

describe("the user's own settings do not change the answer", () => {
  test.each<[sentence: string, settings: readonly string[]]>([
    ['moves are found', ['diff.renames copies', 'diff.renameLimit 0']],
    ['names are quoted, or seen from a folder', ['core.quotePath true', 'diff.relative true', 'diff.noprefix true']],
    ['modes do not count', ['core.fileMode false', 'core.symlinks false']],
    ['an external program compares', ['diff.external false', 'diff.orderFile /nowhere']],
    ['submodules are not looked at', ['diff.ignoreSubmodules all', 'submodule.vendor.ignore all']],
    ['output is paged and coloured', ['color.ui always', 'core.pager false', 'diff.stat true']],
  ])('where %s', async (_, settings) => {
    const repo = scene.copy();
    repo.write({ '.gitmodules': '[submodule "vendor"]\n\tpath = packages/lib/inner/vendor\n\turl = ../x\n\tignore = all\n' });
    repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},packages/lib/inner/vendor`);
    repo.git('add', '.gitmodules');
    repo.git('commit', '-q', '-m', 'Before');
    repo.git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},packages/lib/inner/vendor`);
    repo.git('mv', 'packages/alone/src/index.js', 'packages/tool/src/ü.js');
    repo.git('update-index', '--chmod=+x', 'packages/by-peer/src/index.js');
    repo.git('commit', '-q', '-m', 'Change');
    for (const setting of settings) repo.git('config', ...setting.split(' '));
    const affected = ['alone', 'by-peer', 'inner', 'inner-user', 'monorepo', 'tool'];
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(affected);
    expect(await ask(repo, ['--base', 'HEAD~1', '--cwd', `${repo.path}/packages/ring-a`])).toEqual(affected);
  });

  test('nor do attributes of files', async () => {
    const before = { '.gitattributes': '* -diff -text binary\n*.js diff=none export-ignore\n', 'packages/alone/a.js': 'a\n' };
    expect(await scene.ask({ before, files: { 'packages/alone/a.js': 'b\n' } })).toEqual(['alone']);
  });

  test('nor the variables that git sets for a hook', async () => {
    const repo = await scene.changed({ files: { 'packages/alone/a.js': '' } });
    const other = scene.copy();
    const env = {
      GIT_DIR: `${other.path}/.git`,
      GIT_WORK_TREE: other.path,
      GIT_INDEX_FILE: `${other.path}/.git/index`,
      GIT_PREFIX: 'packages/',
    };
    expect(await ask(repo, ['--base', 'HEAD~1'], { env })).toEqual(['alone']);
    repo.write({ 'packages/ring-a/a.js': '' });
    const before = other.snapshot();
    expect(await ask(repo, ['--base', 'HEAD~1', '--uncommitted'], { env })).toEqual(['alone', 'ring-a', 'ring-b']);
    expect(other.snapshot()).toEqual(before);
  });
});

describe('a work tree in an unusual state', () => {
  test.each<[sentence: string, change: (repo: TempRepo) => void, affected: Answer]>([
    ['a merge with conflicts', conflict, ['alone']],
    ['a file that is announced and not added', announce, ['alone']],
    ['a repository inside of a workspace', (repo) => nest(repo, 'packages/alone/vendor'), ['alone']],
    ['a part of it is checked out alone', (repo) => repo.git('sparse-checkout', 'set', 'packages/alone'), []],
    ['a part of it is checked out alone, and something in it changed', changeInPart, ['alone']],
    ['a folder became a file', (repo) => repo.write({ 'packages/alone/src': 'a file\n' }), ['alone']],
    [
      'a file became a folder',
      (repo) => repo.write({ 'packages/alone/src/index.js': null, 'packages/alone/src/index.js/a.js': '' }),
      ['alone'],
    ],
    ['a file is only newer', (repo) => repo.write({ 'packages/lib/src/index.js': 'export {};\n' }), []],
    ['nothing is in the index', (repo) => repo.git('rm', '-r', '-q', '--cached', '.'), []],
  ])('%s', async (_, change, affected) => {
    const repo = scene.copy();
    change(repo);
    const before = [repo.snapshot(), repo.git('count-objects', '-v')];
    expect(await ask(repo, ['--base', 'main', '--uncommitted', '--cwd', `${repo.path}/packages/lib`])).toEqual(affected);
    expect([repo.snapshot(), repo.git('count-objects', '-v')]).toEqual(before);
  });

  test('of which a workspace manifest is ignored: it is none of the repository', async () => {
    const repo = scene.copy();
    repo.write({ '.git/info/exclude': 'packages/mine\n', ...manifestOf('packages/mine', {}) });
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual([]);
  });
});

/** Changes the same line on `main` and on the checked-out branch. */
function conflict(repo: TempRepo): void {
  repo.git('checkout', '-q', '-b', 'topic');
  repo.commit('Mine', { files: { 'packages/alone/src/index.js': 'mine\n' } });
  repo.checkout('main');
  repo.commit('Theirs', { files: { 'packages/alone/src/index.js': 'theirs\n' } });
  repo.checkout('topic');
  expect(() => repo.merge('main')).toThrow();
}

function announce(repo: TempRepo): void {
  repo.write({ 'packages/alone/a.js': '' });
  repo.git('add', '-N', '.');
}

function changeInPart(repo: TempRepo): void {
  repo.git('sparse-checkout', 'set', '--sparse-index', 'packages/alone');
  repo.write({ 'packages/alone/a.js': '' });
}

function nest(repo: TempRepo, folder: string): void {
  const inner = TempRepo.create({ folder: `${repo.path}/${folder}` as TempRepo['path'] });
  inner.commit('Start', { files: { 'a.js': '' } });
}

test.each(['turbo.json', 'tributary.json', '.yarnrc.yml', 'yarn.lock'])('%s that is a link to a device is not opened', async (file) => {
  const repo = await scene.changed({ before: { [file]: null }, files: { 'packages/alone/a.js': '' } });
  repo.commit('Link', { files: { [file]: { symlink: '/dev/zero' } } });
  const { code, signal } = await askTool(repo, ['--base', 'HEAD~1']);
  expect({ code, signal }).toEqual({ code: expect.any(Number), signal: null });
  repo.commit('More', { files: { 'packages/alone/b.js': '' } });
  expect((await askTool(repo, ['--base', 'HEAD~1'])).signal).toBeNull();
});

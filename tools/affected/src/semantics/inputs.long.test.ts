import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, USERS_OF_DEEP } from './monorepo.fixture.js';
import { type Answer, ask, askTool, failureOf, MonorepoScene, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

describe('--files-from', () => {
  let repo: TempRepo;

  beforeAll(() => {
    repo = scene.copy();
  });

  test.each<[sentence: string, list: string, affected: Answer]>([
    ['names, a line each', 'packages/alone/a.js\npackages/ring-a/a.js\n', ['alone', 'ring-a', 'ring-b']],
    ['without a line end at the end', 'packages/alone/a.js', ['alone']],
    ['with line ends of Windows', 'packages/alone/a.js\r\npackages/tool/a.js\r\n', ['alone', 'monorepo', 'tool']],
    ['with empty lines, and one twice', '\npackages/alone/a.js\n\n./packages/alone/a.js\n', ['alone']],
    ['ended by NUL, so that names may hold line ends', 'packages/alone/a\nb.js\0packages/tool/ü.js\0', ['alone', 'monorepo', 'tool']],
    ['that holds nothing', '', 'all: FILES_UNKNOWN'],
    ['that holds a file of nobody', 'a.js\n', 'all: FILE_UNCLAIMED'],
    ['that holds a README of the root', 'README.md\n', []],
    ['a library', 'packages/lib/src/index.js\n', LIB_AND_USERS],
    ['a file that is gone', 'packages/alone/gone.js\n', ['alone']],
    ['a name that Windows would write another way', 'packages\\alone\\README.md\n', 'all: FILES_UNKNOWN'],
    ['a name with blanks in front', '  packages/alone/README.md\n', 'all: FILES_UNKNOWN'],
    ['a name in another case', 'Packages/alone/README.md\n', 'all: FILES_UNKNOWN'],
    ['the lockfile, whose former text is not known', 'yarn.lock\n', 'all: BASE_UNKNOWN'],
    ['a manifest, whose former text is not known', 'packages/alone/package.json\n', 'all: BASE_UNKNOWN'],
    ['the rules', 'tributary.json\n', 'all: CONFIG_CHANGED'],
  ])('%s', async (_, list, affected) => {
    expect(await ask(repo, ['--files-from', '-'], { input: list })).toEqual(affected);
    repo.write({ '.git/list.txt': list });
    expect(await ask(repo, ['--files-from', '.git/list.txt'])).toEqual(affected);
  });

  test.each(['tributary.json', 'turbo.json', 'turbo.jsonc'])('a change of %s that the list leaves out affects everybody', async (file) => {
    const changed = await scene.changed({ files: { [file]: '{}\n' } });
    expect(await ask(changed, ['--base', 'HEAD~1', '--files-from', '-'], { input: 'packages/alone/a.js\n' })).toMatch(/^all: /);
  });

  test('whole paths are seen from the top of the repository', async () => {
    expect(await ask(repo, ['--files-from', '-'], { input: `${repo.path}/packages/alone/a.js\n` })).toEqual(['alone']);
  });

  test('names count from the top also in a folder within, as git prints them', async () => {
    expect(await ask(repo, ['--files-from', '-', '--cwd', `${repo.path}/packages/lib`], { input: 'packages/alone/a.js\n' })).toEqual([
      'alone',
    ]);
  });

  test('with a base, what changed in the lockfile is read', async () => {
    const other = await scene.changed({ files: manifestOf('', { resolutions: { deep: '2.0.0' } }), lock: 'by Yarn' });
    const list = other.git('diff', '--name-only', 'HEAD~1');
    expect(await ask(other, ['--base', 'HEAD~1', '--files-from', '-'], { input: list })).toEqual(USERS_OF_DEEP);
    expect(await ask(other, ['--base', 'HEAD~1', '--files-from', '-'], { input: 'packages/ring-a/src/index.js' })).toEqual([
      'ring-a',
      'ring-b',
    ]);
  });

  test.each<[sentence: string, list: string, affected: Answer]>([
    ['a file that neither commit has', 'packages/alone/nowhere.js\n', 'all: FILES_UNKNOWN'],
    ['several names on one line', 'packages/alone/a.js packages/tool/a.js\n', 'all: FILES_UNKNOWN'],
    ['a folder', 'packages/alone\n', 'all: FILES_UNKNOWN'],
    ['a file that only the base has', 'packages/alone/src/index.js\n', ['alone']],
    ['a file that only the head has', 'packages/alone/a.js\n', ['alone']],
    ['a file outside of the repository', '../elsewhere.js\n', 'all: FILE_UNCLAIMED'],
  ])('with a base, a list with %s', async (_, list, affected) => {
    const changed = await scene.changed({ files: { 'packages/alone/a.js': '', 'packages/alone/src/index.js': null } });
    expect(await ask(changed, ['--base', 'HEAD~1', '--files-from', '-'], { input: list })).toEqual(affected);
  });

  test.each<[string, string[], string]>([
    ['a list that is not there', ['--files-from', 'nowhere.txt'], ''],
    ['a name that git has quoted', ['--files-from', '-'], '"packages/alone/gr\\303\\266\\303\\237e.js"\n'],
    ['several names on one line', ['--files-from', '-'], 'packages/alone/src/index.js packages/tool/src/index.js\n'],
    ['several names with commas', ['--files-from', '-'], 'packages/alone/gone.js,packages/tool/gone.js\n'],
  ])('%s is an error, and not an empty answer', async (_, args, input) => {
    expect(failureOf(await askTool(repo, args, { input }))).toEqual({ exit: 1, code: 'FILE_LIST_UNREADABLE' });
  });
});

describe('--uncommitted', () => {
  test.each<[sentence: string, change: (repo: TempRepo) => void, affected: Answer]>([
    ['an untracked file', (repo) => repo.write({ 'packages/alone/new.js': '' }), ['alone']],
    ['an untracked folder with a name that is hard to write', (repo) => repo.write({ 'packages/alone/ü\n/new.js': '' }), ['alone']],
    ['a changed file', (repo) => repo.write({ 'packages/ring-a/src/index.js': 'changed\n' }), ['ring-a', 'ring-b']],
    ['a deleted file', (repo) => repo.write({ 'packages/alone/src/index.js': null }), ['alone']],
    ['an ignored file', (repo) => repo.write({ 'packages/alone/node_modules/a/index.js': '' }), []],
    ['a mode', (repo) => repo.write({ 'packages/alone/src/index.js': { executable: 'export {};\n' } }), ['alone']],
    ['a file that is staged', (repo) => stage(repo, 'packages/alone/new.js'), ['alone']],
    ['a file that is staged and gone again', stageAndRemove, []],
    ['a manifest', (repo) => repo.write(manifestOf('packages/tool', { dependencies: { lib: 'workspace:^' } })), ['monorepo', 'tool']],
    ['a new workspace', (repo) => repo.write(manifestOf('packages/fresh', {})), ['fresh']],
    ['an unfinished merge of the lockfile', (repo) => repo.write({ 'yarn.lock': '<<<<<<< ours\n' }), 'all: LOCKFILE_UNREADABLE'],
    ['rules', (repo) => repo.write({ 'tributary.json': '{}\n' }), 'all: CONFIG_CHANGED'],
    ['nothing', () => undefined, []],
  ])('%s', async (_, change, affected) => {
    const repo = scene.copy();
    change(repo);
    const before = stateOf(repo);
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(affected);
    expect(stateOf(repo)).toEqual(before);
    expect(await ask(repo, ['--base', 'HEAD'])).toEqual([]);
  });

  test.each<[what: string, file: string, text: string | undefined]>([
    ['a changed file', 'f.js', 'changed\n'],
    ['an untracked file', 'new.js', ''],
    ['nothing', 'f.js', undefined],
  ])('%s in a submodule of a workspace', async (_, file, text) => {
    const other = cleanUp.add(TempRepo.create());
    other.write({ 'f.js': '' });
    other.commit('Begin');
    const repo = scene.copy();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.path, 'packages/alone/sub');
    repo.commit('Submodule');
    if (text !== undefined) repo.write({ [`packages/alone/sub/${file}`]: text });
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(text === undefined ? [] : ['alone']);
  });

  test('adds to what is committed', async () => {
    const repo = await scene.changed({ files: { 'packages/alone/a.js': '' } });
    repo.write({ 'packages/tool/a.js': '' });
    expect(await ask(repo, ['--base', 'HEAD~1', '--uncommitted'])).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('takes back what was committed and is undone', async () => {
    const repo = await scene.changed({ files: { 'packages/alone/a.js': '' } });
    repo.write({ 'packages/alone/a.js': null });
    expect(await ask(repo, ['--base', 'HEAD~1', '--uncommitted'])).toEqual([]);
  });

  test('is enough where the base that was found is the head', async () => {
    const repo = scene.copy();
    repo.write({ 'packages/alone/a.js': '' });
    expect(await ask(repo, ['--uncommitted'])).toEqual(['alone']);
  });

  test('needs a work tree', async () => {
    const bare = scene.copy();
    bare.git('config', 'core.bare', 'true');
    const args = ['--base', 'HEAD', '--uncommitted', '--cwd', `${bare.path}/.git`];
    expect(failureOf(await askTool(bare, args))).toEqual({ exit: 1, code: 'TARGET_NOT_FOUND' });
  });
});

describe('a wrong command line', () => {
  test.each<[string, string[]]>([
    ['two ways to say what changed', ['--files-from', '-', '--pull-request', '1']],
    ['a work tree and another head', ['--uncommitted', '--head', 'HEAD~1']],
    ['a work tree and a list', ['--uncommitted', '--files-from', '-']],
    ['a number that is none', ['--pull-request', 'one']],
    ['an unknown option', ['--since', 'main']],
    ['an unknown format', ['--format', 'yaml']],
    ['an unknown command', ['frobnicate']],
  ])('%s is refused', async (_, args) => {
    expect(failureOf(await askTool(scene.copy(), args))).toEqual({ exit: 2, code: 'USAGE' });
  });
});

function stage(repo: TempRepo, file: string): void {
  repo.write({ [file]: '' });
  repo.git('add', '--', file);
}

function stageAndRemove(repo: TempRepo): void {
  stage(repo, 'packages/alone/new.js');
  repo.write({ 'packages/alone/new.js': null });
}

/** Returns the state of the repository and its objects. */
function stateOf(repo: TempRepo): unknown {
  return [repo.snapshot(), repo.git('count-objects', '-v'), readText(repo, '.git/HEAD')];
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf } from './monorepo.fixture.js';
import { type Answer, ask, askTool, MonorepoScene, readResult, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

describe('a file outside of every workspace', () => {
  test.each<[string, Answer]>([
    ['README.md', []],
    ['docs/guide.md', []],
    ['docs/guide.mdx', []],
    ['LICENSE', []],
    ['CHANGELOG.md', []],
    ['.github/CODEOWNERS', []],
    ['.editorconfig', []],
    ['packages/lib-notes/README.md', []],
    ['tsconfig.base.json', 'all: FILE_UNCLAIMED'],
    ['tsconfig.json', 'all: RULE'],
    ['babel.config.js', 'all: RULE'],
    ['jest.config.mjs', 'all: RULE'],
    ['.nvmrc', 'all: RULE'],
    ['.gitignore', 'all: RULE'],
    ['.github/workflows/ci.yml', 'all: RULE'],
    ['.gitlab/affected.yml', 'all: RULE'],
    ['.yarn/releases/yarn-4.18.1.cjs', 'all: RULE'],
    ['docs/build.js', 'all: FILE_UNCLAIMED'],
    ['scripts/release.mjs', 'all: FILE_UNCLAIMED'],
    ['packages/lib-notes/index.js', 'all: FILE_UNCLAIMED'],
    ['packages/notes.txt', 'all: FILE_UNCLAIMED'],
    ['Packages/alone/index.js', 'all: FILE_UNCLAIMED'],
    ['README.test.js', ['monorepo']],
  ])('%s: %j', async (file, affected) => {
    const repo = scene.copy();
    repo.write({ [file]: 'changed\n' });
    repo.git('add', '--force', '--', file);
    repo.git('commit', '-q', '-m', 'Change');
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(affected);
  });

  test.each(['Makefile', 'lerna.json', 'nx.json'])('affects everybody, also if it is a changed %s', async (file) => {
    expect(await scene.ask({ before: { [file]: '{}' }, files: { [file]: '{ "useNx": true }' } })).toBe('all: FILE_UNCLAIMED');
  });

  test('is listed if no rule claims it, also where everybody is affected anyway', async () => {
    const result = await scene.resultOf({ files: { 'b/two.js': '', 'a/one.js': '', 'README.md': '', 'packages/alone/three.js': '' } });
    expect(result.unclaimedFiles).toEqual(['a/one.js', 'b/two.js']);
    expect(result.all).toMatchObject({ code: 'FILE_UNCLAIMED', reason: expect.stringContaining('one.js') });
  });

  test('counts for all if turbo.json calls it a global dependency', async () => {
    const before = { 'turbo.json': '{\n  // as turbo reads it\n  "globalDependencies": ["docs/api/*.md", "shared"],\n}\n' };
    expect(await scene.ask({ before, files: { 'docs/api/a.md': '' } })).toBe('all: RULE');
    expect(await scene.ask({ before, files: { 'shared/deep/a.md': '' } })).toBe('all: RULE');
    expect(await scene.ask({ before, files: { 'docs/a.md': '' } })).toEqual([]);
    expect(await scene.ask({ before, files: { 'turbo.json': '{}\n' } })).toBe('all: RULE');
  });

  test.each(['link', 'portal'])('counts for whoever has a %s: dependency on its folder, also a text for people', async (protocol) => {
    const before = {
      ...manifestOf('packages/alone', { dependencies: { texts: `${protocol}:../../texts` } }),
      ...manifestOf('texts', {}),
    };
    const repo = await scene.changed({ before, files: { 'texts/docs/guide.md': '' }, lock: 'by Yarn' });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['alone', 'monorepo']);
    repo.commit('The lockfile too', { files: { 'yarn.lock': `${readText(repo, 'yarn.lock')}\n`, 'texts/README.md': '' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['alone', 'monorepo']);
    repo.commit('Beside it', { files: { 'texts-of-others/README.md': '' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual([]);
  });
});

describe('what happens to a file of a workspace', () => {
  const other = { 'packages/alone/other.js': 'a file\nof several\nlines\n' };

  test('nothing at all affects nobody', async () => {
    expect(await scene.ask({})).toEqual([]);
  });

  test('it is deleted', async () => {
    expect(await scene.ask({ files: { 'packages/alone/src/index.js': null } })).toEqual(['alone']);
  });

  test('it is moved to another workspace: both are affected, with their dependents', async () => {
    const files = { 'packages/alone/other.js': null, 'packages/tool/other.js': other['packages/alone/other.js'] };
    expect(await scene.ask({ before: other, files })).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('it is moved out of all workspaces', async () => {
    expect(
      await scene.ask({ before: other, files: { 'packages/alone/other.js': null, 'docs/other.md': other['packages/alone/other.js'] } }),
    ).toEqual(['alone']);
  });

  test('its mode changes', async () => {
    expect(await scene.ask({ files: { 'packages/alone/src/index.js': { executable: 'export {};\n' } } })).toEqual(['alone']);
  });

  test('it becomes a symbolic link with the same text', async () => {
    const before = { 'packages/alone/a.txt': 'src/index.js' };
    expect(await scene.ask({ before, files: { 'packages/alone/a.txt': { symlink: 'src/index.js' } } })).toEqual(['alone']);
  });

  test('it is touched and put back', async () => {
    const repo = await scene.changed({ files: { 'packages/lib/src/index.js': 'other\n' } });
    repo.commit('Back', { files: { 'packages/lib/src/index.js': 'export {};\n', 'packages/alone/a.js': '' } });
    expect(await ask(repo, ['--base', 'HEAD~2'])).toEqual(['alone']);
  });
});

describe('names that are hard to write', () => {
  test.each([
    'größe-日本語.js',
    'combining-e\u0301.js',
    'two\nlines.js',
    'back\\slash.js',
    'a "quoted" name.js',
    "it's.js",
    '\ttab.js',
    ' space at both ends ',
    '*.js',
    ':(top)magic.js',
    '-option.js',
    '#comment.js',
    '🦜.js',
    '__proto__',
    'constructor',
  ])('%j', async (name) => {
    expect(await scene.ask({ files: { [`packages/alone/src/${name}`]: '' } })).toEqual(['alone']);
  });

  test('bytes that are no UTF-8', async () => {
    const repo = scene.copy();
    const blob = repo.gitWithInput('text\n', 'hash-object', '-w', '--stdin');
    const line = Buffer.concat([Buffer.from(`100644 ${blob}\tpackages/alone/`), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('\0')]);
    repo.gitWithInput(line, 'update-index', '-z', '--index-info');
    repo.git('commit', '-q', '-m', 'Change');
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['alone']);
  });

  test('a workspace whose folder and name are not ASCII', async () => {
    const before = manifestOf('packages/größe', { name: 'groesse', dependencies: { lib: 'workspace:^' } });
    const repo = await scene.changed({ before, files: { 'packages/größe/a.js': '' }, lock: 'by Yarn' });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['groesse']);
    repo.commit('Its library', { files: { 'packages/lib/a.js': '' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual([...LIB_AND_USERS, 'groesse'].toSorted());
  });
});

describe('a submodule that moves on', () => {
  /** Creates the monorepo with a link to a commit in the index, and then to another one. */
  function withSubmodule(folder: string) {
    const repo = scene.copy();
    for (const id of ['1', '2']) {
      repo.git('update-index', '--add', '--cacheinfo', `160000,${id.repeat(40)},${folder}`);
      repo.git('commit', '-q', '-m', `Submodule ${id}`);
    }
    return repo;
  }

  test('in a workspace affects the workspace', async () => {
    expect(await ask(withSubmodule('packages/alone/vendor'), ['--base', 'HEAD~1'])).toEqual(['alone']);
  });

  test('outside of all workspaces affects everybody', async () => {
    const result = readResult(await askTool(withSubmodule('vendor'), ['--base', 'HEAD~1']));
    expect([result.all?.code, result.unclaimedFiles]).toEqual(['FILE_UNCLAIMED', ['vendor']]);
  });

  test('and holds a workspace affects it and its dependents', async () => {
    const repo = scene.copy();
    repo.git('rm', '-r', '-q', '--cached', 'packages/lib/inner');
    repo.git('commit', '-q', '-m', 'To a repository of its own');
    for (const id of ['1', '2']) {
      repo.git('update-index', '--add', '--cacheinfo', `160000,${id.repeat(40)},packages/lib/inner`);
      repo.git('commit', '-q', '-m', `Submodule ${id}`);
    }
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['inner', 'inner-user']);
  });
});

describe('a manifest that is a symbolic link', () => {
  /** `packages/alone/package.json` is a link; what it leads to changes in the last commit, and `more`. */
  function withLink(target: string, folder: string, more: Files = {}) {
    const repo = scene.copy();
    const manifest = JSON.parse(readText(repo, 'packages/alone/package.json')) as object;
    repo.write({ [folder]: `${JSON.stringify(manifest)}\n`, 'packages/alone/package.json': { symlink: target } });
    repo.commit('Share the manifest');
    repo.write({ [folder]: `${JSON.stringify({ ...manifest, scripts: { test: 'exit 1' } })}\n`, ...more });
    repo.commit('Change it');
    return repo;
  }

  test('counts among all workspaces', async () => {
    const repo = withLink('../../shared/alone.json', 'shared/alone.json', { 'shared/unknown.txt': '' });
    const result = readResult(await askTool(repo, ['--base', 'HEAD~1']));
    expect(result.all?.code).toBe('FILE_UNCLAIMED');
    expect(result.workspaces.map(({ name }) => name)).toContain('alone');
  });

  test('refers to what it leads to', async () => {
    expect(await ask(withLink('../../shared/alone.json', 'shared/alone.json'), ['--base', 'HEAD~1'])).toEqual(['alone', 'monorepo']);
  });

  test('and leads to nothing affects everybody, and is named', async () => {
    const { all } = readResult(await askTool(withLink('../../../elsewhere.json', 'shared/alone.json'), ['--base', 'HEAD~2']));
    expect(all).toMatchObject({ code: 'SUBMODULE', reason: expect.stringContaining('packages/alone') });
  });
});

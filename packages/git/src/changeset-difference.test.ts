import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type CommitId, type ObjectId, parseObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitOf, outline } from './changeset.fixture.js';
import { changedFile, parseRevision, readDifference, readDifferenceFromMergeBase } from './changeset.js';
import { plumbing } from './git.js';
import type { RawChange } from './parse.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

const rev = parseRevision;

/** Returns the changes that git itself reports, by its simplest command. */
function byGit(repo: TempRepo, from: string, to: string): readonly string[] {
  const pieces = repo
    .gitBytes('diff', '--name-status', '-z', '--no-renames', '--ignore-submodules=none', from, to)
    .toString()
    .split('\0')
    .slice(0, -1);
  return pieces.flatMap((piece, at) => (at % 2 === 0 ? [`${piece === 'T' ? 'M' : piece} ${pieces[at + 1]}`] : []));
}

describe('the difference', () => {
  /** Every kind of change in one commit, and settings that would hide some of them. */
  const repo = shared.add(TempRepo.create());
  const text = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');
  const base = repo.commit('base', {
    files: {
      'moved/from.ts': text,
      'copied.ts': text,
      'changed.ts': 'a',
      'deleted.ts': 'a',
      'mode.sh': 'a',
      'to-link': 'a',
      link: { symlink: 'changed.ts' },
      'gone-link': { symlink: 'x' },
      'to-folder': 'a',
      'from-folder/x': 'a',
      'same.ts': 'a',
      'sub/inside': 'a',
    },
  });
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},module`);
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'b'.repeat(40)},gone-module`);
  const withModules = commitIndex('modules');

  /** Commits the index without the working tree, which cannot hold such submodules. */
  function commitIndex(message: string): CommitId {
    const tree = parseObjectId(repo.git('write-tree')) as ObjectId;
    const id = parseObjectId(repo.git('commit-tree', '-p', repo.git('rev-parse', 'HEAD'), '-m', message, tree));
    repo.git('update-ref', 'HEAD', id);
    return id;
  }

  repo.git(
    'rm',
    '-q',
    '--cached',
    'moved/from.ts',
    'deleted.ts',
    'to-link',
    'link',
    'gone-link',
    'to-folder',
    'from-folder/x',
    'gone-module',
  );
  const blob = (content: string): string => repo.writeObject('blob', content);
  const put = (mode: string, id: string, path: string): unknown =>
    repo.git('update-index', '--add', '--cacheinfo', `${mode},${id},${path}`);
  put('100644', blob(text), 'moved/to.ts');
  put('100644', blob(text), 'copy-of.ts');
  put('100644', blob('b'), 'changed.ts');
  put('100755', blob('a'), 'mode.sh');
  put('120000', blob('changed.ts'), 'to-link');
  put('120000', blob('same.ts'), 'link');
  put('100644', blob('a'), 'to-folder/x');
  put('100644', blob('a'), 'from-folder');
  put('160000', 'c'.repeat(40), 'module');
  put('160000', 'd'.repeat(40), 'new-module');
  const head = commitIndex('everything');

  const expected = [
    'M changed.ts',
    'A copy-of.ts',
    'D deleted.ts',
    'A from-folder',
    'D from-folder/x',
    'D gone-link (symlink)',
    'D gone-module (submodule)',
    'M link (symlink)',
    'M mode.sh',
    'M module (submodule)',
    'D moved/from.ts',
    'A moved/to.ts',
    'A new-module (submodule)',
    'D to-folder',
    'A to-folder/x',
    'M to-link (symlink)',
  ];

  test.each<[title: string, settings: readonly string[]]>([
    ['by itself', []],
    ['with diff.ignoreSubmodules=all', ['diff.ignoreSubmodules=all']],
    ['with submodule.module.ignore=all', ['submodule.module.ignore=all', 'submodule.module.path=module', 'submodule.module.url=x']],
    ['with diff.relative=true', ['diff.relative=true']],
    ['with diff.renames=copies', ['diff.renames=copies', 'diff.renameLimit=0']],
    [
      'with all kinds of settings',
      [
        'diff.noprefix=true',
        'core.quotePath=true',
        'core.fileMode=false',
        'core.symlinks=false',
        'diff.orderFile=/nowhere',
        'color.ui=always',
        'core.abbrev=4',
        'diff.ignoreSubmodules=all',
        'diff.external=false',
        'core.ignoreCase=true',
        'core.precomposeUnicode=true',
        'diff.dirstat=files',
      ],
    ],
  ])('names every change, both names of a move, modes, links and submodules: %s', async (_, settings) => {
    for (const setting of settings) repo.git('config', ...setting.split('='));
    for (const setting of settings) cleanUp.defer(() => repo.git('config', '--unset', setting.slice(0, setting.indexOf('='))));
    expect(outline(await readDifference(gitOf(repo), withModules, head))?.toSorted()).toEqual(expected.toSorted());
    expect(outline(await readDifferenceFromMergeBase(gitOf(repo), rev(withModules), rev(head)))?.toSorted()).toEqual(expected.toSorted());
  });

  test('is that of "git diff", backwards too', async () => {
    for (const [from, to] of [
      [withModules, head],
      [head, withModules],
      [base, head],
    ] as const) {
      const changes = await readDifference(gitOf(repo), from, to);
      expect(outline(changes)?.map((line) => line.replace(/ \(.*/, ''))).toEqual(byGit(repo, from, to));
    }
  });

  test('is the same from any folder and from a bare clone, whatever the work tree holds', async () => {
    const bare = cleanUp.add(TempRepo.create({ bare: true }));
    bare.git('fetch', '-q', repo.path, '+refs/heads/*:refs/heads/*');
    repo.write({ 'untracked.ts': 'x', 'same.ts': 'changed in the work tree' });
    expect(outline(await readDifference(plumbing(bare.path), withModules, head))).toEqual(
      outline(await readDifference(gitOf(repo), withModules, head)),
    );
  });

  test('keeps modes and ids', async () => {
    const changes = await readDifference(gitOf(repo), withModules, head);
    const find = (path: string): RawChange | undefined => changes.find((change) => change.path === path);
    expect(find('mode.sh')).toMatchObject({ oldMode: '100644', newMode: '100755', oldId: blob('a'), newId: blob('a') });
    expect(find('module')).toMatchObject({ oldMode: '160000', newMode: '160000', oldId: 'a'.repeat(40), newId: 'c'.repeat(40) });
    expect(find('deleted.ts')).toMatchObject({ newMode: '000000', newId: '0'.repeat(40) });
    expect(find('copy-of.ts')).toMatchObject({ oldMode: '000000', oldId: '0'.repeat(40) });
    const sameContent = changes.map(changedFile).filter(({ content }) => content === 'same');
    expect(sameContent.map(({ path }) => path)).toEqual(['mode.sh']);
  });

  test('is empty between a commit and one without changes', async () => {
    expect(await readDifference(gitOf(repo), head, head)).toEqual([]);
  });

  test('of a commit that is not there is a failure', async () => {
    const missing = 'e'.repeat(40) as CommitId;
    await expect(readDifference(gitOf(repo), missing, head)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

test('attributes, textconv and external diff programs of the repository are not asked', async () => {
  const repo = create();
  repo.commit('base', { files: { '.gitattributes': '* diff=evil -text\n', 'x.bin': 'a' } });
  repo.git('config', 'diff.evil.textconv', 'exit 1 #');
  repo.git('config', 'diff.evil.command', 'exit 1 #');
  repo.commit('head', { files: { 'x.bin': 'b' } });
  expect(outline(await readDifferenceFromMergeBase(gitOf(repo), rev('HEAD~1'), rev('HEAD')))).toEqual(['M x.bin']);
});

describe('names', () => {
  const odd = [
    'a b',
    'a\tb',
    'a\nb',
    'a"b',
    "a'b",
    'a\\b',
    ':100644',
    '-x',
    '--raw',
    ' ',
    'ü',
    'u\u0308',
    '日本',
    '*',
    '[x]',
    'x\r',
    '.git2',
    '\u2028',
    'a\x01b',
  ];
  test('of all kinds come back as they are, each once', async () => {
    const repo = create();
    repo.commit('base');
    repo.commit('head', { files: Object.fromEntries(odd.map((name) => [`packages/${name}/${name}`, 'x'])) });
    const changes = await readDifferenceFromMergeBase(gitOf(repo), rev('HEAD~1'), rev('HEAD'));
    expect(changes?.map(({ path }) => path).toSorted()).toEqual(odd.map((name) => `packages/${name}/${name}`).toSorted());
  });

  test('that are no UTF-8 keep the folder they lie in, and their number', async () => {
    const repo = create();
    repo.commit('base', { files: { x: 'x' } });
    const names = ['caf\xe9', '\xff\xfe', 'caf\xe8'].map((name) => Buffer.from(`packages/a/${name}`, 'latin1'));
    repo.gitWithInput(
      Buffer.concat(names.flatMap((name) => [Buffer.from(`100644 ${repo.id('HEAD:x')}\t`), name, Buffer.from('\0')])),
      'update-index',
      '-z',
      '--index-info',
    );
    repo.git('commit', '-q', '-m', 'head');
    const changes = await readDifferenceFromMergeBase(gitOf(repo), rev('HEAD~1'), rev('HEAD'));
    expect(changes).toHaveLength(3);
    for (const { path } of changes ?? []) expect(path).toMatch(/^packages\/a\/.*\uFFFD/);
  });
});

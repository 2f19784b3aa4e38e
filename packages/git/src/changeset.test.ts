import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type CommitId, type ObjectId, parseObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { changedFile, compareCommits, parseRevision, type Revision, readDifference, readDifferenceFromMergeBase } from './changeset.js';
import { type Git, plumbing } from './git.js';
import type { RawChange } from './parse.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

function gitOf(repo: TempRepo): Git {
  return plumbing(parseAbsolutePath(join(repo.path, '.git')));
}

const rev = parseRevision;

/** `M a`, `D b`, `A c (symlink)`, in the order of git. */
function outline(changes: readonly RawChange[] | undefined): readonly string[] | undefined {
  return changes
    ?.map(changedFile)
    .map(({ path, status, kind }) => `${status[0]?.toUpperCase()} ${path}${kind === 'file' ? '' : ` (${kind})`}`);
}

/** What git itself says, asked in the plainest way. */
function byGit(repo: TempRepo, from: string, to: string): readonly string[] {
  const pieces = repo
    .gitBytes('diff', '--name-status', '-z', '--no-renames', '--ignore-submodules=none', from, to)
    .toString()
    .split('\0')
    .slice(0, -1);
  return pieces.flatMap((piece, at) => (at % 2 === 0 ? [`${piece === 'T' ? 'M' : piece} ${pieces[at + 1]}`] : []));
}

describe('a revision', () => {
  const fine = [
    'main',
    'HEAD',
    'HEAD^1',
    'HEAD~3',
    'HEAD^',
    'origin/main',
    'refs/heads/x',
    'v1.0.0',
    'a'.repeat(40),
    'ü/x',
    'a^{commit}',
    'x@y',
    '@',
    'a.b',
  ];
  test.each(fine)('may be "%s"', (text) => {
    expect(parseRevision(text)).toBe(text);
  });

  const options = ['-', '--', '-x', '--all', '--output=/tmp/x', '--upload-pack=x'];
  const several = ['a..b', 'a...b', '..', '^', 'a^@', 'a^!', 'a^-', 'a^-1', 'HEAD:package.json', ':/text', ':0:x'];
  const odd = ['', ' ', 'a b', 'a\tb', 'a\nb', 'a\0b', 'a\x7f', 'a*', 'a?', 'a[b', 'a\\b'];
  test.each([...options, ...several.filter((text) => text !== '^'), ...odd])('may not be %j', (text) => {
    expect(() => parseRevision(text)).toThrow(expect.objectContaining({ code: 'USAGE', message: `"${text}" cannot name a commit.` }));
  });

  test('that begins with ^ is none that git finds', async () => {
    const repo = create();
    repo.commit('x');
    for (const text of ['^', '^HEAD', '^main']) {
      const parsed = ((): Revision | undefined => {
        try {
          return parseRevision(text);
        } catch {
          return undefined;
        }
      })();
      if (parsed !== undefined) expect(await compareCommits(gitOf(repo), parsed, rev('HEAD'))).toBe(undefined);
      if (parsed !== undefined) expect(await compareCommits(gitOf(repo), rev('HEAD'), parsed)).toBe(undefined);
    }
  });
});

describe('two commits are compared:', () => {
  test('a branch that left the main line', async () => {
    const repo = create();
    const fork = repo.commit('fork');
    repo.branch('topic');
    const base = repo.commit('base', { files: { b: 'b' } });
    repo.checkout('topic');
    const head = repo.commit('head', { files: { h: 'h' } });
    expect(await compareCommits(gitOf(repo), rev('main'), rev('topic'))).toEqual({ base, head, mergeBases: [fork] });
    expect(outline(await readDifferenceFromMergeBase(gitOf(repo), rev('main'), rev('topic')))).toEqual(['A h']);
    expect(outline(await readDifference(gitOf(repo), base, head))).toEqual(['D b', 'A h']);
  });

  test('one with itself, and with its ancestor', async () => {
    const repo = create();
    const one = repo.commit('one');
    const two = repo.commit('two', { files: { x: 'x' } });
    const git = gitOf(repo);
    expect(await compareCommits(git, rev('HEAD'), rev('main'))).toEqual({ base: two, head: two, mergeBases: [two] });
    expect(await readDifferenceFromMergeBase(git, rev('HEAD'), rev('main'))).toEqual([]);
    expect(await compareCommits(git, rev('HEAD^1'), rev('HEAD'))).toEqual({ base: one, head: two, mergeBases: [one] });
    // The base is ahead: nothing of the head is new.
    expect(await compareCommits(git, rev('HEAD'), rev('HEAD~1'))).toEqual({ base: two, head: one, mergeBases: [one] });
    expect(await readDifferenceFromMergeBase(git, rev('HEAD'), rev('HEAD~1'))).toEqual([]);
  });

  test('criss-cross: two merge bases, and no difference from either', async () => {
    const repo = create();
    repo.commit('root');
    repo.branch('b');
    const a1 = repo.commit('a1', { files: { a: '1' } });
    repo.checkout('b');
    const b1 = repo.commit('b1', { files: { b: '1' } });
    repo.merge(a1);
    repo.checkout('main');
    repo.merge(b1);
    const comparison = await compareCommits(gitOf(repo), rev('main'), rev('b'));
    expect(comparison?.mergeBases.toSorted()).toEqual([a1, b1].sort());
    expect([comparison?.base, comparison?.head]).toEqual([repo.id('main'), repo.id('b')]);
    expect(await readDifferenceFromMergeBase(gitOf(repo), rev('main'), rev('b'))).toBe(undefined);
  });

  test('histories that do not meet have no merge base', async () => {
    const repo = create();
    const base = repo.commit('one', { files: { a: 'a' } });
    repo.git('checkout', '-q', '--orphan', 'other');
    const head = repo.commit('other', { files: { b: 'b' } });
    expect(await compareCommits(gitOf(repo), rev('main'), rev('other'))).toEqual({ base, head, mergeBases: [] });
    expect(await readDifferenceFromMergeBase(gitOf(repo), rev('main'), rev('other'))).toBe(undefined);
  });

  test('a shallow clone that ends before they meet has no merge base', async () => {
    const source = create();
    source.commit('fork');
    source.branch('topic');
    const base = source.commit('base', { files: { b: 'b' } });
    source.checkout('topic');
    const head = source.commit('head', { files: { h: 'h' } });
    const clone = cleanUp.add(TempRepo.cloneOf(source, '--depth=1', '--no-single-branch'));
    expect(await compareCommits(gitOf(clone), rev('origin/main'), rev('origin/topic'))).toEqual({ base, head, mergeBases: [] });
    expect(await readDifferenceFromMergeBase(gitOf(clone), rev('origin/main'), rev('origin/topic'))).toBe(undefined);
  });

  test('annotated tags, also of tags, stand for their commit', async () => {
    const repo = create();
    const base = repo.commit('base');
    repo.tag('v1', { message: 'x' });
    repo.tag('v1-again', { message: 'x', at: 'v1' });
    const head = repo.commit('head', { files: { h: 'h' } });
    for (const tag of ['v1', 'v1-again', 'v1^{}', 'v1^{commit}']) {
      expect(await compareCommits(gitOf(repo), rev(tag), rev('HEAD'))).toEqual({ base, head, mergeBases: [base] });
      expect(outline(await readDifferenceFromMergeBase(gitOf(repo), rev(tag), rev('HEAD')))).toEqual(['A h']);
    }
  });

  test('branches that are called like a file, a folder or an option', async () => {
    const repo = create();
    const base = repo.commit('base', { files: { 'package.json': '{}', 'packages/a/x': 'x' } });
    for (const name of ['package.json', 'packages', 'HEAD2']) repo.branch(name);
    repo.git('update-ref', 'refs/heads/-x', base);
    const head = repo.commit('head', { files: { 'package.json': '{"a":1}' } });
    for (const name of ['package.json', 'packages', 'refs/heads/-x']) {
      expect(await compareCommits(gitOf(repo), rev(name), rev('HEAD'))).toEqual({ base, head, mergeBases: [base] });
      expect(outline(await readDifferenceFromMergeBase(gitOf(repo), rev(name), rev('HEAD')))).toEqual(['M package.json']);
    }
  });

  test.each(['gone', 'HEAD~9', 'origin/main', 'e'.repeat(40), 'v1:x'.replace(':x', '^{tree}'), 'blob', 'package.json'])(
    'with %s, which is no commit here: unknown',
    async (name) => {
      const repo = create();
      repo.commit('x', { files: { 'package.json': '{}' } });
      repo.tag('v1');
      repo.git('tag', 'blob', 'HEAD:package.json');
      const git = gitOf(repo);
      expect(await compareCommits(git, rev(name), rev('HEAD'))).toBe(undefined);
      expect(await compareCommits(git, rev('HEAD'), rev(name))).toBe(undefined);
      expect(await readDifferenceFromMergeBase(git, rev(name), rev('HEAD'))).toBe(undefined);
      expect(await readDifferenceFromMergeBase(git, rev('HEAD'), rev(name))).toBe(undefined);
    },
  );

  test('in a repository without a commit: unknown', async () => {
    expect(await compareCommits(gitOf(create()), rev('main'), rev('HEAD'))).toBe(undefined);
  });

  test('in a repository with SHA-256', async () => {
    const repo = cleanUp.add(TempRepo.create({ objectFormat: 'sha256' }));
    const base = repo.commit('base');
    const head = repo.commit('head', { files: { h: 'h' } });
    expect(await compareCommits(gitOf(repo), rev('HEAD~1'), rev('HEAD'))).toEqual({ base, head, mergeBases: [base] });
    expect(outline(await readDifference(gitOf(repo), base, head))).toEqual(['A h']);
  });
});

describe('the difference', () => {
  /** Everything that can happen to a file, in one commit; and settings that would hide some of it. */
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

  /** Without the work tree, which cannot hold such submodules. */
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

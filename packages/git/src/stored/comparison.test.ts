import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import { parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { compareCommits, parseRevision, readDifference } from '../changeset.js';
import { plumbing } from '../git.js';
import { readStoredComparison, readStoredFiles, type StoredComparison } from './comparison.js';

// Git itself is the judge: what this reader says without it must be what git says, or nothing.

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

const ROOT: RepoFolder = '';

function foldersOf(repo: TempRepo): { readonly gitDir: string; readonly commonDir: string } {
  return { gitDir: join(repo.path, '.git'), commonDir: join(repo.path, '.git') };
}

function read(repo: TempRepo, base: string, head: string, folder = ROOT): StoredComparison | undefined {
  return readStoredComparison(foldersOf(repo), { base: parseRevision(base), head: parseRevision(head), folder });
}

async function askGit(repo: TempRepo, base: string, head: string): Promise<Pick<StoredComparison, 'comparison' | 'changes'>> {
  const git = plumbing(parseAbsolutePath(join(repo.path, '.git')));
  const comparison = await compareCommits(git, parseRevision(base), parseRevision(head));
  if (comparison === undefined) throw new Error(`git knows no ${base} or ${head}`);
  return { comparison, changes: await readDifference(git, comparison.base, comparison.head) };
}

async function expectSame(repo: TempRepo, base: string, head: string): Promise<void> {
  const stored = read(repo, base, head);
  expect(stored === undefined ? undefined : { comparison: stored.comparison, changes: stored.changes }).toEqual(
    await askGit(repo, base, head),
  );
}

/** Three commits on `main`, with all kinds of changes between them. */
function sample(): TempRepo {
  const repo = create();
  repo.write({
    'a/b/c.txt': 'c',
    'a/d.txt': 'd',
    'a.txt': 'x',
    'will-be-folder': 'f',
    'tool.sh': '#!/bin/sh\n',
    'ü/ñ.txt': 'n',
    gone: 'g',
  });
  repo.commit('One');
  repo.write({ 'a/b/c.txt': 'changed', 'will-be-folder': null, 'will-be-folder/x': 'x', gone: null, link: { symlink: 'a.txt' } });
  repo.write({ 'tool.sh': { executable: '#!/bin/sh\n' }, 'ü/ñ.txt': 'm', 'new/deep/er/file': 'n' });
  repo.commit('Two');
  repo.write({ 'will-be-folder/x': null, 'will-be-folder': 'again', 'a/d.txt': null });
  repo.commit('Three');
  return repo;
}

describe('the same as git says', () => {
  test.each([
    ['one commit', 'HEAD~1', 'HEAD'],
    ['several', 'HEAD~2', 'HEAD'],
    ['none at all', 'HEAD', 'HEAD'],
    ['a branch', 'main^', 'main'],
    ['a branch by its whole name', 'refs/heads/main~2', 'HEAD^1'],
    ['a parent in steps', 'HEAD^^', 'HEAD~1'],
    ['no step', 'HEAD^0~1', 'HEAD~0'],
  ])('of %s', async (_, base, head) => {
    const repo = sample();
    await expectSame(repo, base, head);
    repo.git('gc', '-q');
    await expectSame(repo, base, head);
  });

  test('by tags, plain and annotated, in files and packed, by whole ids and branches of a remote', async () => {
    const repo = sample();
    repo.git('tag', 'plain', 'HEAD~1');
    repo.git('tag', '-a', '-m', 'x', 'annotated', 'HEAD~2');
    repo.git('tag', '-a', '-m', 'x', 'twice', 'annotated');
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    const bases = ['plain', 'annotated', 'twice', 'tags/plain', 'origin/main', 'origin', 'origin/HEAD', repo.id('HEAD~1')];
    for (const base of bases) await expectSame(repo, base, 'HEAD');
    repo.git('pack-refs', '--all');
    for (const base of bases) await expectSame(repo, base, 'HEAD');
  });

  test('where a tag and a branch have one name', async () => {
    const repo = sample();
    repo.git('tag', 'both', 'HEAD~2');
    repo.git('branch', 'both', 'HEAD~1');
    await expectSame(repo, 'both', 'HEAD');
  });

  test('of a merge against each of its parents', async () => {
    const repo = sample();
    repo.branch('topic', 'HEAD~1');
    repo.write({ 'main.txt': 'm' });
    repo.commit('On main');
    repo.checkout('topic');
    repo.write({ 'topic.txt': 't' });
    repo.commit('On topic');
    repo.checkout('main');
    repo.merge('topic');
    for (const base of ['HEAD^1', 'HEAD^2', 'HEAD^2~1', 'topic']) await expectSame(repo, base, 'HEAD');
  });

  test('of a submodule that moves', async () => {
    const repo = sample();
    for (const id of [repo.id('HEAD'), repo.id('HEAD~1')]) {
      repo.git('update-index', '--add', '--cacheinfo', `160000,${id},sub/module`);
      repo.git('commit', '-q', '-m', 'Move it');
    }
    await expectSame(repo, 'HEAD~1', 'HEAD');
    await expectSame(repo, 'HEAD~2', 'HEAD');
  });

  test('of modes that old tools wrote', async () => {
    const repo = create();
    const blob = repo.writeObject('blob', 'x');
    const bytes = Buffer.from(blob, 'hex');
    const tree = (mode: string): string => repo.writeObject('tree', Buffer.concat([Buffer.from(`${mode} file\0`), bytes]));
    const first = repo.git('commit-tree', '-m', 'One', tree('100664'));
    for (const mode of ['100644', '100755', '100775', '120000']) {
      const next = repo.git('commit-tree', '-m', 'Two', '-p', first, tree(mode));
      await expectSame(repo, first, next);
    }
  });

  test('in a clone that borrows its objects, and in one that borrows from that', async () => {
    const repo = sample();
    const folder = cleanUp.add(new TempFolder()).path;
    let from: string = repo.path;
    for (const name of ['one', 'two']) {
      repo.git('clone', '-q', '--shared', from, join(folder, name));
      from = join(folder, name);
      const clone = TempRepo.create({ folder: parseAbsolutePath(from) });
      await expectSame(clone, 'HEAD~2', 'HEAD');
    }
  });

  test('in a linked work tree, whose HEAD is its own', async () => {
    const repo = sample();
    const folder = join(cleanUp.add(new TempFolder()).path, 'linked');
    repo.git('worktree', 'add', '-q', '--detach', folder, 'HEAD~1');
    const commonDir = join(repo.path, '.git');
    const gitDir = join(commonDir, 'worktrees/linked');
    const revisions = { base: parseRevision('HEAD~1'), head: parseRevision('HEAD'), folder: ROOT };
    expect(readStoredComparison({ gitDir, commonDir }, revisions)?.comparison).toEqual((await askGit(repo, 'main~2', 'main~1')).comparison);
  });

  test('of folders with a thousand entries, packed as chains of deltas', async () => {
    const repo = create();
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`packages/p${at}/file`, `${at}`]));
    repo.write(files);
    repo.commit('Many');
    for (const at of [0, 1, 499, 500, 998, 999]) {
      repo.write({ [`packages/p${at}/file`]: 'changed', [`packages/p${at}x/new`]: 'x' });
      repo.commit(`Change ${at}`);
    }
    repo.write({ packages: null, 'packages/p7/file': 'all others gone' });
    repo.commit('Remove');
    for (const [from, to] of [
      ['HEAD~1', 'HEAD'],
      ['HEAD~2', 'HEAD~1'],
      ['HEAD~7', 'HEAD~1'],
      ['HEAD~7', 'HEAD~6'],
    ] as const) {
      await expectSame(repo, from, to);
    }
    repo.git('repack', '-adfq', '--depth=50', '--window=50');
    for (const step of [1, 2, 3, 4, 5, 6]) await expectSame(repo, `HEAD~${step + 1}`, `HEAD~${step}`);
  });

  test('of whatever trees there are', async () => {
    const repo = shared.add(TempRepo.create());
    const name = fc.constantFrom('a', 'a.b', 'a-b', 'a0', 'b', 'ab', 'é');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const side = fc.dictionary(path, fc.constantFrom('1', '2'), { minKeys: 1, maxKeys: 12 });
    const commitOf = (files: Record<string, string>, parents: readonly string[]): string => {
      repo.git('read-tree', '--empty');
      for (const [file, content] of Object.entries(files)) {
        // A file whose name is a folder of another one pushes it out.
        repo.git('update-index', '--add', '--replace', '--cacheinfo', `100644,${repo.writeObject('blob', content)},${file}`);
      }
      return repo.git('commit-tree', '-m', 'x', ...parents.flatMap((parent) => ['-p', parent]), repo.git('write-tree'));
    };
    await fc.assert(
      fc.asyncProperty(side, side, async (one, other) => {
        const base = commitOf(one, []);
        await expectSame(repo, base, commitOf(other, [base]));
      }),
      { numRuns: 25 },
    );
  });
});

describe('the files of a folder', () => {
  test('at the root and below, and what they hold', () => {
    const repo = sample();
    const stored = read(repo, 'HEAD~1', 'HEAD');
    expect([...(stored?.files.ids.keys() ?? [])].sort()).toEqual(['a.txt', 'link', 'tool.sh', 'will-be-folder']);
    const id = stored?.files.ids.get('will-be-folder');
    expect(id === undefined ? undefined : stored?.files.read(id)?.toString()).toBe('again');
    expect([...(read(repo, 'HEAD~1', 'HEAD', 'a/b' as RepoFolder)?.files.ids.keys() ?? [])]).toEqual(['c.txt']);
    expect(read(repo, 'HEAD~1', 'HEAD', 'nowhere' as RepoFolder)?.files.ids.size).toBe(0);
  });

  test('and those of them that lie in a work tree', () => {
    const repo = sample();
    const now = read(repo, 'HEAD~1', 'HEAD', 'a/b' as RepoFolder)?.files;
    const before = readStoredFiles(foldersOf(repo), repo.id('HEAD~2') as CommitId, 'a/b' as RepoFolder);
    expect(now?.readCheckedOut(repo.path, 'c.txt')?.toString()).toBe('changed');
    expect(before?.ids.has('c.txt')).toBe(true);
    expect(before?.readCheckedOut(repo.path, 'c.txt')).toBe(undefined);
    expect(now?.readCheckedOut(repo.path, 'nothing')).toBe(undefined);
  });

  test('of a commit alone', () => {
    const repo = sample();
    const files = readStoredFiles(foldersOf(repo), repo.id('HEAD~1') as CommitId, 'new/deep/er' as RepoFolder);
    expect([...(files?.ids.keys() ?? [])]).toEqual(['file']);
  });
});

describe('left to git', () => {
  test.each([
    ['a name that nobody knows', 'nowhere', 'HEAD'],
    ['a short id', 'abcdef1', 'HEAD'],
    ['a parent that is not there', 'HEAD~9', 'HEAD'],
    ['a file of the repository that is no ref', 'config', 'HEAD'],
    ['a place in the log of a ref', 'HEAD@{1}', 'HEAD'],
    ['a base that is no ancestor', 'HEAD', 'HEAD~1'],
    ['an id of nothing', '0'.repeat(40), 'HEAD'],
  ])('is %s', (_, base, head) => {
    expect(read(sample(), base, head)).toBe(undefined);
  });

  test.each([
    ['tree', 'a longer id', 'a'.repeat(24)],
    ['parent', 'a longer id', 'a'.repeat(24)],
    ['tree', 'a carriage return', '\r'],
    ['parent', 'a space', ' '],
  ])('is a commit whose %s has %s', (field, _, more) => {
    const repo = sample();
    const lines = repo.git('cat-file', 'commit', 'HEAD').replace(new RegExp(`^${field} .*$`, 'm'), `$&${more}`);
    const id = repo.gitWithInput(`${lines}\n`, 'hash-object', '--literally', '-t', 'commit', '-w', '--stdin');
    expect(read(repo, repo.id('HEAD~1'), id)).toBe(undefined);
    expect(read(repo, id, id)).toBe(undefined);
  });

  test('is a tree in place of a commit', () => {
    const repo = sample();
    expect(read(repo, repo.id('HEAD^{tree}'), 'HEAD')).toBe(undefined);
  });

  test('is a base far behind', () => {
    const repo = create();
    for (let at = 0; at < 40; at++) repo.commit(`Commit ${at}`);
    expect(read(repo, 'HEAD~39', 'HEAD')).toBe(undefined);
  });

  test('is an object that is not what its id says, in a file of its own or in a pack', () => {
    const repo = sample();
    const id = repo.id('HEAD^{tree}');
    const file = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2));
    const other = repo.id('HEAD~1^{tree}');
    chmodSync(file, 0o644);
    writeFileSync(file, readFileSync(join(repo.path, '.git/objects', other.slice(0, 2), other.slice(2))));
    expect(read(repo, 'HEAD~1', 'HEAD')).toBe(undefined);
  });

  test('is a pack that is cut off, or broken anywhere', () => {
    const repo = sample();
    repo.git('gc', '-q');
    const folder = join(repo.path, '.git/objects/pack');
    const pack = join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '');
    const bytes = readFileSync(pack);
    const right = read(repo, 'HEAD~2', 'HEAD');
    chmodSync(pack, 0o644);
    for (let at = 12; at < bytes.length - 20; at += 7) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x55;
      writeFileSync(pack, broken);
      const answer = read(repo, 'HEAD~2', 'HEAD');
      if (answer !== undefined) expect(answer.changes).toEqual(right?.changes);
    }
    for (let length = 0; length < bytes.length; length += 31) {
      writeFileSync(pack, bytes.subarray(0, length));
      const answer = read(repo, 'HEAD~2', 'HEAD');
      if (answer !== undefined) expect(answer.changes).toEqual(right?.changes);
    }
  });

  test('is a repository whose objects are somewhere else, or of another kind', () => {
    const repo = sample();
    rmSync(join(repo.path, '.git/objects'), { recursive: true });
    expect(read(repo, 'HEAD~1', 'HEAD')).toBe(undefined);
    const other = cleanUp.add(TempRepo.create({ objectFormat: 'sha256' }));
    other.commit('One');
    other.commit('Two');
    expect(read(other, 'HEAD~1', 'HEAD')).toBe(undefined);
  });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitOf, outline } from './changeset.fixture.js';
import { compareCommits, parseRevision, readDifference, readDifferenceFromMergeBase } from './changeset.js';

const cleanUp = cleanUpIn(afterEach);

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

const rev = parseRevision;

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
    // The base is ahead: the head has nothing new.
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

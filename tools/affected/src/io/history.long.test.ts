import { afterEach, describe, expect, test } from '@jest/globals';
import { compareCommits, parseRevision } from '@tributary/git/changeset';
import { plumbing } from '@tributary/git/git';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { fetchUntilTheyMeet, firstThere, parentsOf } from './history.js';
import { locate } from './locate.js';

const cleanUp = cleanUpIn(afterEach);
const rev = parseRevision;
const BRANCHES = ['+refs/heads/main:refs/remotes/origin/main'];

/** Creates a main line and a topic branch, which left it `behind` commits ago and has `own` commits. */
function createSource(behind: number, own: number): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  const stream: string[] = [];
  const commit = (branch: string, mark: number, from: string): void =>
    void stream.push(
      `commit refs/heads/${branch}\nmark :${mark}\ncommitter A <a@example.com> ${1_600_000_000 + mark} +0000\ndata 1\nx\n${from}M 100644 inline ${branch}-${mark}\ndata 1\nx\n`,
    );
  commit('main', 1, '');
  for (let at = 0; at < behind; at++) commit('main', 2 + at, '');
  for (let at = 0; at < own; at++) commit('topic', 1000 + at, at === 0 ? 'from :1\n' : '');
  repo.fastImport(stream.join('\n'));
  repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  return repo;
}

function cloneOf(source: TempRepo, ...options: readonly string[]): TempRepo {
  return cleanUp.add(TempRepo.cloneOf(source, ...options));
}

interface Asked {
  readonly base?: string;
  readonly head?: string;
  readonly refspecs?: readonly string[];
}

async function meet(repo: TempRepo, { base = 'origin/main', head = 'HEAD', refspecs = BRANCHES }: Asked = {}): Promise<unknown> {
  const repository = await locate(repo.path);
  const streams = recordStreams();
  const ui = new Ui(streams, {}, { quiet: false, verbose: true, color: 'never', input: 'never', json: false });
  const git = plumbing(repository.gitDir);
  const wanted = { head: rev(head), refspecs, otherwise: [], source: base, compareHere: () => compareCommits(git, rev(base), rev(head)) };
  const found = await fetchUntilTheyMeet(git, repository, { wanted, services: { ui, signal: new AbortController().signal } });
  return { found, steps: streams.stderrText().match(/Fetching/g)?.length ?? 0 };
}

describe('history is fetched until two commits meet', () => {
  test.each<[title: string, behind: number, own: number, options: readonly string[], steps: number]>([
    ['in one step, where they are near', 3, 3, [], 1],
    ['in one, however far the base is, if it was not here at all', 300, 3, [], 1],
    ['in two, where the base is farther', 30, 3, ['--no-single-branch'], 2],
    ['in two, where the head is farther', 3, 60, [], 2],
    ['in three', 200, 1, ['--no-single-branch'], 3],
  ])('%s', async (_, behind, own, options, steps) => {
    const source = createSource(behind, own);
    const clone = cloneOf(source, '--depth=1', '--branch=topic', ...options);
    const found = { base: source.id('main'), head: source.id('topic'), mergeBases: [source.id(`main~${behind}`)] };
    expect(await meet(clone)).toEqual({ found, steps });
  });

  test('also a base that only has an id', async () => {
    const source = createSource(3, 1);
    const base = source.id('main~1');
    const clone = cloneOf(source, '--depth=1', '--branch=topic');
    expect(await meet(clone, { base, refspecs: [base] })).toMatchObject({ found: { base, mergeBases: [source.id('main~3')] } });
  });

  test('of a whole clone only what is missing, in one step', async () => {
    const source = createSource(3, 1);
    const clone = cloneOf(source, '--single-branch', '--branch=topic');
    clone.git('config', 'remote.origin.fetch', '+refs/heads/topic:refs/remotes/origin/topic');
    expect(await meet(clone)).toMatchObject({ found: { mergeBases: [source.id('main~3')] }, steps: 1 });
    expect((await locate(clone.path)).depth).toBe('full');
  });

  test('without touching the checkout, a local branch, a tag or FETCH_HEAD', async () => {
    const source = createSource(30, 2);
    source.tag('v1', { at: 'main' });
    const clone = cloneOf(source, '--depth=1', '--branch=topic', '--no-tags');
    clone.write({ 'topic-1000': 'changed by hand' });
    const state = (): unknown => [
      clone.git('status', '--porcelain'),
      clone.git('for-each-ref', 'refs/heads', 'refs/tags'),
      clone.git('symbolic-ref', 'HEAD'),
    ];
    const before = state();
    await meet(clone);
    expect(state()).toEqual(before);
    expect(() => clone.git('rev-parse', '--verify', 'FETCH_HEAD')).toThrow('FETCH_HEAD');
  });
});

describe('they do not meet, and that is said, not guessed', () => {
  test('where histories have nothing in common, after a bounded number of steps', async () => {
    const source = createSource(2, 1);
    source.git('symbolic-ref', 'HEAD', 'refs/heads/other');
    source.commit('other');
    const clone = cloneOf(source, '--depth=1', '--branch=topic');
    expect(await meet(clone, { base: 'origin/other', refspecs: ['+refs/heads/other:refs/remotes/origin/other'] })).toEqual({
      found: undefined,
      steps: 4,
    });
  });

  test.each<[title: string, breakIt: (clone: TempRepo) => unknown, asked: Asked]>([
    ['where there is no such branch', () => {}, { base: 'origin/gone', refspecs: ['+refs/heads/gone:refs/remotes/origin/gone'] }],
    ['where the remote is gone', (clone) => clone.git('remote', 'set-url', 'origin', `${clone.path}/gone`), {}],
    ['where there is no remote', (clone) => clone.git('remote', 'remove', 'origin'), {}],
  ])('%s', async (_, breakIt, asked) => {
    const clone = cloneOf(createSource(30, 1), '--depth=1', '--branch=topic');
    breakIt(clone);
    expect(await meet(clone, asked)).toEqual({ found: undefined, steps: 1 });
  });
});

describe('the parents of a commit', () => {
  test('are none, one or several, in their order', async () => {
    const repo = cleanUp.add(TempRepo.create());
    const one = repo.commit('one\n\nparent 0000000000000000000000000000000000000000');
    repo.branch('b');
    const two = repo.commit('two');
    repo.checkout('b');
    const three = repo.commit('three');
    repo.merge('main');
    const git = plumbing((await locate(repo.path)).gitDir);
    expect(await parentsOf(git, rev(one))).toEqual([]);
    expect(await parentsOf(git, rev(two))).toEqual([one]);
    expect(await parentsOf(git, rev('HEAD'))).toEqual([three, two]);
    repo.tag('v1', { message: 'x' });
    expect(await parentsOf(git, rev('v1'))).toEqual([three, two]);
  });

  test('are named also where a shallow clone ends', async () => {
    const source = createSource(2, 0);
    const clone = cloneOf(source, '--depth=1', '--branch=main');
    expect(await parentsOf(plumbing((await locate(clone.path)).gitDir), rev('HEAD'))).toEqual([source.id('main~1')]);
  });

  test('of a commit that is not there are a failure', async () => {
    const repo = createSource(1, 0);
    await expect(parentsOf(plumbing((await locate(repo.path)).gitDir), rev('gone'))).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

test('the first of some revisions that is there, and a commit', async () => {
  const repo = createSource(1, 1);
  const git = plumbing((await locate(repo.path)).gitDir);
  expect(await firstThere(git, ['origin/main', 'gone', 'topic', 'main'].map(rev))).toBe('topic');
  expect(await firstThere(git, ['gone', 'main^{tree}', 'e'.repeat(40)].map(rev))).toBe(undefined);
  expect(await firstThere(git, [])).toBe(undefined);
});

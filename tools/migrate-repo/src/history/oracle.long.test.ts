import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { CleanUp } from '@tributary/test-repo/clean-up';
import { Dice } from '@tributary/test-repo/dice';
import { GitClock, hermeticGitEnvironment } from '@tributary/test-repo/hermetic-git';
import { LooseObjects } from '@tributary/test-repo/loose-objects';
import type { RandomHistoryPlan } from '@tributary/test-repo/random-history';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { parseCommit } from './commit.js';
import type { MovedHistory } from './move.js';
import { undoCommitBody } from './move-body.js';
import { gitDirOf, makeRandomSource, move, QUALIFIED, type RandomSource } from './moving.fixture.js';
import { proveMove } from './prove.js';

const FILTER_REPO = process.env.GIT_FILTER_REPO;
const withFilterRepo = FILTER_REPO === undefined ? test.skip : test;
const withSubtree = exitOf('git', ['subtree', '-h'], '/') === 129 ? test : test.skip;

const SAME_MODE = [
  '--preserve-commit-hashes',
  '--preserve-commit-encoding',
  '--prune-empty',
  'never',
  '--prune-degenerate',
  'never',
  '--force',
  '--quiet',
];

/** Multiplies the number of random histories. Use HISTORY_RUNS=20 before you release a change of how commits are moved. */
const TIMES = Number(process.env['HISTORY_RUNS'] ?? 1);

/** Checks a law on random histories, and cleans up after each. */
async function forEachSource(
  choice: { readonly runs: number; readonly kind: RandomHistoryPlan['kind'] },
  law: (source: RandomSource, cleanUp: CleanUp) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(fc.nat(10_000_000), fc.integer({ min: 1, max: 120 }), async (seed, commits) => {
    const source = makeRandomSource({ seed, commits, kind: choice.kind });
    if (source === undefined) return;
    const cleanUp = new CleanUp();
    cleanUp.add(source.repo);
    try {
      await law(source, cleanUp);
    } finally {
      await cleanUp.run();
    }
  });
  await fc.assert(property, { numRuns: choice.runs * TIMES, endOnFailure: true });
}

test('any history, with everything that git can hold, is moved and proven', async () => {
  await forEachSource({ runs: 15, kind: 'odd' }, async (source) => {
    for (const messages of ['exact', QUALIFIED] as const)
      await proveMove(source.git, await move(source.git, { ...source, messages }), { format: 'sha1' });
  });
});

test('any history of any folder is moved and proven', async () => {
  await forEachSource({ runs: 8, kind: 'odd' }, async (source) => {
    const folders = ['packages', 'packages/x', 'packages/x/lib', 'packages/y', 'src/deep', 'sort', 'x'];
    const found = await resolveNames(
      source.git,
      folders.map((folder) => `${source.tip}:${folder}`),
    );
    for (const [at, subdirectory] of folders.entries()) {
      if (found[at]?.type !== 'tree') continue;
      const messages = at % 2 === 0 ? 'exact' : QUALIFIED;
      await proveMove(source.git, await move(source.git, { ...source, subdirectory, messages }), { format: 'sha1' });
    }
  });
});

describe('git filter-repo in the same mode gives the same ids', () => {
  withFilterRepo('for well-formed histories, the branch and each tag', async () => {
    await forEachSource({ runs: 8, kind: 'well-formed' }, async (source, cleanUp) => {
      const theirs = filterRepo(source.repo, cleanUp, ['--to-subdirectory-filter', 'packages/x', '--tag-rename', ':x@']);
      await compare(source, theirs);
    });
  });

  withFilterRepo('for odd histories, once filter-repo has made of them what it can keep', async () => {
    await forEachSource({ runs: 8, kind: 'importable' }, async (source, cleanUp) => {
      const theirs = filterRepo(source.repo, cleanUp, ['--to-subdirectory-filter', 'packages/x', '--tag-rename', ':x@']);
      const kept = filterRepo(source.repo, cleanUp, []);
      const tags = source.tags.map(({ name }) => ({ name, id: kept.id(`refs/tags/${name}`) }));
      await compare({ repo: kept, git: plumbing(kept.path), tip: kept.id('refs/heads/main'), tags }, theirs);
    });
  });
});

/**
 * Compares a moved history with that of filter-repo. Skips some tags: filter-repo does not rename tags of trees and
 * blobs, and strips signatures.
 */
async function compare(source: RandomSource, theirs: TempRepo): Promise<void> {
  const moved = await move(source.git, source);
  expect(moved.tip).toBe(theirs.id('refs/heads/main'));
  await compareUndone(source, moved);
  for (const [at, tag] of moved.tags.entries()) {
    const text = source.repo.gitBytes('cat-file', '-p', source.tags[at]?.id ?? tag.id).toString('latin1');
    if (tag.target !== 'commit' || text.includes('PGP SIGNATURE') || text.includes('no tagger')) continue;
    expect([tag.name, tag.id]).toEqual([tag.name, theirs.id(`refs/tags/${tag.name}`)]);
  }
}

/** Expects that a move without `--exact` keeps trees, authors, dates and order, and that undoing it restores the messages. */
async function compareUndone(source: RandomSource, exact: MovedHistory): Promise<void> {
  const moved = await move(source.git, { ...source, messages: QUALIFIED });
  const read = async ({ map }: MovedHistory) =>
    (
      await readObjects(
        source.git,
        exact.sourceCommits.map((id) => map?.get(id) ?? id),
      )
    ).map(({ content }) => parseCommit(content));
  const [theirs, ours] = [await read(exact), await read(moved)];
  expect(ours.map(({ tree, rest }) => [tree, undoCommitBody(rest).toString('latin1')])).toEqual(
    theirs.map(({ tree, rest }) => [tree, rest.toString('latin1')]),
  );
}

function filterRepo(source: TempRepo, cleanUp: CleanUp, options: readonly string[]): TempRepo {
  const copy = cleanUp.add(TempRepo.cloneOf(source, '--mirror'));
  // git 2.39 hangs when it writes the commit graph for some of the odd dates, and filter-repo calls gc.
  copy.git('config', 'gc.writeCommitGraph', 'false');
  const exit = exitOf(FILTER_REPO ?? '', [...SAME_MODE, ...options], copy.path);
  if (exit !== 0) throw new Error(`git filter-repo ended with ${exit}`);
  return copy;
}

withSubtree('git subtree split keeps the same commits of a folder, merges included', async () => {
  const law = fc.asyncProperty(fc.nat(10_000_000), async (seed) => {
    const repo = TempRepo.create();
    try {
      const tip = writeFolderHistory(repo, new Dice(seed), 25);
      const git = plumbing(gitDirOf(repo));
      repo.write({ 'lib/f': '' });
      const split = repo.git('subtree', 'split', '-q', '--prefix=lib', tip) as ObjectId;
      const moved = await move(git, { tip, subdirectory: 'lib' });
      await proveMove(git, moved, { format: 'sha1' });
      expect(moved.tip).toBe((await move(git, { tip: split })).tip);
    } finally {
      repo.dispose();
    }
  });
  await fc.assert(law, { numRuns: 6, endOnFailure: true });
});

/**
 * Writes a history whose merges have two parents and whose commits all hold `lib`. Where `lib` vanishes, git subtree
 * continues with the unsplit commit.
 */
function writeFolderHistory(repo: TempRepo, dice: Dice, count: number): ObjectId {
  const objects = new LooseObjects(gitDirOf(repo), 'sha1');
  const file = (name: string, content: number) => ({ mode: '100644', name, id: objects.write('blob', `${content}`) });
  const commits: { id: ObjectId; content: number }[] = [];
  for (let at = 0; at < count; at++) {
    const parents =
      at === 0 ? [] : [...new Set([commits[at - 1], ...(dice.chance(50) ? [dice.pick(commits)] : [])])].flatMap((one) => one ?? []);
    const from = parents.length > 0 && dice.chance(20) ? [dice.pick(commits)] : parents;
    const content = from.length > 0 && dice.chance(60) ? dice.pick(from).content : dice.below(4);
    const lib = { mode: '40000', name: 'lib', id: objects.writeTree([file('f', content)]) };
    const tree = objects.writeTree([lib, file('other', at)]);
    const date = `Ada Author <ada@example.com> ${1_600_000_000 + at * 60} +0000`;
    const ids = from.map(({ id }) => id);
    commits.push({
      id: objects.write('commit', formatRawCommit({ tree, parents: ids, author: date, committer: date, message: `${at}\n` })),
      content,
    });
  }
  return commits.at(-1)?.id ?? ('' as ObjectId);
}

function exitOf(program: string, args: readonly string[], cwd: string): number | null {
  return spawnSync(program, args, { cwd, env: hermeticGitEnvironment(new GitClock()), stdio: 'ignore', timeout: 60_000 }).status;
}

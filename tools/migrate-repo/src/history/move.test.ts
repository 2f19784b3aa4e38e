import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { emptyTreeId, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { parseRepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { LooseObjects } from '@tributary/test-repo/loose-objects';
import { ODD_COMMITS } from '@tributary/test-repo/odd-commits';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { parseCommit } from './commit.js';
import { invertHistory } from './invert.js';
import type { MovedHistory } from './move.js';
import { gitDirOf, makeRandomSource, move, type RandomSource } from './moving.fixture.js';
import { proveMove } from './prove.js';
import { listSourceHistory } from './source-history.js';

const cleanUp = cleanUpIn(afterEach);
const PATHS = ['packages/x', 'x', 'packages/@acme/größe', 'x/x/x'];

/** Runs a law on random histories, with everything that git can hold. */
async function forEachHistory(
  runs: number,
  law: (source: RandomSource, format: ObjectFormat, path: string) => Promise<void>,
  formats: readonly ObjectFormat[] = ['sha1'],
): Promise<void> {
  const any = fc.record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    commits: fc.integer({ min: 1, max: 60 }),
    path: fc.constantFrom(...PATHS),
    format: fc.constantFrom(...formats),
  });
  const property = fc.asyncProperty(any, async ({ seed, commits, path, format }) => {
    const source = makeRandomSource({ seed, commits, kind: 'odd' }, { format });
    if (source === undefined) return;
    try {
      await law(source, format, path);
    } finally {
      source.repo.dispose();
    }
  });
  // Stopping early is right: each run starts a dozen processes.
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
}

/** All commits of both sides, source and image at the same place. */
async function readPairs({ git }: RandomSource, moved: MovedHistory): Promise<{ olds: Commit[]; news: Commit[]; ids: ObjectId[] }> {
  const ids = [...moved.source.onBranch, ...moved.source.onTagsOnly];
  const images = ids.map((id) => moved.map?.get(id) ?? id);
  const read = async (wanted: readonly ObjectId[]): Promise<Commit[]> =>
    (await readObjects(git, wanted)).map(({ id, content }) => ({ id, ...parseCommit(content) }));
  return { olds: await read(ids), news: await read(images), ids: images };
}

type Commit = { readonly id: ObjectId } & ReturnType<typeof parseCommit>;

test('every random history is moved and proven, and undoing the move gives the last commit of the source', async () => {
  await forEachHistory(
    25,
    async (source, format, path) => {
      const moved = await move(source.git, { ...source, format, path });
      const proof = await proveMove(source.git, moved, { format });
      expect(proof).toMatchObject({ method: 'inverse', counts: moved.counts, tags: source.tags.length });
      const { onBranch } = await listSourceHistory(source.git, moved.tip, []);
      const inverse = await invertHistory(source.git, { format, path: parseRepoPath(path) }, { ids: onBranch });
      expect('flaw' in inverse ? inverse.flaw : inverse.originals.get(moved.tip)).toBe(source.tip);
    },
    ['sha1', 'sha1', 'sha256'],
  );
});

test('in every commit the tree under the path is the root tree of the source, and nothing is beside it', async () => {
  await forEachHistory(10, async (source, format, path) => {
    const { olds, news } = await readPairs(source, await move(source.git, { ...source, format, path }));
    const folders = path.split('/').map((_, depth) =>
      path
        .split('/')
        .slice(0, depth + 1)
        .join('/'),
    );
    const below = await resolveNames(
      source.git,
      news.map(({ id }) => `${id}:${path}`),
    );
    const empty = emptyTreeId(format);
    expect(below.map((entry) => entry?.id ?? empty)).toEqual(olds.map(({ tree }) => tree));
    const tips = news.filter(({ tree }) => tree !== empty).slice(-3);
    for (const { id } of tips)
      expect(
        source.repo.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '-t', '--name-only', id).split('\n').slice(0, folders.length),
      ).toEqual(folders);
    for (const { id } of tips) expect(source.repo.git('ls-tree', id).split('\n')).toHaveLength(1);
  });
});

test('every commit keeps its parents in order, and every byte behind them', async () => {
  await forEachHistory(10, async (source, format, path) => {
    const moved = await move(source.git, { ...source, format, path });
    const { olds, news } = await readPairs(source, moved);
    expect(news.map(({ rest }) => rest.toString('latin1'))).toEqual(olds.map(({ rest }) => rest.toString('latin1')));
    expect(news.map(({ parents }) => parents)).toEqual(olds.map(({ parents }) => parents.map((parent) => moved.map?.get(parent))));
    expect(moved.counts.commits).toBe(new Set(news.map(({ id }) => id)).size);
    expect(moved.counts.merges).toBe(olds.filter(({ parents }) => parents.length > 1).length);
  });
});

test('git itself counts the same commits, merges, authors and dates before and after', async () => {
  await forEachHistory(6, async (source, format, path) => {
    const moved = await move(source.git, { ...source, format, path });
    const log = (tip: string): string =>
      source.repo.gitBytes('log', '--topo-order', '--format=%an|%ae|%ad|%cn|%ce|%cd|%e|%B', '--date=raw', tip).toString('latin1');
    expect(log(moved.tip)).toBe(log(source.tip));
  });
});

test('moving again gives the same ids, in a repository that has seen the move and in one that has not', async () => {
  await forEachHistory(6, async (source, format, path) => {
    const first = await move(source.git, { ...source, format, path });
    const again = await move(source.git, { ...source, format, path });
    const clone = TempRepo.cloneOf(source.repo, '--mirror');
    try {
      const elsewhere = await move(plumbing(clone.path), { ...source, format, path });
      for (const other of [again, elsewhere]) expect({ ...other, planned: first.planned }).toEqual(first);
    } finally {
      clone.dispose();
    }
  });
});

test('a source that has grown gives a history that contains the one it gave before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 25 }), async (seed, more) => {
      const before = makeRandomSource({ seed, commits: 20, kind: 'odd' });
      const after = makeRandomSource({ seed, commits: 20 + more, kind: 'odd' });
      if (before === undefined || after === undefined) return;
      try {
        const old = await move(before.git, before);
        const now = await move(after.git, after);
        expect(now.map?.get(before.tip)).toBe(old.tip);
        after.repo.git('merge-base', '--is-ancestor', old.tip, now.tip);
      } finally {
        before.repo.dispose();
        after.repo.dispose();
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test('git fsck finds nothing in the result that it does not find in the source', async () => {
  await forEachHistory(8, async (source, format, path) => {
    const complaints = async (): Promise<Set<string>> => {
      const { stdout, stderr } = await source.git.attempt(['fsck', '--no-dangling', '--no-progress']);
      const lines = `${stdout.toString('latin1')}\n${stderr}`.split('\n');
      return new Set(lines.map((line) => line.replaceAll(/\b[0-9a-f]{40,64}\b/g, '<id>')).filter((line) => line !== ''));
    };
    const before = await complaints();
    const moved = await move(source.git, { ...source, format, path });
    source.repo.git('update-ref', 'refs/heads/moved', moved.tip);
    expect([...(await complaints())].filter((line) => !before.has(line))).toEqual([]);
  });
});

test('each tag stands under its new name for what became of its commit, and says what it said', async () => {
  await forEachHistory(10, async (source, format, path) => {
    const moved = await move(source.git, { ...source, format, path });
    expect(moved.tags.map(({ name }) => name)).toEqual(source.tags.map(({ name }) => `x@${name}`));
    for (const [at, tag] of moved.tags.entries()) {
      const [old, now] = await resolveNames(source.git, [`${source.tags[at]?.id}^{}`, `${tag.id}^{}`]);
      expect(now?.id).toBe(old?.type === 'commit' ? moved.map?.get(old.id) : old?.id);
      const [one, other] = [source.tags[at]?.id ?? tag.id, tag.id].map((id) =>
        source.repo.gitBytes('cat-file', '-p', id).toString('latin1'),
      );
      if (old?.id === source.tags[at]?.id) continue;
      const masked = other?.replace(/^object .*/, '').replace(`tag x@${source.tags[at]?.name}\n`, `tag ${source.tags[at]?.name}\n`);
      expect(masked).toBe(one?.replace(/^object .*/, ''));
    }
  });
});

test.each(ODD_COMMITS.map(({ title, parts }) => [title, parts] as const))('a commit with %s is moved and proven', async (_title, parts) => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const objects = new LooseObjects(repo.path, 'sha1');
  const tree = objects.writeTree([{ mode: '100644', name: 'package.json', id: objects.write('blob', '{}') }]);
  const first = objects.write('commit', formatRawCommit({ tree, ...parts }));
  const tip = objects.write('commit', formatRawCommit({ tree, parents: [first], ...parts }));
  const git = plumbing(repo.path);
  const moved = await move(git, { tip });
  expect(await proveMove(git, moved, { format: 'sha1' })).toMatchObject({ counts: { commits: 2 } });
  const [old, now] = await readObjects(git, [tip, moved.tip]);
  expect(parseCommit(now?.content ?? Buffer.alloc(0)).rest).toEqual(parseCommit(old?.content ?? Buffer.alloc(0)).rest);
});

test('a source that has lived under the path before, or holds a file called as the target folder, keeps both', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('file', { files: { packages: 'a file', 'package.json': '{}' } });
  repo.commit('folder', { files: { packages: null, 'packages/x/package.json': '{}' } });
  repo.commit('both', { files: { 'packages/x/x': 'x' } });
  const git = plumbing(gitDirOf(repo));
  const moved = await move(git, { tip: repo.id('HEAD') });
  await proveMove(git, moved, { format: 'sha1' });
  expect(repo.git('ls-tree', '-r', '--name-only', moved.tip).split('\n')).toEqual([
    'packages/x/package.json',
    'packages/x/packages/x/package.json',
    'packages/x/packages/x/x',
  ]);
  expect(repo.git('ls-tree', '-r', '--name-only', `${moved.tip}~2`).split('\n')).toEqual([
    'packages/x/package.json',
    'packages/x/packages',
  ]);
});

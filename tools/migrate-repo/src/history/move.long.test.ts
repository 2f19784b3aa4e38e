import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { emptyTreeId, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import { parseRepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { LooseObjects } from '@tributary/test-repo/loose-objects';
import { ODD_COMMITS } from '@tributary/test-repo/odd-commits';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { parseCommit } from './commit.js';
import { CommitBodies } from './commit-bodies.js';
import { invertHistory } from './invert.js';
import type { MovedHistory } from './move.js';
import { undoTagBody } from './move-body.js';
import { gitDirOf, makeRandomSource, move, QUALIFIED, type RandomSource } from './moving.fixture.js';
import { proveMove } from './prove.js';
import { listHistory, readTags } from './source-history.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const PATHS = ['packages/x', 'x', 'packages/@acme/größe', 'x/x/x'] as const;

interface Case extends RandomSource {
  readonly format: ObjectFormat;
  readonly path: string;
  readonly messages: MessageMapping;
  readonly moved: MovedHistory;
}

/**
 * Random histories with everything that git can hold. Each is moved once, and every law is checked on the same ones.
 * The long ring has others each time.
 */
const cases: Case[] = [];

beforeAll(async () => {
  for (let seed = 1; seed <= 8; seed++) {
    const [format, path] = [seed % 4 === 0 ? 'sha256' : 'sha1', PATHS[seed % PATHS.length] ?? PATHS[0]] as const;
    const source = makeRandomSource({ seed, commits: seed * 8, kind: 'odd' }, { format });
    if (source === undefined) continue;
    shared.add(source.repo);
    const messages = seed % 3 === 0 ? 'exact' : QUALIFIED;
    cases.push({ ...source, format, path, messages, moved: await move(source.git, { ...source, format, path, messages }) });
  }
});

/** Reads all commits of the source and their images, in the same order. */
async function readPairs({ git, moved }: Case): Promise<{ olds: Commit[]; news: Commit[]; ids: ObjectId[] }> {
  const ids = moved.sourceCommits;
  const images = ids.map((id) => moved.map?.get(id) ?? id);
  const read = async (wanted: readonly ObjectId[]): Promise<Commit[]> =>
    (await readObjects(git, wanted)).map(({ id, content }) => ({ id, ...parseCommit(content) }));
  return { olds: await read(ids), news: await read(images), ids: images };
}

type Commit = { readonly id: ObjectId } & ReturnType<typeof parseCommit>;

test('every random history is proven, and undoing the move gives the last commit of the source', async () => {
  expect(cases.length).toBeGreaterThan(6);
  for (const { git, tip, tags, format, path, messages, moved } of cases) {
    expect(await proveMove(git, moved, { format })).toMatchObject({ method: 'inverse', counts: moved.counts, tags: tags.length });
    const ids = await listHistory(git, [moved.tip]);
    const inverse = await invertHistory(git, { format, path: parseRepoPath(path), messages }, { ids });
    expect('flaw' in inverse ? inverse.flaw : inverse.originals.get(moved.tip)).toBe(tip);
  }
});

test('in every commit the tree under the path is the root tree of the source, and nothing is beside it', async () => {
  for (const one of cases) {
    const { olds, news } = await readPairs(one);
    const empty = emptyTreeId(one.format);
    const names = one.path.split('/').map((_, depth, all) => all.slice(0, depth + 1).join('/'));
    const full = news.filter(({ tree }) => tree !== empty).map(({ id }) => id);
    const below = await resolveNames(
      one.git,
      news.map(({ id }) => `${id}:${one.path}`),
    );
    expect(below.map((entry) => entry?.id ?? empty)).toEqual(olds.map(({ tree }) => tree));
    for (const id of full.slice(-2))
      for (const [depth, name] of names.entries())
        expect(one.repo.git('-c', 'core.quotePath=false', 'ls-tree', '--name-only', '--full-name', `${id}:${names[depth - 1] ?? ''}`)).toBe(
          name.split('/').at(-1),
        );
  }
});

test('every commit keeps its parents in order, and every byte behind them comes back', async () => {
  for (const one of cases) {
    const { olds, news } = await readPairs(one);
    const bodies = new CommitBodies(one.messages);
    expect(news.map(({ rest }) => bodies.undo(rest).toString('latin1'))).toEqual(olds.map(({ rest }) => rest.toString('latin1')));
    expect(news.map(({ parents }) => parents)).toEqual(olds.map(({ parents }) => parents.map((parent) => one.moved.map?.get(parent))));
    expect(one.moved.counts.commits).toBe(new Set(news.map(({ id }) => id)).size);
    expect(one.moved.counts.merges).toBe(olds.filter(({ parents }) => parents.length > 1).length);
  }
});

test('git itself sees the same commits, authors, committers, dates and, where they are exact, messages before and after', () => {
  for (const { repo, tip, moved, messages } of cases) {
    const format = `--format=%an|%ae|%ad|%cn|%ce|%cd|%e|${messages === 'exact' ? '%B' : ''}`;
    const log = (from: string): string => repo.gitBytes('log', '--topo-order', '--date=raw', format, from).toString('latin1');
    expect(log(moved.tip)).toBe(log(tip));
  }
});

test('moving again gives the same ids, in a repository that has seen the move and in one that has not', async () => {
  for (const one of cases.slice(0, 4)) {
    const elsewhere = cleanUp.add(TempRepo.cloneOf(one.repo, '--mirror'));
    for (const git of [one.git, plumbing(elsewhere.path)]) expect(await move(git, one)).toEqual(one.moved);
  }
});

test('a source that has grown gives a history that contains the one it gave before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 25 }), async (seed, more) => {
      const before = makeRandomSource({ seed, commits: 20, kind: 'odd' });
      const after = makeRandomSource({ seed, commits: 20 + more, kind: 'odd' });
      if (before === undefined || after === undefined) return;
      try {
        const old = await move(before.git, { ...before, messages: QUALIFIED });
        const now = await move(after.git, { ...after, messages: QUALIFIED });
        expect(now.map?.get(before.tip)).toBe(old.tip);
        after.repo.git('merge-base', '--is-ancestor', old.tip, now.tip);
      } finally {
        before.repo.dispose();
        after.repo.dispose();
      }
    }),
    { numRuns: 4, seed: 5, endOnFailure: true },
  );
});

test('git fsck finds nothing in the result that it does not find in the source', async () => {
  // A clone holds only reachable objects.
  const complaints = async (repo: TempRepo): Promise<Set<string>> => {
    const clone = cleanUp.add(TempRepo.cloneOf(repo, '--mirror'));
    const { stdout, stderr } = await plumbing(clone.path).attempt(['fsck', '--no-dangling', '--no-progress']);
    const lines = `${stdout.toString('latin1')}\n${stderr}`.split('\n');
    return new Set(lines.map((line) => line.replaceAll(/\b[0-9a-f]{40,64}\b/g, '<id>')).filter((line) => line !== ''));
  };
  for (const { repo, moved } of cases) {
    const before = await complaints(repo);
    expect(before.size).toBeGreaterThan(0);
    repo.git('update-ref', 'refs/heads/moved', moved.tip);
    expect([...(await complaints(repo))].filter((line) => !before.has(line))).toEqual([]);
  }
});

test('each tag stands under its new name for what became of its commit, and says what it said', async () => {
  for (const { git, tags, moved } of cases) {
    expect(moved.tags.map(({ name }) => name)).toEqual(tags.map(({ name }) => `x@${name}`));
    const before = await readTags(
      git,
      tags.map((tag) => ({ ...tag, newName: tag.name })),
    );
    const after = await readTags(
      git,
      moved.tags.map((tag) => ({ ...tag, newName: tag.name })),
    );
    for (const [at, tag] of after.entries()) {
      const old = before[at];
      expect(tag.target.id).toBe(old?.target.type === 'commit' ? moved.map?.get(old.target.id) : old?.target.id);
      expect(tag.chain.map(({ name, type, rest }) => [name, type, undoTagBody(rest)])).toEqual(
        old?.chain.map(({ name, type, rest }) => [`x@${name}`, type, rest]),
      );
    }
  }
});

test('commits of every odd kind stand one on the other, and are moved and proven', async () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const objects = new LooseObjects(repo.path, 'sha1');
  const tree = objects.writeTree([{ mode: '100644', name: 'package.json', id: objects.write('blob', '{}') }]);
  const ids: ObjectId[] = [];
  for (const { parts } of ODD_COMMITS) ids.push(objects.write('commit', formatRawCommit({ tree, parents: ids.slice(-1), ...parts })));
  const git = plumbing(repo.path);
  const moved = await move(git, { tip: ids.at(-1) ?? tree });
  expect(await proveMove(git, moved, { format: 'sha1' })).toMatchObject({ counts: { commits: ODD_COMMITS.length } });
  const olds = await readObjects(git, ids);
  const news = await readObjects(
    git,
    ids.map((id) => moved.map?.get(id) ?? id),
  );
  for (const [at, { title }] of ODD_COMMITS.entries()) expect([title, restOf(news[at])]).toEqual([title, restOf(olds[at])]);
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

function restOf(object: { readonly content: Buffer } | undefined): string {
  return object === undefined ? '' : parseCommit(object.content).rest.toString('latin1');
}

import { afterEach, expect, test } from '@jest/globals';
import { type Git, plumbing } from '@tributary/git/git';
import { emptyTreeId, type ObjectFormat } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { LooseObjects } from '@tributary/test-repo/loose-objects';
import { INNER_FOLDER } from '@tributary/test-repo/random-history';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { parseCommit } from './commit.js';
import type { MovedHistory } from './move.js';
import { gitDirOf, makeRandomSource, move, QUALIFIED } from './moving.fixture.js';
import { proveMove } from './prove.js';

const cleanUp = cleanUpIn(afterEach);

/** Returns the source's commits, without merges, that became separate commits. */
async function listKept(git: Git, { sourceCommits, map }: MovedHistory): Promise<ObjectId[]> {
  const commits = (await readObjects(git, sourceCommits)).map(({ id, content }) => ({ id, parents: parseCommit(content).parents }));
  return commits
    .filter(({ id, parents }) => map?.has(id) === true && parents.length < 2 && parents.every((parent) => map.get(parent) !== map.get(id)))
    .map(({ id }) => id);
}

async function listCommits(git: Git, ...args: string[]): Promise<ObjectId[]> {
  const output = await git.text(['rev-list', ...args]);
  return output === '' ? [] : (output.split('\n') as ObjectId[]);
}

test('every random history of a folder is moved and proven, and each commit holds the folder of the one it came from', async () => {
  const any = fc.record({
    seed: fc.nat(1_000_000),
    commits: fc.integer({ min: 5, max: 60 }),
    format: fc.constantFrom<ObjectFormat>('sha1', 'sha1', 'sha256'),
  });
  const law = fc.asyncProperty(any, async ({ seed, commits, format }) => {
    const source = makeRandomSource({ seed, commits, kind: 'odd' }, { format, holding: INNER_FOLDER });
    if (source === undefined) return;
    try {
      const moved = await move(source.git, {
        ...source,
        format,
        path: 'libs/y',
        subdirectory: INNER_FOLDER,
        messages: seed % 2 === 0 ? 'exact' : QUALIFIED,
      });
      expect(await proveMove(source.git, moved, { format })).toMatchObject({ method: 'compared', counts: moved.counts });
      const olds = [...(moved.map ?? new Map<ObjectId, ObjectId>()).keys()];
      const before = await resolveNames(
        source.git,
        olds.map((id) => `${id}:${INNER_FOLDER}`),
      );
      const after = await resolveNames(
        source.git,
        olds.map((id) => `${moved.map?.get(id)}:libs/y`),
      );
      expect(after.map((entry) => entry?.id)).toEqual(before.map((entry) => (entry?.type === 'tree' ? entry.id : undefined)));
    } finally {
      source.repo.dispose();
    }
  });
  await fc.assert(law, { numRuns: 8, seed: 2, endOnFailure: true });
});

test('of a random history the commits that stay are those that git log names for the folder, merges aside', async () => {
  const law = fc.asyncProperty(fc.nat(1_000_000), fc.integer({ min: 5, max: 50 }), async (seed, commits) => {
    const source = makeRandomSource({ seed, commits, kind: 'well-formed' }, { holding: INNER_FOLDER });
    if (source === undefined) return;
    try {
      const moved = await move(source.git, { tip: source.tip, subdirectory: INNER_FOLDER });
      // git also counts a file of that name as a change; migrate-repo does not count it as a folder.
      const named = await listCommits(source.git, '--full-history', '--no-merges', source.tip, '--', INNER_FOLDER);
      const folders = await resolveNames(
        source.git,
        named.flatMap((id) => [`${id}:${INNER_FOLDER}`, `${id}^:${INNER_FOLDER}`]),
      );
      const changed = named.filter((_, at) => folders[2 * at]?.type === 'tree' || folders[2 * at + 1]?.type === 'tree');
      expect(new Set(await listKept(source.git, moved))).toEqual(new Set(changed));
    } finally {
      source.repo.dispose();
    }
  });
  await fc.assert(law, { numRuns: 6, seed: 3, endOnFailure: true });
});

test('a folder that appears late, was a file, vanishes and comes back has the history of its changes', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('nothing yet', { files: { 'package.json': '{}' } });
  repo.tag('before');
  repo.commit('a file of that name', { files: { lib: 'file' } });
  repo.commit('appears', { files: { lib: null, 'lib/package.json': '{}' } });
  repo.commit('elsewhere', { files: { 'README.md': 'x' } });
  repo.tag('elsewhere');
  repo.commit('vanishes', { files: { lib: null } });
  repo.commit('a file again', { files: { lib: 'file' } });
  repo.commit('comes back', { files: { lib: null, 'lib/package.json': '{}', 'lib/a': 'a' } });
  const git = plumbing(gitDirOf(repo));
  const tags = ['before', 'elsewhere'].map((name) => ({ name, id: repo.id(`refs/tags/${name}`) }));
  const moved = await move(git, { tip: repo.id('HEAD'), tags, subdirectory: 'lib' });
  await proveMove(git, moved, { format: 'sha1' });
  expect(repo.git('log', '--reverse', '--format=%s', moved.tip).split('\n')).toEqual(['appears', 'vanishes', 'comes back']);
  expect(repo.git('ls-tree', '-r', '--name-only', moved.tip).split('\n')).toEqual(['packages/x/a', 'packages/x/package.json']);
  expect(moved.leftOutTags).toEqual(['before']);
  expect(moved.tags).toEqual([{ name: 'x@elsewhere', id: repo.id(`${moved.tip}~2`), target: 'commit' }]);
});

test('two commits that differ outside the folder only become one, and are counted once', async () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const objects = new LooseObjects(repo.path, 'sha1');
  const blob = (text: string) => objects.write('blob', text);
  const tree = (lib: string, other: string) =>
    objects.writeTree([
      { mode: '40000', name: 'lib', id: objects.writeTree([{ mode: '100644', name: 'package.json', id: blob(lib) }]) },
      { mode: '100644', name: 'other', id: blob(other) },
    ]);
  const commit = (message: string, of: string, ...parents: string[]) =>
    objects.write('commit', formatRawCommit({ tree: of, parents, message }));
  const base = commit('base', tree('1', '1'));
  const twins = [commit('picked', tree('2', '2'), base), commit('picked', tree('2', '3'), base)];
  const tip = commit('end', tree('3', '4'), commit('merge', tree('2', '4'), ...twins));
  const git = plumbing(repo.path);
  const moved = await move(git, { tip, subdirectory: 'lib' });
  expect((await proveMove(git, moved, { format: 'sha1' })).counts).toEqual({ commits: 3, merges: 0, authors: 1 });
});

test('an empty folder, which only old tools wrote, counts as none', async () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const objects = new LooseObjects(repo.path, 'sha1');
  const file = { mode: '100644', name: 'package.json', id: objects.write('blob', '{}') };
  const holding = (id: ObjectId) => objects.writeTree([file, { mode: '40000', name: 'lib', id }]);
  const commit = (message: string, tree: ObjectId, ...parents: string[]) =>
    objects.write('commit', formatRawCommit({ tree, parents, message }));
  const empty = objects.writeTree([]);
  expect(empty).toBe(emptyTreeId('sha1'));
  const first = commit('empty folder', holding(empty));
  const second = commit('full', holding(objects.writeTree([file])), first);
  const third = commit('empty again', holding(empty), second);
  const tip = commit('full again', holding(objects.writeTree([file])), third);
  const git = plumbing(repo.path);
  const moved = await move(git, { tip, subdirectory: 'lib' });
  await proveMove(git, moved, { format: 'sha1' });
  expect(repo.git('log', '--reverse', '--format=%s', moved.tip).split('\n')).toEqual(['full', 'empty again', 'full again']);
});

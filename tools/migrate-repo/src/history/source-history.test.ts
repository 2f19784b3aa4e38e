import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { LooseObjects } from '@tributary/test-repo/loose-objects';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { parseCommit } from './commit.js';
import { gitDirOf, makeRandomSource, move } from './moving.fixture.js';
import { proveMove } from './prove.js';
import { listHistory, readTags } from './source-history.js';

const cleanUp = cleanUpIn(afterEach);

test('each commit is listed once, after its parents, even where clocks were wrong', async () => {
  const law = fc.asyncProperty(fc.nat(1_000_000), fc.integer({ min: 1, max: 60 }), async (seed, commits) => {
    const source = makeRandomSource({ seed, commits, kind: 'odd' });
    if (source === undefined) return;
    try {
      const tags = (
        await readTags(
          source.git,
          source.tags.map((tag) => ({ ...tag, newName: tag.name })),
        )
      ).filter(({ target }) => target.type === 'commit');
      const ids = await listHistory(source.git, [source.tip, ...tags.map(({ target }) => target.id)]);
      const seen = new Set<string>();
      for (const { id, content } of await readObjects(source.git, ids)) {
        expect(parseCommit(content).parents.filter((parent) => !seen.has(parent))).toEqual([]);
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
      expect(seen.has(source.tip)).toBe(true);
      expect(tags.filter(({ target }) => !seen.has(target.id))).toEqual([]);
    } finally {
      source.repo.dispose();
    }
  });
  await fc.assert(law, { numRuns: 8, seed: 4, endOnFailure: true });
});

// Found by chance: rev-list listed two commits of the branch as reachable from tags only, so the counts differed.
test('a history on which git misjudges what only tags reach is moved and proven', async () => {
  const source = makeRandomSource({ seed: 417296, commits: 21, kind: 'odd' }, { format: 'sha256' });
  if (source === undefined) throw new Error('the history cannot be migrated');
  cleanUp.add(source.repo);
  const moved = await move(source.git, { ...source, path: 'x/x/x', format: 'sha256' });
  expect(await proveMove(source.git, moved, { format: 'sha256' })).toMatchObject({ counts: moved.counts });
});

test('a tag is followed through all tag objects to what it stands for', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const commit = repo.commit('one', { files: { 'package.json': '{}' } });
  const inner = repo.tag('v1', { message: 'one\n' });
  const outer = repo.tag('v2', { at: 'refs/tags/v1', message: 'two\n' });
  repo.tag('light');
  const tree = repo.tag('tree', { at: 'HEAD^{tree}' });
  const blob = repo.tag('blob', { at: 'HEAD:package.json', message: 'a blob\n' });
  const tags = ['v1', 'v2', 'light', 'tree', 'blob'].map((name) => ({ name, newName: `x@${name}`, id: repo.id(`refs/tags/${name}`) }));
  const read = await readTags(plumbing(gitDirOf(repo)), tags);
  expect(read.map(({ name, target, chain }) => [name, target.type, target.id, chain.map(({ id }) => id)])).toEqual([
    ['v1', 'commit', commit, [inner]],
    ['v2', 'commit', commit, [outer, inner]],
    ['light', 'commit', commit, []],
    ['tree', 'tree', tree, []],
    ['blob', 'blob', repo.id('HEAD:package.json'), [blob]],
  ]);
});

test('a tag object keeps the name of its own tag inside another one, and takes the name of its ref outside', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('one', { files: { 'package.json': '{}' } });
  const inner = repo.tag('v1', { message: 'one\n' });
  repo.tag('v2', { at: 'refs/tags/v1', message: 'two\n' });
  // `git push origin v1:refs/tags/renamed` makes such a tag.
  repo.git('update-ref', 'refs/tags/renamed', inner);
  const git = plumbing(gitDirOf(repo));
  const tags = ['renamed', 'v1', 'v2'].map((name) => ({ name, id: repo.id(`refs/tags/${name}`) }));
  const moved = await move(git, { tip: repo.id('HEAD'), tags });
  await proveMove(git, moved, { format: 'sha1' });
  const nameIn = (name: string): string =>
    repo.git('cat-file', 'tag', moved.tags.find((tag) => tag.name === name)?.id ?? '').split('\n')[2] ?? '';
  expect(['x@renamed', 'x@v1', 'x@v2'].map(nameIn)).toEqual(['tag x@renamed', 'tag x@v1', 'tag x@v2']);
  expect(repo.git('cat-file', 'tag', moved.tags[2]?.id ?? '').split('\n')[0]).toBe(`object ${moved.tags[1]?.id}`);
});

test('a tag of a tag that did not come along takes the name of the outer one', async () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const objects = new LooseObjects(repo.path, 'sha1');
  const tree = objects.writeTree([{ mode: '100644', name: 'package.json', id: objects.write('blob', '{}') }]);
  const tip = repo.writeRawCommit({ tree, message: 'x' });
  const inner = objects.write('tag', `object ${tip}\ntype commit\ntag gone\n\nx\n`);
  const [tag] = await readTags(plumbing(repo.path), [
    { name: 'v1', newName: 'x@1', id: objects.write('tag', `object ${inner}\ntype tag\ntag v1\n\nx\n`) },
  ]);
  expect(tag?.chain.map(({ name, newName }) => [name, newName])).toEqual([
    ['v1', 'x@1'],
    ['gone', 'x@1'],
  ]);
});

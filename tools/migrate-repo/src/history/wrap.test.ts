import { afterEach, expect, test } from '@jest/globals';
import { emptyTreeId, makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { formatTree, textAsName } from '@tributary/git/tree';
import type { ObjectId } from '@tributary/model/ids';
import { parseRepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { stepInto, unwrapTree, wrapTree } from './wrap.js';

const cleanUp = cleanUpIn(afterEach);
const FORMATS: readonly ObjectFormat[] = ['sha1', 'sha256'];
const PATHS = ['x', 'packages/x', 'packages/@acme/ui', 'x/x/x', 'a b/c', 'packages/größe', 'deep/er/than/that'].map(parseRepoPath);

const anyFormat = fc.constantFrom(...FORMATS);
const anyPath = fc.constantFrom(...PATHS);
const treeId = (format: ObjectFormat, content: string): ObjectId =>
  makeObject(format, 'tree', formatTree([{ mode: '100644', name: 'f', id: makeObject(format, 'blob', Buffer.from(content)).id }])).id;

test('taking the path off gives back the tree that was put under it', () => {
  fc.assert(
    fc.property(anyFormat, anyPath, fc.string(), (format, path, content) => {
      const tree = treeId(format, content);
      const { root, created } = wrapTree(format, path, tree);
      const trees = new Map(created.map((object) => [object.id, object.content]));
      expect(unwrapTree(format, path, { root, trees: (id) => trees.get(id) })).toBe(tree);
      expect(created).toHaveLength(path.split('/').length);
    }),
  );
});

test.each(FORMATS)('an empty tree stays empty, in %s', (format) => {
  const empty = emptyTreeId(format);
  expect(wrapTree(format, PATHS[1] ?? PATHS[0] ?? parseRepoPath('x'), empty).root).toBe(empty);
  expect(unwrapTree(format, parseRepoPath('packages/x'), { root: empty, trees: () => undefined })).toBe(empty);
});

test.each(PATHS)('git finds the tree under %s and nothing beside it', (path) => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('x', { files: { 'package.json': '{}', 'src/a.js': 'a' } });
  const { root, created } = wrapTree('sha1', path, repo.id('HEAD^{tree}'));
  for (const { id, content } of created) expect(repo.writeObject('tree', content)).toBe(id);
  expect(repo.git('rev-parse', `${root}:${path}`)).toBe(repo.id('HEAD^{tree}'));
  expect(repo.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', root).split('\n')).toEqual([
    `${path}/package.json`,
    `${path}/src/a.js`,
  ]);
});

test.each([
  [
    'a file beside the path',
    [
      { mode: '40000', name: 'packages' },
      { mode: '100644', name: 'z' },
    ],
  ],
  [
    'a folder beside the path',
    [
      { mode: '40000', name: 'packages' },
      { mode: '40000', name: 'z' },
    ],
  ],
  ['a folder of another name', [{ mode: '40000', name: 'package' }]],
  ['a file in place of the folder', [{ mode: '100644', name: 'packages' }]],
  ['a submodule in place of the folder', [{ mode: '160000', name: 'packages' }]],
  ['a folder whose mode git would write otherwise', [{ mode: '040000', name: 'packages' }]],
  ['nothing that was read', undefined],
])('a tree that holds %s has nothing to unwrap', (_title, entries) => {
  const inner = makeObject('sha1', 'tree', formatTree([{ mode: '40000', name: 'x', id: treeId('sha1', '') }]));
  const root = makeObject('sha1', 'tree', formatTree((entries ?? []).map((entry) => ({ ...entry, id: inner.id }))));
  const trees = new Map([inner, ...(entries === undefined ? [] : [root])].map((object) => [object.id, object.content]));
  const id = entries === undefined ? ('e'.repeat(40) as ObjectId) : root.id;
  expect(unwrapTree('sha1', parseRepoPath('packages/x'), { root: id, trees: (wanted) => trees.get(wanted) })).toBeUndefined();
});

test('an empty tree under the path is no wrapping: the mapping has one inverse', () => {
  const root = makeObject('sha1', 'tree', formatTree([{ mode: '40000', name: 'x', id: emptyTreeId('sha1') }]));
  expect(unwrapTree('sha1', parseRepoPath('x'), { root: root.id, trees: () => root.content })).toBeUndefined();
});

test.each([
  ['40000', 'the folder'],
  ['100644', undefined],
  ['160000', undefined],
  ['120000', undefined],
])('of a single entry of mode %s the next tree to read is %s', (mode, next) => {
  const id = treeId('sha1', 'a');
  const content = formatTree([{ mode, name: textAsName('größe'), id }]);
  expect(stepInto('sha1', content)).toBe(next === undefined ? undefined : id);
});

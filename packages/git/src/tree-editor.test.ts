import { afterAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { parseRepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { plumbing } from './git.js';
import { emptyTreeId, hashObject, type ObjectFormat } from './object-id.js';
import { readObjects } from './objects.js';
import { parseTree } from './tree.js';
import { type EditedTree, editTree, type TreeEdit } from './tree-editor.js';

const cleanUp = cleanUpIn(afterAll);

/** Edits a tree with git's index and with our editor. */
class Bench {
  readonly repo: TempRepo;
  readonly file: ObjectId;
  /** A tree with the files `x` and `y/z`. */
  readonly folder: ObjectId;
  private readonly format: ObjectFormat;
  private readonly known = new Map<ObjectId, Buffer>();

  constructor(format: ObjectFormat) {
    this.format = format;
    this.repo = cleanUp.add(TempRepo.create({ objectFormat: format }));
    this.file = this.repo.writeObject('blob', 'x');
    this.folder = this.treeOf(['x', 'y/z']);
  }

  treeOf(paths: readonly string[]): ObjectId {
    this.repo.git('read-tree', '--empty');
    this.repo.gitWithInput(
      paths.map((path) => `100644 ${this.file}\t${path}\0`).join(''),
      'update-index',
      '-z',
      '--add',
      '--replace',
      '--index-info',
    );
    return this.repo.git('write-tree') as ObjectId;
  }

  async edit(root: ObjectId, edit: TreeEdit): Promise<EditedTree> {
    const edited = await editTree(this.format, (id) => this.read(id), { root, edit });
    for (const object of edited.created) this.known.set(object.id, object.content);
    return edited;
  }

  /** Returns the tree that git writes from its index after the edit. */
  editByGit({ path, entry }: TreeEdit): ObjectId {
    const { repo } = this;
    if (entry?.mode === '40000') {
      // A file in the place of a parent folder is removed.
      const names = path.split('/');
      repo.git('update-index', '--force-remove', '--', ...names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join('/')), path);
      repo.git('rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', path);
      repo.git('read-tree', `--prefix=${path}/`, entry.id);
    } else if (entry === undefined) repo.git('rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', path);
    else repo.git('update-index', '--add', '--replace', '--cacheinfo', `${entry.mode},${entry.id},${path}`);
    return repo.git('write-tree') as ObjectId;
  }

  private async read(id: ObjectId): Promise<Buffer> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const [object] = await readObjects(plumbing(gitDirOf(this.repo)), [id]);
    if (object?.type !== 'tree') throw new Error(`${id} is no tree`);
    this.known.set(id, object.content);
    return object.content;
  }
}

function gitDirOf(repo: TempRepo): TempRepo['path'] {
  return `${repo.path}/.git` as TempRepo['path'];
}

const name = fc.constantFrom('a', 'b', 'a.b', 'a-b', 'é', 'a0');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

const edits = (bench: Bench): fc.Arbitrary<TreeEdit> =>
  fc.record({
    path: path.map(parseRepoPath),
    entry: fc.constantFrom(
      undefined,
      undefined,
      { mode: '100644', id: bench.file },
      { mode: '100755', id: bench.file },
      { mode: '120000', id: bench.file },
      { mode: '160000', id: bench.folder },
      { mode: '40000', id: bench.folder },
    ),
  });

describe.each<readonly [ObjectFormat, number]>([
  ['sha1', 30],
  ['sha256', 5],
])('in the format %s', (format, numRuns) => {
  const bench = new Bench(format);

  test('any edits of any tree make what git update-index and write-tree make', async () => {
    const paths = fc.array(path, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(paths, fc.array(edits(bench), { minLength: 1, maxLength: 4 }), async (files, some) => {
        let root = bench.treeOf(files);
        for (const edit of some) {
          const edited = await bench.edit(root, edit);
          expect(edited.root).toBe(bench.editByGit(edit));
          expect(edited.created.map((object) => hashObject(format, 'tree', object.content))).toEqual(
            edited.created.map((object) => object.id),
          );
          expect(edited.created.length).toBeLessThanOrEqual(edit.path.split('/').length);
          root = edited.root;
        }
      }),
      { numRuns },
    );
  });

  const file = { mode: '100644', id: bench.file };
  const cases: readonly (readonly [
    what: string,
    before: readonly string[],
    path: string,
    entry: TreeEdit['entry'],
    after: readonly string[],
  ])[] = [
    ['a first file', [], 'a', file, ['a']],
    ['a file deep in folders that are new', ['b'], 'a/b/c/d', file, ['a/b/c/d', 'b']],
    ['a file in the place of a folder', ['a/b', 'a/c/d', 'e'], 'a', file, ['a', 'e']],
    ['a folder in the place of a file', ['a', 'b'], 'a/b/c', file, ['a/b/c', 'b']],
    ['the last file of a folder taken away', ['a/b/c', 'd'], 'a/b/c', undefined, ['d']],
    ['the last file of all taken away', ['a/b/c'], 'a/b/c', undefined, []],
    ['a folder taken away', ['a/b', 'a/c', 'd'], 'a', undefined, ['d']],
    ['nothing taken away where nothing is', ['a'], 'b/c', undefined, ['a']],
    ['nothing taken away below a file', ['a', 'b'], 'a/x', undefined, ['a', 'b']],
    ['a folder that was hung in', ['a', 'p/q'], 'p/new', { mode: '40000', id: bench.folder }, ['a', 'p/new/x', 'p/new/y/z', 'p/q']],
    ['a name that is not ASCII', [], 'é', file, ['é']],
  ];
  test.each(cases)('%s', async (_, before, at, entry, after) => {
    const edited = await bench.edit(bench.treeOf(before), { path: parseRepoPath(at), entry });
    expect(edited.root).toBe(bench.treeOf(after));
  });

  test('a tree without anything is there to be read, too', async () => {
    const edited = await bench.edit(emptyTreeId(format), { path: parseRepoPath('a'), entry: undefined });
    expect(edited.root).toBe(emptyTreeId(format));
    expect(edited.created.map((object) => object.id)).toContain(emptyTreeId(format));
  });

  test('no tree is read but those on the way', async () => {
    const root = bench.treeOf(['a/b/c', 'd/e', 'f/g/h']);
    const [object] = await readObjects(plumbing(gitDirOf(bench.repo)), [root]);
    const read: ObjectId[] = [];
    const parsed = parseTree(format, object?.content ?? Buffer.alloc(0));
    const way = [root, parsed.find((entry) => entry.name === 'a')?.id];
    await editTree(
      format,
      async (id) => {
        read.push(id);
        return (await readObjects(plumbing(gitDirOf(bench.repo)), [id]))[0]?.content ?? Buffer.alloc(0);
      },
      { root, edit: { path: parseRepoPath('a/x'), entry: file } },
    );
    expect(read).toEqual(way);
  });
});

test('entries beside the way stay as they were, whatever an old tool made of their modes', async () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const blob = repo.writeObject('blob', 'x');
  const old = Buffer.concat(
    ['100664 old', '100644 \xff'].map((head) => Buffer.concat([Buffer.from(`${head}\0`, 'latin1'), Buffer.from(blob, 'hex')])),
  );
  const root = repo.writeObject('tree', old);
  const edited = await editTree('sha1', async () => old, {
    root,
    edit: { path: parseRepoPath('new'), entry: { mode: '100644', id: blob } },
  });
  const made = parseTree('sha1', edited.created.at(-1)?.content ?? Buffer.alloc(0));
  expect(made.map(({ mode, name: own }) => `${mode} ${own}`)).toEqual(['100644 new', '100664 old', '100644 \xff']);
});

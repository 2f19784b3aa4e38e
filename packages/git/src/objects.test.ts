import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { type Git, plumbing } from './git.js';
import { hashObject } from './object-id.js';
import { readNamedBlobs, readObjects, resolveNames, streamObjects } from './objects.js';

const cleanUp = cleanUpIn(afterAll);
const repo = cleanUp.add(TempRepo.create({ bare: true }));
const git = plumbing(repo.path);

// Sizes around those of a pipe and of a chunk, and many small ones.
const contents = [
  ...[0, 1, 2, 4095, 4096, 65_535, 65_536, 65_537, 131_072, 700_000].map((size) => Buffer.alloc(size, 'x\n')),
  ...Array.from({ length: 3000 }, (_, at) => Buffer.from(`${at} blob 7\n`.repeat(at % 40))),
];
repo.fastImport(Buffer.concat(contents.flatMap((content) => [Buffer.from(`blob\ndata ${content.length}\n`), content, Buffer.from('\n')])));
const ids = contents.map((content) => hashObject('sha1', 'blob', content));
const missing = 'd'.repeat(40) as ObjectId;

/** Returns the same git with its output in chunks of another size. */
function inPieces(size: number): Git {
  async function* cut(stream: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
    }
  }
  return {
    ...git,
    start: (args) => {
      const running = git.start(args);
      return { ...running, stdout: Readable.from(cut(running.stdout)) };
    },
  };
}

describe('objects are streamed', () => {
  test('thousands of them, in the order that was asked for, some of them twice', async () => {
    const asked = [...ids, ...[...ids].reverse()];
    const objects = await readObjects(git, asked);
    expect(objects.map((object) => object.id)).toEqual(asked);
    expect(
      objects.every(
        (object, at) => object.type === 'blob' && object.id === hashObject('sha1', 'blob', object.content) && asked[at] === object.id,
      ),
    ).toBe(true);
  });

  test('in groups, not one by one and not all at once', async () => {
    const sizes: number[] = [];
    for await (const group of streamObjects(git, ids)) sizes.push(group.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(ids.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.length).toBeLessThan(ids.length / 4);
  });

  test.each([1, 2, 3, 7, 48, 49, 50, 4096])('wherever the pieces of %d bytes begin and end', async (size) => {
    const asked = size < 7 ? ids.slice(10, 60) : ids.filter((_, at) => at < 4 || at % 20 === 0);
    const objects = await readObjects(inPieces(size), asked);
    expect(objects.map(({ content }) => hashObject('sha1', 'blob', content))).toEqual(asked);
  });

  test('of every type', async () => {
    const tree = repo.writeObject('tree', '');
    const commit = repo.writeRawCommit({ tree, message: new Uint8Array([0xe9, 0, 0x0a, 0x0a]) });
    const tag = repo.writeObject('tag', `object ${commit}\ntype commit\ntag v1\n\nx`);
    const objects = await readObjects(git, [tag, commit, tree]);
    expect(objects.map(({ type, id }) => [type, id])).toEqual([
      ['tag', tag],
      ['commit', commit],
      ['tree', tree],
    ]);
    expect(objects.map(({ type, content }) => hashObject('sha1', type, content))).toEqual([tag, commit, tree]);
  });

  test('none of them, without a git', async () => {
    const gone: Git = { ...git, start: () => expect(null).toBe('never started') as never };
    expect(await readObjects(gone, [])).toEqual([]);
  });

  test('also when the reader has enough before the end', async () => {
    for await (const group of streamObjects(git, ids)) {
      expect(group.length).toBeGreaterThan(0);
      break;
    }
  });

  test.each([
    ['first', [missing, ...ids]],
    ['in the middle', [...ids.slice(0, 1500), missing, ...ids.slice(1500)]],
    ['last', [...ids, missing]],
    ['alone', [missing]],
  ])('until one is missing: %s', async (_, asked) => {
    await expect(readObjects(git, asked)).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: `The object ${missing} is missing in the repository.`,
      data: { object: missing },
    });
  });

  test('from a repository that is not there: git says so', async () => {
    const nowhere = plumbing(`${repo.path}/gone` as TempRepo['path']);
    await expect(readObjects(nowhere, ids)).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringContaining('not a git repository'),
    });
    await expect(resolveNames(nowhere, ['HEAD'])).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  test('until somebody interrupts', async () => {
    const controller = new AbortController();
    const reading = readObjects(plumbing(repo.path, { signal: controller.signal }), Array(50).fill(ids).flat());
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('names are resolved', () => {
  const own = cleanUp.add(TempRepo.create());
  const names = ['package.json', 'a b/ü.txt', '-x', 'x blob 7', 'Icon\r'];
  const commit = own.commit('x', { files: Object.fromEntries(names.map((name) => [name, name])) });
  const tag = own.tag('v1', { message: 'x' });
  const git2 = plumbing(`${own.path}/.git` as TempRepo['path']);

  test('in their order, with what they stand for, and undefined for what is not there', async () => {
    const asked = [
      'v1',
      'HEAD',
      'HEAD:',
      'HEAD:gone',
      'HEAD:a b',
      ...names.map((name) => `${commit}:${name}`),
      'gone:x',
      missing,
      '',
      '-x',
      '--batch',
    ];
    const found = await resolveNames(git2, asked);
    const blobs = names.map((name) => ({ id: own.id(`HEAD:${name}`), type: 'blob', size: Buffer.byteLength(name) }));
    expect(found).toEqual([
      { id: tag, type: 'tag', size: expect.any(Number) },
      { id: commit, type: 'commit', size: expect.any(Number) },
      { id: own.id('HEAD^{tree}'), type: 'tree', size: expect.any(Number) },
      undefined,
      { id: own.id('HEAD:a b'), type: 'tree', size: expect.any(Number) },
      ...blobs,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('thousands at once', async () => {
    const found = await resolveNames(git, ids);
    expect(found.map((object) => [object?.id, object?.size])).toEqual(ids.map((id, at) => [id, contents[at]?.length]));
  });

  test('none of them', async () => {
    expect(await resolveNames(git, [])).toEqual([]);
  });
});

describe('blobs are read by name', () => {
  const own = cleanUp.add(TempRepo.create());
  const large = 'x\n'.repeat(400_000);
  const files = {
    'package.json': '{}',
    empty: '',
    'a b/ü.txt': 'ü\n\n',
    large,
    'looks like': `${'a'.repeat(40)} blob 3\nHEAD:gone missing\n`,
    'no-newline': 'x',
  };
  const commit = own.commit('x', { files: { ...files, link: { symlink: 'package.json' } } });
  own.git('update-index', '--add', '--cacheinfo', `160000,${'e'.repeat(40)},module`);
  own.git('commit', '-q', '-m', 'module');
  own.tag('v1', { message: 'x' });
  const ownGit = plumbing(`${own.path}/.git` as TempRepo['path']);
  const read = async (...names: string[]): Promise<(string | undefined)[]> =>
    (await readNamedBlobs(ownGit, names)).map((blob) => blob?.toString('utf8'));

  test('in the order of their names, also twice, whatever they hold and how large they are', async () => {
    const names = [...Object.keys(files), ...Object.keys(files)].reverse();
    expect(await read(...names.map((name) => `${commit}:${name}`))).toEqual(names.map((name) => files[name as keyof typeof files]));
  });

  test('and what is none is undefined: folders, commits, submodules, what is not there', async () => {
    const names = ['HEAD:gone', 'HEAD:a b', 'HEAD:', 'HEAD', 'v1', 'HEAD:module', 'gone:package.json', 'e'.repeat(40), '', 'HEAD:a b/gone'];
    expect(await read(...names, 'HEAD:package.json')).toEqual([...names.map(() => undefined), '{}']);
  });

  test('a symlink is its target, and is not followed', async () => {
    expect(await read('HEAD:link', 'HEAD:link/x')).toEqual(['package.json', undefined]);
  });

  test('by the name of a branch, a tag and an id, too', async () => {
    expect(await read('main:package.json', 'v1:package.json', own.id('HEAD:package.json'))).toEqual(['{}', '{}', '{}']);
  });

  test('none of them, without a git', async () => {
    const gone: Git = { ...git, bytes: () => expect(null).toBe('never started') as never };
    expect(await readNamedBlobs(gone, [])).toEqual([]);
  });

  test('from a repository that is not there: git says so', async () => {
    await expect(readNamedBlobs(plumbing(`${own.path}/gone` as TempRepo['path']), ['HEAD:x'])).rejects.toMatchObject({
      code: 'GIT_FAILED',
    });
  });

  test('an ambiguous id is a failure, not a file that is missing', async () => {
    const many = cleanUp.add(TempRepo.create({ bare: true }));
    const found = new Map<string, string>();
    let short = '';
    for (let at = 0; short === ''; at++) {
      const id = hashObject('sha1', 'blob', Buffer.from(String(at)));
      const other = found.get(id.slice(0, 4));
      if (other !== undefined) {
        for (const content of [other, String(at)]) many.writeObject('blob', content);
        short = id.slice(0, 4);
      }
      found.set(id.slice(0, 4), String(at));
    }
    await expect(readNamedBlobs(plumbing(many.path), [short])).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});

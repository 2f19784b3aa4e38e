import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatRawCommit } from '@tributary/test-repo/raw-commit';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { emptyTreeId, type GitObject, hashObject, makeObject, type ObjectFormat } from './object-id.js';
import { formatPack } from './pack.js';

const cleanUp = cleanUpIn(afterAll);
const MEGABYTE = 1024 * 1024;
// Around the lengths at which the header gets another byte, the checksum is reduced and a block is full.
const SIZES = [0, 1, 15, 16, 17, 2047, 2048, 2049, 3799, 3800, 3801, 5551, 5552, 5553, 7600, 65_534, 65_535, 65_536, 65_537, MEGABYTE];

/** Returns well-formed objects of all types, of these sizes where the type allows them. */
function objectsOf(format: ObjectFormat): GitObject[] {
  const make = (type: GitObject['type'], content: string | Uint8Array): GitObject => makeObject(format, type, Buffer.from(content));
  const blob = make('blob', '');
  const id = Buffer.from(blob.id, 'hex');
  const tree = (size: number): GitObject[] => {
    const nameLength = size - '100644 \0'.length - id.length;
    if (size === 0) return [make('tree', '')];
    return nameLength < 1 ? [] : [make('tree', Buffer.concat([Buffer.from(`100644 ${'n'.repeat(nameLength)}\0`), id]))];
  };
  const padded = (type: 'commit' | 'tag', head: Uint8Array, size: number): GitObject[] =>
    size <= head.length ? [] : [make(type, Buffer.concat([head, Buffer.alloc(size - head.length, 'm')]))];
  const commitHead = formatRawCommit({ tree: emptyTreeId(format), message: '' });
  const base = make('commit', commitHead);
  const tagHead = Buffer.from(`object ${base.id}\ntype commit\ntag v1\ntagger Ada <ada@example.com> 1600000000 +0000\n\n`);
  const all = [
    blob,
    base,
    ...SIZES.flatMap((size) => [make('blob', Buffer.alloc(size, 0xff)), make('blob', Buffer.alloc(size, 'ab'))]),
    ...SIZES.flatMap((size) => [...tree(size), ...padded('commit', Buffer.from(commitHead), size), ...padded('tag', tagHead, size)]),
  ];
  return [...new Map(all.map((object) => [object.id, object])).values()];
}

describe.each<ObjectFormat>(['sha1', 'sha256'])('in the format %s', (format) => {
  test('git reads a pack of objects of all types and sizes, and finds each as it was', () => {
    const repo = cleanUp.add(TempRepo.create({ bare: true, objectFormat: format }));
    const objects = objectsOf(format);
    const answer = repo.gitWithInput(Buffer.concat(formatPack(format, objects)), 'index-pack', '--strict', '--stdin');
    const pack = `objects/pack/pack-${answer.replace(/^pack\t/, '')}.idx`;
    repo.git('verify-pack', pack);
    repo.git('fsck', '--full', '--strict', '--no-dangling');
    const listed = repo.git('cat-file', '--batch-all-objects', '--batch-check').split('\n');
    expect(listed).toEqual(objects.map(({ id, type, content }) => `${id} ${type} ${content.length}`).sort());
    expect(repo.git('verify-pack', '-v', pack)).toContain(`non delta: ${objects.length} objects`);
  });

  test('a pack without objects is one', () => {
    const repo = cleanUp.add(TempRepo.create({ bare: true, objectFormat: format }));
    const file = `${repo.path}/empty.pack`;
    expect(repo.gitWithInput(Buffer.concat(formatPack(format, [])), 'index-pack', '--stdin', file)).toMatch(/^pack\t/);
  });
});

test('zlib inflates what is stored, and its checksum is right, for bytes of every kind', () => {
  const content = fc
    .tuple(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
    .map(([size, first, step]) => Buffer.from(Array.from({ length: size }, (_, at) => (first + at * step) & 255)));
  fc.assert(
    fc.property(
      fc.oneof(
        content,
        fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
      ),
      (bytes) => {
        const [, , stored = Buffer.alloc(0)] = formatPack('sha1', [makeObject('sha1', 'blob', bytes)]);
        expect(inflateSync(stored).equals(bytes)).toBe(true);
        expect(stored.length).toBe(bytes.length + 11);
      },
    ),
    { numRuns: 60, examples: SIZES.filter((size) => size < 65_536).map((size) => [Buffer.alloc(size, 0xff)]) },
  );
});

test('what is larger than one block is deflated', () => {
  const content = Buffer.alloc(65_536, 'x');
  const [, , deflated = Buffer.alloc(0)] = formatPack('sha1', [makeObject('sha1', 'blob', content)]);
  expect(deflated.length).toBeLessThan(1000);
  expect(inflateSync(deflated).equals(content)).toBe(true);
});

test('the bytes are the same whenever the objects are', () => {
  const objects = objectsOf('sha1');
  expect(Buffer.concat(formatPack('sha1', objects)).equals(Buffer.concat(formatPack('sha1', objects)))).toBe(true);
  expect(hashObject('sha1', 'blob', Buffer.alloc(0))).toBe(objects[0]?.id);
});

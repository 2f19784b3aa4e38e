import { readFileSync, writeFileSync } from 'node:fs';
import { constants, deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { hashObject } from '../object-id.js';
import { commitChanges, fileOf, lay, open, packIn } from './objects.fixture.js';

// What is inflated, made of deltas and proved here must be what zlib and git say, or nothing.

const shared = cleanUpIn(afterAll);

function create(): TempRepo {
  return shared.add(TempRepo.create());
}

/** Bytes that repeat themselves from near and from as far back as deflating goes. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 60 }).map((text) => Buffer.from(text)),
      fc.tuple(fc.constantFrom('a', 'ab', 'abcdefg', 'package'), fc.nat(3000)).map(([text, times]) => Buffer.from(text.repeat(times))),
      fc.nat(33_000).map((size) => Buffer.alloc(size, 'x')),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat([...parts, ...parts]));

const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
  ),
});

describe('an object in a file', () => {
  test('is read however it was deflated', () => {
    const repo = create();
    const objects = open(repo);
    fc.assert(
      fc.property(content, options, (bytes, how) => {
        const id = lay(repo, bytes, how);
        const { type, content: read } = objects.read(id);
        return type === 'blob' && read.equals(bytes) && objects.sizeOf(id) === bytes.length && objects.idOf(bytes) === id;
      }),
      { numRuns: 150 },
    );
  });

  test.each(['blob', 'tree', 'commit', 'tag'] as const)('is of its type: %s', (type) => {
    const repo = sample(3);
    repo.git('tag', '-a', '-m', 'x', 'v1');
    const name = { blob: 'HEAD:many.txt', tree: 'HEAD^{tree}', commit: 'HEAD', tag: 'v1' }[type];
    const object = open(repo).read(repo.id(name));
    expect(object.type).toBe(type);
    expect(hashObject('sha1', type, object.content)).toBe(repo.id(name));
  });

  test('is read when it is large, and proved', () => {
    const repo = create();
    const large = Buffer.from(Array.from({ length: 120_000 }, (_, line) => `line ${line}\n`).join(''));
    const objects = open(repo);
    const id = lay(repo, large, {});
    expect(objects.read(id).content.equals(large)).toBe(true);
    for (const size of [0, 55, 56, 63, 64, 400_000, 1_000_000]) {
      const part = large.subarray(0, size);
      expect(objects.idOf(part)).toBe(hashObject('sha1', 'blob', part));
    }
    const other = Buffer.from(large);
    other[700_000] = 0;
    writeFileSync(fileOf(repo, id), deflateSync(Buffer.concat([Buffer.from(`blob ${other.length}\0`), other])));
    expect(() => objects.read(id)).toThrow('not what its id says');
  });

  test('is refused when it says another size, type or number than it has', () => {
    const repo = create();
    const objects = open(repo);
    const id = lay(repo, Buffer.from('abc'), {});
    for (const text of [
      'blob 4\0abc',
      'blob 2\0abc',
      'tree 3\0abc',
      'blob 3abc',
      'blob x\0abc',
      'blob \0abc',
      'blub 3\0abc',
      'blob 99999999999999999999\0abc',
      '',
    ]) {
      writeFileSync(fileOf(repo, id), deflateSync(Buffer.from(text)));
      expect(() => objects.read(id)).toThrow();
    }
  });
});

function sample(commits: number): TempRepo {
  const repo = create();
  commitChanges(repo, commits);
  return repo;
}

function expectAllAsInGit(repo: TempRepo): void {
  const objects = open(repo);
  const ids = repo.git('rev-list', '--objects', '--no-object-names', '--all').split('\n');
  expect(ids.length).toBeGreaterThan(20);
  for (const id of ids as ObjectId[]) {
    const { type, content: read } = objects.read(id);
    expect(hashObject('sha1', type, read)).toBe(id);
    expect(objects.sizeOf(id)).toBe(read.length);
  }
}

describe('an object in a pack', () => {
  test.each([
    ['by their place', 'true', 6],
    ['by their id', 'false', 7],
  ])('is made of its deltas, whose bases are named %s', (_, byPlace, kind) => {
    const repo = sample(24);
    repo.git('-c', `repack.useDeltaBaseOffset=${byPlace}`, 'repack', '-adfq', '--depth=40', '--window=60');
    const chains = repo.git('verify-pack', '-v', packIn(repo)).match(/^chain length = \d+/gm) ?? [];
    expect(chains.length).toBeGreaterThan(5);
    expect(kindsIn(repo)).toContain(kind);
    expectAllAsInGit(repo);
  });

  test('is found in whichever of several packs it lies', () => {
    const repo = create();
    for (let at = 0; at < 8; at++) {
      repo.write({ [`file-${at}`]: `${at}` });
      repo.commit(`Commit ${at}`);
      repo.git('repack', '-dq');
    }
    expectAllAsInGit(repo);
  });

  test('is read where the pack and the object are large', () => {
    const repo = sample(12);
    let state = 1;
    const noise = Buffer.alloc(3_000_000);
    for (let at = 0; at < noise.length; at++) {
      state = (state * 48_271) % 2_147_483_647;
      noise[at] = state >> 8;
    }
    repo.write({ noise: noise.toString('latin1') });
    repo.commit('Noise');
    repo.git('repack', '-adfq', '--depth=40');
    expect(readFileSync(packIn(repo)).length).toBeGreaterThan(2_500_000);
    expectAllAsInGit(repo);
  });
});

/** The types of the entries in a pack. */
function kindsIn(repo: TempRepo): readonly number[] {
  const pack = readFileSync(packIn(repo));
  const places = repo.git('verify-pack', '-v', packIn(repo)).match(/^[0-9a-f]{40} .*$/gm) ?? [];
  return places.map((line) => ((pack[Number(line.trim().split(/\s+/)[4])] ?? 0) >> 4) & 7);
}

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { hashObject } from '../object-id.js';
import { commitChanges, fileOf, lay, open, packIn } from './objects.fixture.js';

const shared = cleanUpIn(afterAll);

function create(): TempRepo {
  return shared.add(TempRepo.create());
}

test.each([
  ['stored', { level: 0 }],
  ['with the fixed codes', { strategy: constants.Z_FIXED }],
  ['with codes of its own', { level: 9 }],
])('an object in a file is itself or refused when it is cut off or broken, %s', (_, how) => {
  const repo = create();
  const objects = open(repo);
  const bytes = Buffer.concat([
    Buffer.from('{ "name": "a", "version": "1.0.0", "dependencies": { "b": "*" } }'.repeat(6)),
    readFileSync(process.execPath).subarray(0, 300),
  ]);
  const id = lay(repo, bytes, how);
  const file = fileOf(repo, id);
  const whole = readFileSync(file);
  const isItselfOrRefused = (broken: Buffer): boolean => {
    writeFileSync(file, broken);
    try {
      return objects.read(id).content.equals(bytes);
    } catch {
      return true;
    }
  };
  for (let length = 0; length < whole.length; length++) expect(isItselfOrRefused(whole.subarray(0, length))).toBe(true);
  const flip = fc.tuple(fc.nat(whole.length * 8 - 1), fc.nat(whole.length * 8 - 1));
  fc.assert(
    fc.property(flip, (bits) => {
      const broken = Buffer.from(whole);
      for (const bit of bits) broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return isItselfOrRefused(broken);
    }),
    { numRuns: 3000 },
  );
  // What went wrong before must not stay behind.
  writeFileSync(file, whole);
  expect(objects.read(id).content.equals(bytes)).toBe(true);
});

test('an object in a pack is itself or refused when the pack is broken, in its deltas too', () => {
  const repo = create();
  commitChanges(repo, 5);
  repo.git('repack', '-adfq', '--depth=40', '--window=60');
  const ids = repo.git('rev-list', '--objects', '--no-object-names', '--all').split('\n') as ObjectId[];
  const pack = packIn(repo);
  const whole = readFileSync(pack);
  chmodSync(pack, 0o644);
  const damage = fc.record({ at: fc.integer({ min: 12, max: whole.length - 1 }), bit: fc.nat(7), id: fc.constantFrom(...ids) });
  fc.assert(
    fc.property(damage, ({ at, bit, id }) => {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] ?? 0) ^ (1 << bit);
      writeFileSync(pack, broken);
      try {
        const { type, content: read } = open(repo).read(id);
        return hashObject('sha1', type, read) === id;
      } catch {
        return true;
      }
    }),
    { numRuns: 1500 },
  );
});

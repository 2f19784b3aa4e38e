import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { type MergedTree, mergeTrees } from './merge-trees.js';

const cleanUp = cleanUpIn(afterEach);

interface Merged {
  readonly merged: MergedTree;
  readonly scratch: TempRepo;
  readonly read: (tree: ObjectId, name: string) => string;
}

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

async function merge(base: Files, ours: Files, theirs: Files): Promise<Merged> {
  const repo = cleanUp.add(TempRepo.create());
  const scratch = cleanUp.add(TempRepo.create({ bare: true }));
  const trees = [base, ours, theirs].map((files): ObjectId => {
    repo.git('rm', '-r', '--quiet', '--force', '--ignore-unmatch', '.');
    return repo.id(`${repo.commit('x', { files: { keep: '', ...files } })}^{tree}`);
  });
  const [from, one, other] = trees as [ObjectId, ObjectId, ObjectId];
  const sides = { base: from, ours: { tree: one, label: 'here' }, theirs: { tree: other, label: 'there' } };
  const alternates = [parseAbsolutePath(join(repo.path, '.git', 'objects'))];
  const merged = await mergeTrees(scratch.path, sides, { format: 'sha1', alternates });
  writeFileSync(join(scratch.path, 'objects', 'info', 'alternates'), `${alternates[0]}\n`);
  return { merged, scratch, read: (tree, name) => scratch.git('show', `${tree}:${name}`) };
}

test('a clean merge has what both sides have changed, and all of it is in packs', async () => {
  const { merged, scratch, read } = await merge({ a: LINES }, { a: LINES.replace('one', '1') }, { a: LINES.replace('five', '5') });
  expect(merged).toMatchObject({ outcome: 'clean', stages: [] });
  expect(read(merged.tree, 'a')).toBe(LINES.replace('one', '1').replace('five', '5').trimEnd());
  const inPacks = readdirSync(join(scratch.path, 'objects', 'pack')).filter((name) => name.endsWith('.idx'));
  const packed = inPacks.map((name) => scratch.git('verify-pack', '-v', join(scratch.path, 'objects', 'pack', name))).join('\n');
  expect(packed).toContain(`${merged.tree} tree`);
});

test('a conflict keeps both versions between marks, and names all three', async () => {
  const { merged, read } = await merge({ a: 'one\n' }, { a: 'mine\n' }, { a: 'yours\n' });
  expect(merged.outcome).toBe('conflicts');
  expect(read(merged.tree, 'a')).toBe('<<<<<<< here\nmine\n=======\nyours\n>>>>>>> there');
  expect(merged.stages.map(({ stage, mode, path }) => `${stage} ${mode} ${path}`)).toEqual(['1 100644 a', '2 100644 a', '3 100644 a']);
});

test('what only one side has changed or taken away is no conflict, nor are two sides that are alike', async () => {
  const { merged, read } = await merge({ a: 'a\n', b: 'b\n' }, { b: 'b\n' }, { a: 'a\n', b: 'c\n', d: 'd\n' });
  expect(merged.outcome).toBe('clean');
  expect([read(merged.tree, ''), read(merged.tree, 'b')]).toEqual([expect.not.stringMatching(/^a$/m), 'c']);
  expect((await merge({ a: 'a\n' }, { a: 'b\n' }, { a: 'b\n' })).merged).toMatchObject({ outcome: 'clean', stages: [] });
});

test('a tree that is not there fails', async () => {
  const scratch = cleanUp.add(TempRepo.create({ bare: true }));
  const none = 'ab'.repeat(20) as ObjectId;
  const sides = { base: none, ours: { tree: none, label: 'here' }, theirs: { tree: none, label: 'there' } };
  await expect(mergeTrees(scratch.path, sides, { format: 'sha1' })).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

import { expect } from '@jest/globals';
import { resolveNames } from '@tributary/git/objects';
import type { CommitId } from '@tributary/model/ids';
import { Dice } from '@tributary/test-repo/dice';
import fc from 'fast-check';
import { makeRandomSource, move, QUALIFIED, type RandomSource } from './moving.fixture.js';
import { listHistory } from './source-history.js';

const FOLDERS = [undefined, 'packages', 'packages/x', 'src/deep'] as const;

/**
 * Expects that a grown source is moved to the same commits as before, up to any earlier commit. Holds for random
 * histories with merges and tags, for the whole source or a folder of it, and for both strategies.
 */
export async function expectGrowthToKeepIds(runs: number): Promise<void> {
  const property = fc.asyncProperty(fc.nat(10_000_000), fc.integer({ min: 2, max: 60 }), async (seed, commits) => {
    const source = makeRandomSource({ seed, commits, kind: 'odd' });
    if (source === undefined) return;
    try {
      const history = await listHistory(source.git, [source.tip]);
      await expectSameIds(source, new Dice(seed).pick(history));
    } finally {
      source.repo.dispose();
    }
  });
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
}

async function expectSameIds(source: RandomSource, before: CommitId): Promise<void> {
  const reached = new Set(await listHistory(source.git, [before]));
  const targets = await resolveNames(
    source.git,
    source.tags.map(({ id }) => `${id}^{}`),
  );
  const tags = source.tags.filter((_, at) => reached.has(targets[at]?.id as CommitId));
  const whole = await move(source.git, { ...source, strategy: 'merge' });
  const part = await move(source.git, { tip: before, tags, strategy: 'merge' });
  expect(whole.tags).toEqual(expect.arrayContaining([...part.tags]));
  for (const subdirectory of FOLDERS) {
    const [old, now] = await resolveNames(
      source.git,
      [before, source.tip].map((commit) => `${commit}:${subdirectory ?? ''}`),
    );
    if (old?.type !== 'tree' || now?.type !== 'tree') continue;
    // No tree holds an empty tree, and no import begins with one.
    if ([old, now].some(({ id }) => source.repo.git('ls-tree', id) === '')) continue;
    const choice = { messages: QUALIFIED, ...(subdirectory === undefined ? {} : { subdirectory }) };
    const first = await move(source.git, { tip: before, tags, ...choice });
    const later = await move(source.git, { ...source, ...choice });
    expect(later.map?.get(before)).toBe(first.tip);
    expect([...(first.map ?? [])].filter(([id, image]) => later.map?.get(id) !== image)).toEqual([]);
    expect(later.tags).toEqual(expect.arrayContaining([...first.tags]));
    expect(source.repo.git('merge-base', first.tip, later.tip)).toBe(first.tip);
  }
}

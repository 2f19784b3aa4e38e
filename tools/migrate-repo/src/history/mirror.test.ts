import { expect, test } from '@jest/globals';
import { emptyTreeId, type GitObject, type ObjectFormat } from '@tributary/git/object-id';
import { ObjectWriter } from '@tributary/git/object-writer';
import { resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { parseRepoPath } from '@tributary/model/paths';
import { INNER_FOLDER } from '@tributary/test-repo/random-history';
import fc from 'fast-check';
import { listCommits, MirroredHistory } from './mirror.js';
import { makeRandomSource, move, QUALIFIED, type RandomSource } from './moving.fixture.js';
import { listHistory } from './source-history.js';

const path = parseRepoPath(INNER_FOLDER);
const ANY = fc.record({
  seed: fc.nat(1_000_000),
  commits: fc.integer({ min: 5, max: 60 }),
  format: fc.constantFrom<ObjectFormat>('sha1', 'sha1', 'sha256'),
  part: fc.nat(1000),
});

test('every commit of a folder stands for one that holds the same, and a history that is made in two steps is that which is made in one', async () => {
  const law = fc.asyncProperty(ANY, async ({ seed, commits, format, part }) => {
    await withSource({ seed, commits, kind: 'odd' }, { format, holding: INNER_FOLDER }, async ({ git, tip }) => {
      const place = { format, path, repository: undefined };
      const listed = await listCommits(git, [tip]);
      const whole = new MirroredHistory(place);
      const sink = new ObjectWriter(git, format);
      await whole.extend(git, listed, sink);
      await sink.finish();
      const cut = part % (listed.length + 1);
      const first = new MirroredHistory(place);
      await first.extend(git, listed.slice(0, cut), NOWHERE);
      const second = new MirroredHistory(place, first.images);
      await second.extend(git, listed.slice(cut), NOWHERE);
      expect([...second.images]).toEqual([...whole.images]);
      const empty = emptyTreeId(format);
      const held = await treesOf(listed.map(({ id }) => `${id}:${path}`));
      const made = await treesOf(listed.map(({ id }) => `${whole.images.get(id) ?? '0'}^{tree}`));
      expect(made.map((id) => id ?? empty)).toEqual(held.map((id) => id ?? empty));
      expect((await git.attempt(['fsck', '--connectivity-only', '--no-dangling'])).exit).toBeLessThan(2);

      async function treesOf(names: readonly string[]): Promise<(ObjectId | undefined)[]> {
        return (await resolveNames(git, names)).map((found) => (found?.type === 'tree' ? found.id : undefined));
      }
    });
  });
  await fc.assert(law, { numRuns: 8 });
});

test('every imported commit gets the id back that it had, and is made again to the byte', async () => {
  const law = fc.asyncProperty(ANY, async ({ seed, commits, format }) => {
    await withSource({ seed, commits, kind: 'odd' }, { format }, async (source) => {
      const moved = await move(source.git, { ...source, format, messages: seed % 2 === 0 ? 'exact' : QUALIFIED });
      const history = new MirroredHistory({ format, path: moved.planned.path, repository: undefined });
      const objects: GitObject[] = [];
      const sink = { add: async (object: GitObject) => void objects.push(object), finish: async () => {} };
      const ids = await listHistory(source.git, [...new Set(moved.map?.values())]);
      await history.restore(source.git, { format, path: moved.planned.path, messages: moved.planned.messages }, ids, sink);
      expect(objects.map(({ id }) => id).sort()).toEqual([...moved.sourceCommits].sort());
      expect([...history.images].map(([id, original]) => [original, id]).sort()).toEqual([...(moved.map ?? [])].sort());
    });
  });
  await fc.assert(law, { numRuns: 5 });
});

const NOWHERE = { add: async () => {}, finish: async () => {} };

async function withSource(
  plan: Parameters<typeof makeRandomSource>[0],
  options: Parameters<typeof makeRandomSource>[1],
  work: (source: RandomSource) => Promise<void>,
): Promise<void> {
  const source = makeRandomSource(plan, options);
  if (source === undefined) return;
  try {
    await work(source);
  } finally {
    source.repo.dispose();
  }
}

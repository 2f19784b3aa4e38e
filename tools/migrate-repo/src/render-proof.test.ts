import { expect, test } from '@jest/globals';
import { renderProof, renderProofs } from './render-proof.js';
import type { VerifyResult } from './result.js';

const ID = 'ab12'.repeat(10);

const proof: VerifyResult = {
  schemaVersion: 1,
  name: 'left-pad',
  path: 'packages/left-pad',
  source: 'https://example.com/acme/left-pad',
  sourceCommit: ID,
  ref: 'HEAD',
  refCommit: 'cd'.repeat(20),
  merge: 'ef'.repeat(20),
  mergedBy: '98'.repeat(20),
  contained: 'merged',
  branch: null,
  movedTo: null,
  method: 'inverse',
  fetched: null,
  commits: 1204,
  merges: 1,
  authors: 17,
  tags: { recorded: 2, here: 2, state: 'proven' },
};

test('a proof', () => {
  expect(`\n${renderProof(proof)}`).toBe(`
left-pad in packages/left-pad, from https://example.com/acme/left-pad
HEAD (cdcdcdcdcd) contains it: import efefefefef, merged by 9898989898.
Undoing the move of 1204 commits gives the source's last commit, ab12ab12ab: every tree, author, date and message is what it was.
1 merge, 17 authors; 2 tags, the very ones that came.
Compared with the import record alone, not with the source: --refetch asks it.`);
});

const fetched = { source: 'https://example.com/acme/left-pad', ref: 'refs/heads/trunk' };

test.each<[Partial<VerifyResult>, string]>([
  [
    { method: 'ancestor', commits: 1 },
    "The source's history (1 commit) is here under its own ids, and packages/left-pad holds what its last commit holds.",
  ],
  [{ method: 'moved again' }, 'Fetching and moving the source again gives the same history (1204 commits).'],
  [
    { method: 'found again' },
    "The source's history (1204 commits) is here under its own ids, and the source still has its last commit, ab12ab12ab.",
  ],
  [{ method: 'recorded' }, 'The history (1204 commits) is the one that the import record names.'],
  [{ tags: { recorded: 2, here: 1, state: 'incomplete' } }, '1 merge, 17 authors; 1 of its 2 tags in this clone.'],
  [{ tags: { recorded: 2, here: 0, state: 'not in this clone' } }, '1 merge, 17 authors; none of its 2 tags in this clone.'],
  [{ tags: { recorded: 0, here: 0, state: 'none recorded' } }, '1 merge, 17 authors; no tags came with it.'],
  [{ movedTo: 'libs/pad' }, 'HEAD (cdcdcdcdcd) contains it: import efefefefef, merged by 9898989898. Its folder is libs/pad now.'],
  [
    { contained: 'on its line', mergedBy: null, ref: 'cdcdcdc' },
    'cdcdcdcdcd contains it: import efefefefef, on the line of cdcdcdc itself.',
  ],
  [
    { contained: 'branch of the migration', mergedBy: null, ref: 'migrate/x', branch: 'migrate/x' },
    'migrate/x (cdcdcdcdcd) contains it: import efefefefef, not merged yet: it is the branch of the migration.',
  ],
  [
    { contained: 'branch of the migration', mergedBy: null, branch: 'migrate/x' },
    'HEAD (cdcdcdcdcd) contains it: import efefefefef, not merged yet: migrate/x is the branch of the migration.',
  ],
  [{ fetched: { ...fetched, state: 'recorded' } }, 'Compared with the source: trunk of https://example.com/acme/left-pad.'],
  [
    { fetched: { ...fetched, state: 'renamed' } },
    'Compared with the source: trunk of https://example.com/acme/left-pad, its default branch now; the recorded one is gone.',
  ],
])('a proof with %j', (change, line) => {
  expect(renderProof({ ...proof, ...change }).split('\n')).toContain(line);
});

test('the proofs of all imports, and what is wrong', () => {
  const at = { schemaVersion: 1, ref: 'main', refCommit: 'cd'.repeat(20) } as const;
  const lost = {
    name: 'ui',
    code: 'PROOF_MISSING',
    message: 'main has the files of ui without their history.',
    hint: 'Merge it.',
  } as const;
  expect(`\n${renderProofs({ ...at, proven: [proof], removed: [], failed: [lost, { ...lost, name: null, hint: null }] })}`).toBe(`
left-pad  packages/left-pad, 1204 commits, merged by 9898989898, proof: inverse

main has the files of ui without their history. [PROOF_MISSING]
  hint: Merge it.
main has the files of ui without their history. [PROOF_MISSING]

main (cdcdcdcdcd): 1 import proven, 2 not.`);
  expect(renderProofs({ ...at, proven: [], removed: [], failed: [] })).toBe('main (cdcdcdcdcd) contains no import.');
  const removed = [{ name: 'left-pad', path: 'packages/left-pad', merge: 'ef'.repeat(20), by: '12'.repeat(20) }];
  expect(`\n${renderProofs({ ...at, proven: [proof], removed, failed: [] })}`).toBe(`
left-pad  packages/left-pad, 1204 commits, merged by 9898989898, proof: inverse

left-pad  packages/left-pad is no longer there: 1212121212 took it away. Its history is still contained.

main (cdcdcdcdcd): 1 import proven, 0 not; the folder of 1 is gone.`);
});

import { expect, test } from '@jest/globals';
import { renderProof, renderProofs } from './render-proof.js';
import type { VerifyResult } from './result/import-result.js';

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
Proof: reversing the rewrite of 1204 commits reproduces the source's last commit, ab12ab12ab. Trees, authors, dates and messages are intact.
1 merge, 17 authors; 2 tags, unchanged.
Compared only with the import record. To compare with the source, add --refetch. Nothing was changed.`);
});

const fetched = { source: 'https://example.com/acme/left-pad', ref: 'refs/heads/trunk' };

test.each<[Partial<VerifyResult>, string]>([
  [
    { method: 'ancestor', commits: 1 },
    "Proof: the source's history (1 commit) is here with its original ids, and packages/left-pad has the files of its last commit.",
  ],
  [{ method: 'moved again' }, 'Proof: fetching and rewriting the source again gives the same history (1204 commits).'],
  [
    { method: 'found again' },
    "Proof: the source's history (1204 commits) is here with its original ids, and the source still has its last commit, ab12ab12ab.",
  ],
  [{ method: 'recorded' }, 'Proof: the history (1204 commits) matches the import record.'],
  [{ tags: { recorded: 2, here: 1, state: 'incomplete' } }, '1 merge, 17 authors; 1 of its 2 tags in this clone.'],
  [{ tags: { recorded: 2, here: 0, state: 'not in this clone' } }, '1 merge, 17 authors; none of its 2 tags in this clone.'],
  [{ tags: { recorded: 0, here: 0, state: 'none recorded' } }, '1 merge, 17 authors; no tags were imported.'],
  [{ movedTo: 'libs/pad' }, 'HEAD (cdcdcdcdcd) contains it: import efefefefef, merged by 9898989898. Its folder is now libs/pad.'],
  [{ contained: 'on its line', mergedBy: null, ref: 'cdcdcdc' }, 'cdcdcdcdcd contains it: import efefefefef, on cdcdcdc itself.'],
  [
    { contained: 'branch of the migration', mergedBy: null, ref: 'migrate/x', branch: 'migrate/x' },
    'migrate/x (cdcdcdcdcd) contains it: import efefefefef, not merged yet: it is the branch of the migration.',
  ],
  [
    { contained: 'branch of the migration', mergedBy: null, branch: 'migrate/x' },
    'HEAD (cdcdcdcdcd) contains it: import efefefefef, not merged yet: migrate/x is the branch of the migration.',
  ],
  [
    { fetched: { ...fetched, state: 'recorded' } },
    'Compared with the source: trunk of https://example.com/acme/left-pad. Nothing was changed.',
  ],
  [
    { fetched: { ...fetched, state: 'renamed' } },
    'Compared with the source: trunk of https://example.com/acme/left-pad, now its default branch; the recorded one no longer exists. Nothing was changed.',
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

Compared with their import records only. To compare with the sources, add --refetch. Nothing was changed.
main (cdcdcdcdcd): 1 import proven, 2 not.`);
  const again = { ...proof, fetched: { ...fetched, state: 'recorded' } } as const;
  expect(renderProofs({ ...at, proven: [again], removed: [], failed: [] })).toContain(
    '\nCompared with their import records and their sources. Nothing was changed.\n',
  );
  expect(renderProofs({ ...at, proven: [again, proof], removed: [], failed: [] })).toContain(
    '\nCompared with their import records, 1 of them also with the source. Nothing was changed.\n',
  );
  expect(renderProofs({ ...at, proven: [], removed: [], failed: [] })).toBe('main (cdcdcdcdcd) contains no import.');
  const removed = [{ name: 'left-pad', path: 'packages/left-pad', merge: 'ef'.repeat(20), by: '12'.repeat(20) }];
  expect(`\n${renderProofs({ ...at, proven: [proof], removed, failed: [] })}`).toBe(`
left-pad  packages/left-pad, 1204 commits, merged by 9898989898, proof: inverse

left-pad  packages/left-pad no longer exists: 1212121212 removed it. Its history is still contained.

Compared with their import records only. To compare with the sources, add --refetch. Nothing was changed.
main (cdcdcdcdcd): 1 import proven, 0 not; the folder of 1 is gone.`);
});

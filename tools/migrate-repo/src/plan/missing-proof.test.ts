import { expect, test } from '@jest/globals';
import type { CommitId, RefName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { missingProof, type UnprovenImport } from './missing-proof.js';

const by = 'ab'.repeat(20) as CommitId;
const record = { package: 'pad', path: 'packages/pad' } as ImportRecord;
const LOST: UnprovenImport = { record, branch: undefined, state: { kind: 'squashed', by }, together: ['packages/pad'] };
const REF = { name: 'main', head: 'cd'.repeat(20) };
const branch = 'refs/heads/migrate/pad' as RefName;

function say(change: Partial<UnprovenImport>, ref = REF): string {
  const { code, message, hint } = missingProof({ ...LOST, ...change }, ref);
  expect(code).toBe('PROOF_MISSING');
  return `${message}\n${hint}`;
}

test('what was lost, and how to get it back', () => {
  expect(say({ branch })).toBe(
    'main (cdcdcdcdcd) has the files of pad without their history: it was squashed into ababababab.\n' +
      'migrate/pad still has the history. To get it here, remove packages/pad in a separate commit ("git rm -r packages/pad"), then merge that branch with a merge commit: git merge --no-ff migrate/pad',
  );
  expect(say({ branch, together: ['a', 'b', 'c'] })).toContain('remove a, b and c in a separate commit ("git rm -r a b c")');
  expect(say({})).toMatch(/^.*\nNo branch of this clone has the history\. .* run the migration again, and merge it with a merge commit\.$/);
  expect(say({ branch, state: { kind: 'rewritten', by } })).toMatch(/on the old commits.* run the migration again\.$/);
});

test.each<[Partial<UnprovenImport>, string]>([
  [{ state: { kind: 'rebased', by } }, 'it was rebased, from ababababab on'],
  [{ state: { kind: 'copied', by } }, 'its files were added by ababababab'],
  [{ state: { kind: 'waiting' }, branch }, 'main (cdcdcdcdcd) does not contain the import of pad: it is only on migrate/pad.'],
  [{ state: { kind: 'waiting' }, branch: 'refs/remotes/fork/x' as RefName }, 'it is only on fork/x, a remote branch.'],
  [{ state: { kind: 'removed', by } }, 'but ababababab removed packages/pad.'],
  [{ state: { kind: 'replaced', by } }, 'but the files in packages/pad were added by ababababab, which is not an import.'],
])('%j', (change, words) => {
  expect(say(change)).toContain(words);
});

test('a commit that is named by its id is named once, and the data say all of it', () => {
  expect(say({}, { ...REF, name: 'cdcdcd' })).toMatch(/^cdcdcdcdcd has the files/);
  expect(missingProof({ ...LOST, branch }, REF).data).toEqual({
    name: 'pad',
    path: 'packages/pad',
    ref: 'main',
    commit: REF.head,
    state: 'squashed',
    by,
    branch: 'migrate/pad',
  });
});

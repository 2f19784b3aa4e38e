import { expect, test } from '@jest/globals';
import type { RawChange } from '@tributary/git/parse';
import type { CommitId } from '@tributary/model/ids';
import { revertsOf, wholeReverts } from './reverts.js';

const ID = 'a'.repeat(40);

function reverted(subject: string, message = subject): string | undefined {
  const commits = [
    [ID, 'Add it (#7)'],
    ['b', 'Merge pull request #8 from acme/side'],
    ['c', 'Add it (#9)'],
    ['r', subject],
  ].map(([id = '', text = '']) => ({ id: id as CommitId, subject: text }));
  return revertsOf(commits, { messageOf: () => message, isOwn: (repository) => repository === 'acme/ui' }).get('r' as CommitId);
}

test.each([
  ['Revert "Add it (#7)"', `\n\nThis reverts commit ${ID}.`, ID],
  ['Revert "side" (#10)', '\n\nReverts acme/ui#8', 'b'],
  ['Revert "Something" (#10)', '\n\nReverts #7', ID],
  ['Revert "Add it" (#10)', '\n\nReverts other/ui#7', undefined],
  ['Merge pull request #10 from acme/revert-8-side', '\n\nRevert "side"', 'b'],
  ['Revert "Add it" (#10)', '', 'c'],
  ['revert: drop it', `\n\nThis reverts commit ${ID}.`, ID],
  ['Reapply "Add it"', `\n\nThis reverts commit ${ID}.`, ID],
  ['Revert "Never seen"', '', undefined],
  ['Revert "Inside"', `\n\nThis reverts commit ${'f'.repeat(40)}.`, undefined],
  ['Revert two', `\n\nThis reverts commit ${ID}.\nThis reverts commit ${'f'.repeat(40)}.`, undefined],
  ['Reverting is now possible', `\n\nThis reverts commit ${ID}.`, undefined],
])('%s%s reverts %s', (subject, body, expected) => {
  expect(reverted(subject, subject + body)).toBe(expected);
});

test.each([
  ['every file, as it was', 'a 2 1,b 1 0', ['r']],
  ['only one of the files', 'a 2 1', []],
  ['every file, one of them to something else', 'a 2 3,b 1 0', []],
  ['every file, and another one', 'a 2 1,b 1 0,c 0 1', []],
])('a revert that takes back %s', (_, undoing, expected) => {
  const changes = (text: string): RawChange[] =>
    text.split(',').map((line) => {
      const [path = '', oldId = '', newId = ''] = line.split(' ');
      return { path, oldId, newId, oldMode: '100644', newMode: '100644' };
    });
  const reverts = new Map([['r' as CommitId, 'a' as CommitId]]);
  const whole = wholeReverts(reverts, (commit) => changes(commit === 'r' ? undoing : 'a 1 2,b 0 1'));
  expect([...whole.keys()]).toEqual(expected);
});

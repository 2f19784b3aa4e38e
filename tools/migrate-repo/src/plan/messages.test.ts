import { expect, test } from '@jest/globals';
import { type CommitId, parseWorkspaceName } from '@tributary/model/ids';
import { type ImportRecord, parseImportRecord } from '@tributary/model/import-record';
import { parseRepoPath } from '@tributary/model/paths';
import { cleanUpMessage, mergeMessage, moveMessage, registerMessage } from './messages.js';

const RECORD: ImportRecord = {
  package: parseWorkspaceName('@acme/ui'),
  path: parseRepoPath('packages/ui'),
  source: 'https://example.com/ui.git',
  sourceRef: 'refs/heads/main',
  sourceCommit: '1'.repeat(40) as CommitId,
  subdirectory: undefined,
  strategy: 'rewrite',
  messages: 'exact',
  signatures: 'keep',
  tags: undefined,
  importedTip: '2'.repeat(40) as CommitId,
};

test.each<[string, Partial<ImportRecord>, RegExp]>([
  [
    'a rewritten history',
    {},
    /^From https:\/\/example\.com\/ui\.git\. History: 12 commits, rewritten to have always lived under packages\/ui\. Messages and headers are unchanged\.$/m,
  ],
  [
    'a history whose messages are not exact',
    { messages: { repository: { name: 'acme/ui', forge: 'other' } }, signatures: 'moved' },
    / In messages, references name acme\/ui, closing words and mentions are broken, and commit ids are those of the new commits\. Original messages/m,
  ],
  ['a joined history', { strategy: 'merge' }, / History: 12 commits, under their own ids; one more moves all files to packages\/ui\.$/m],
  ['a folder of a repository', { subdirectory: parseRepoPath('libs/ui') }, /^From libs\/ui of https:\/\/example\.com\/ui\.git\. History/m],
])('the merge commit of %s says what was done, and its record is read back', (_title, change, sentence) => {
  const record = { ...RECORD, ...change };
  const message = mergeMessage(record, 12);
  expect(message).toMatch(/^Bring @acme\/ui into packages\/ui, with its history\n\n/);
  expect(message.replaceAll(/(?<!\n)\n(?!\n)/g, ' ')).toMatch(sentence);
  expect(parseImportRecord(message)).toEqual(record);
});

test('every message is a subject, an empty line, a body, and one newline at its end', () => {
  const messages = [
    mergeMessage(RECORD, 1),
    moveMessage(RECORD.path),
    cleanUpMessage('x', [{ path: 'yarn.lock', reason: 'a reason' }]),
    registerMessage('x', RECORD.path),
  ];
  for (const message of messages) expect(message).toMatch(/^[A-Z][^\n]{10,90}[^.\n]\n\n[^\n](.*\n)*.*[^\n]\n$/);
});

test('the clean-up names each path with its reason', () => {
  const removals = [
    { path: '.yarnrc.yml', reason: 'one' },
    { path: 'yarn.lock', reason: 'two' },
  ];
  expect(cleanUpMessage('x', removals)).toBe('Remove files of x that would override the root\n\n- .yarnrc.yml: one\n- yarn.lock: two\n');
});

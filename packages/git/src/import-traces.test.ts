import { afterEach, describe, expect, test } from '@jest/globals';
import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { formatImportRecord, type ImportRecord } from '@tributary/model/import-record';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { plumbing } from './git.js';
import { quotedRecords, searchImportTraces } from './import-traces.js';

const repos: TempRepo[] = [];
afterEach(() => {
  for (const repo of repos.splice(0)) repo.dispose();
});

const record = (name: string, tip: string): ImportRecord => ({
  package: name as WorkspaceName,
  path: `packages/${name}` as RepoPath,
  source: `https://host.example/acme/${name}`,
  sourceRef: 'refs/heads/main',
  sourceCommit: '1'.repeat(40) as CommitId,
  subdirectory: undefined,
  strategy: 'rewrite',
  messages: 'exact',
  signatures: 'keep',
  tags: { count: 1, marks: 'AAAAAAAAAAAAAA', pattern: '{name}@{version}' },
  importedTip: tip as CommitId,
});

const A = record('a', 'a'.repeat(40));
const B = record('b', 'b'.repeat(40));
const messageOf = (one: ImportRecord): string => `Bring ${one.package}\n\nProse.\n\n${formatImportRecord(one)}`;
const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

describe('the records that a message quotes', () => {
  test.each([
    ['its own', `${messageOf(A)}\n`, [A]],
    [
      'those that git merge --squash lists',
      `Squashed commit of the following:\n\ncommit ${A.importedTip}\n\n${indent(messageOf(A))}\n\ncommit x\n\n${indent(messageOf(B))}\n`,
      [A, B],
    ],
    [
      'those that a forge lists',
      `Move (#7)\n\n* ${messageOf(A)}\n\n* Take away what would hijack a\n\n* ${messageOf(B)}\n\n---------\n\nCo-authored-by: X <x@example.com>\n`,
      [A, B],
    ],
    ['with line breaks of Windows', `${messageOf(A)}\n\nMore\n`.replaceAll('\n', '\r\n'), [A]],
    ['none in prose', 'Say what the trailer `Tributary-Import: 1` is for\n', []],
    ['none of an unknown version', `${messageOf(A).replace('Import: 1', 'Import: 99')}\n`, []],
    ['none that is cut off', `${messageOf(A).split('\nTributary-Imported-Tip')[0]}\n`, []],
  ] as const)('%s', (_title, message, expected) => {
    expect(quotedRecords(message)).toEqual(expected);
  });

  test('one whose marks of tags were wrapped, without them', () => {
    const wrapped = messageOf(A).replace('Tributary-Tags: 1 AAAAAA', 'Tributary-Tags: 1\nAAAAAA');
    expect(quotedRecords(wrapped)).toEqual([{ ...A, tags: undefined }]);
  });
});

test('traces are commits that tell of an import, and the import itself is none', async () => {
  const repo = TempRepo.create();
  repos.push(repo);
  const git = plumbing(`${repo.path}/.git` as AbsolutePath);
  repo.commit('Start', { files: { 'a.txt': '' } });
  repo.branch('source');
  repo.checkout('source');
  const tip = repo.commit('Theirs', { files: { 'b.txt': '' } });
  repo.checkout('main');
  const real = record('real', tip);
  repo.merge('source', messageOf(real));
  const quoting = repo.commit(`Squash\n\n* ${messageOf(A)}\n\n* ${messageOf(real)}\n`);
  const made = repo.commit('Take away\n\nTributary-Made: 0123456789abcdef a @acme/b\n');
  repo.commit('Something else, after Tributary-Made: 01 x');
  expect(await searchImportTraces(git, ['main'])).toEqual([
    { commit: made, quoted: [], madeFor: ['a', '@acme/b'] },
    { commit: quoting, quoted: [A, real], madeFor: [] },
  ]);
  expect(await searchImportTraces(git, ['main', `^${quoting}`])).toEqual([{ commit: made, quoted: [], madeFor: ['a', '@acme/b'] }]);
});

import { describe, expect, test } from '@jest/globals';
import type { CommitId, ObjectId, WorkspaceName } from '@tributary/model/ids';
import { formatImportRecord, isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import type { RepoPath } from '@tributary/model/paths';
import fc from 'fast-check';
import { isAsMade, type MadeCommit, markMade } from './made-mark.js';

const COMMITTER = 'committer Ben <ben@example.com> 1700000000 +0000';
const id = fc.stringMatching(/^[0-9a-f]{40}$/).map((text) => text as ObjectId);
const line = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll(/[\0\n\r]/g, ' '));
const person = line.map((name) => `${name.replaceAll(/[<>]/g, '')} <x@example.com> 1600000000 +0100`);
const made: fc.Arbitrary<MadeCommit> = fc.record({
  tree: id,
  parents: fc.array(id, { maxLength: 3 }),
  author: person,
  message: fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n\n')}\n`),
});

/** Formats a commit object with these headers between committer and message. */
function format({ tree, parents, author }: MadeCommit, message: string, headers = ''): Buffer {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${author}`, `${COMMITTER}${headers}`];
  return Buffer.from(`${lines.join('\n')}\n\n${message}`);
}

describe('the mark of a commit', () => {
  test('holds for what was made, whoever signs it', () => {
    fc.assert(
      fc.property(made, (one) => {
        const message = markMade(one, ['x', '@acme/y']);
        expect(isAsMade(format(one, message))).toBe(true);
        expect(isAsMade(format(one, message, '\ngpgsig -----BEGIN\n  x\n -----END'))).toBe(true);
      }),
    );
  });

  test('does not hold for another tree, parent, author or message', () => {
    fc.assert(
      fc.property(made, made, (one, other) => {
        const message = markMade(one, ['x']);
        const changes = [{ tree: other.tree }, { parents: other.parents }, { author: other.author }].map((change) => ({
          ...one,
          ...change,
        }));
        for (const change of changes) expect(isAsMade(format(change, message))).toBe(JSON.stringify(change) === JSON.stringify(one));
        expect(isAsMade(format(one, `More\n\n${message}`))).toBe(false);
        expect(isAsMade(format(one, `${message}\nMore\n`))).toBe(false);
        expect(isAsMade(format(one, one.message))).toBe(false);
      }),
    );
  });

  test('leaves an import record readable', () => {
    const record = formatImportRecord({
      package: 'x' as WorkspaceName,
      path: 'packages/x' as RepoPath,
      source: '/x',
      sourceRef: 'refs/heads/main',
      sourceCommit: '1'.repeat(40) as CommitId,
      subdirectory: undefined,
      strategy: 'rewrite',
      messages: 'exact',
      signatures: 'keep',
      tags: undefined,
      importedTip: '2'.repeat(40) as CommitId,
    });
    const message = `Bring x\n\n${record}\n`;
    const read = parseImportRecord(markMade({ tree: '3'.repeat(40) as ObjectId, parents: [], author: 'A', message }, ['x']));
    expect(read !== undefined && isReadableRecord(read)).toBe(true);
  });
});

import { expect, test } from '@jest/globals';
import type { SyncResult } from '../result/result.js';
import { formatSyncReport } from './sync-report.js';

const result: SyncResult = {
  schemaVersion: 1,
  state: 'synced',
  compared: { by: 'fetched', tags: 3 },
  name: 'left-pad',
  path: 'packages/left-pad',
  source: 'https://example.com/acme/left-pad',
  sourceRef: 'refs/heads/main',
  from: 'a1'.repeat(20),
  to: 'b2'.repeat(20),
  previousTip: 'c3'.repeat(20),
  importedTip: 'd4'.repeat(20),
  strategy: 'rewrite',
  commits: 2,
  branch: 'sync/left-pad',
  base: 'e5'.repeat(20),
  tip: 'f6'.repeat(20),
  merge: 'f7'.repeat(20),
  tags: ['left-pad@1.2.0'],
  movedTags: ['left-pad@1.0.0'],
  conflicts: [],
  changed: { inside: 3, outside: ['yarn.lock'] },
  worktree: null,
  alignment: [],
  proof: { method: 'inverse', commits: 9, merges: 0, authors: 1, tags: 3, importedTip: 'd4'.repeat(20) },
  warnings: ['Review it.'],
  milliseconds: 1,
};

test('a report says what came, what was compared and changed, and what to run', () => {
  expect(formatSyncReport(result)).toBe(`# New commits of left-pad

- **Came**: 2 new commits and 1 new tag, \`a1a1a1a1a1a1..b2b2b2b2b2b2\` of \`https://example.com/acme/left-pad\`.
- **Compared**: the fetched history and 3 tags of the source, rewritten again, with what was imported.
- **Breaks**: nothing was found.
- **Decide**: no open decision was found.
- **Changed**: 3 files in packages/left-pad, and outside of it yarn.lock.
- **Run**: \`git switch sync/left-pad\`, \`yarn install\` and its tests; then merge with a merge commit, because squashing or rebasing would destroy the new history.

No open decision was found.

<details><summary>What was changed, and the proof</summary>

## New tags

- \`left-pad@1.2.0\`

## Tags that the source moved, unchanged here

- \`left-pad@1.0.0\`

## Changed files outside of the package

- \`yarn.lock\`

## Warnings

- Review it.

## Proof

- **left-pad**: 9 commits, old and new, 3 tags; reversing the rewrite of every commit reproduced the commit ids of the source

</details>
`);
});

test.each<[string, Partial<SyncResult>, string[]]>([
  [
    'nothing new',
    { state: 'nothing new', compared: { by: 'announced', tags: 3 }, branch: null },
    [
      '- **Came**: nothing new of left-pad, `a1a1a1a1a1a1` of `https://example.com/acme/left-pad`.',
      '- **Compared**: the branch and 3 tags of the source with those of the last import, by id. Nothing was fetched.',
      '- **Run**: nothing.',
    ],
  ],
  [
    'tags that were not compared',
    { state: 'nothing new', compared: { by: 'announced', tags: null } },
    ['- **Compared**: the branch of the source with that of the last import, by id. Nothing was fetched. Tags were not compared.'],
  ],
  ['a dry run', { state: 'planned' }, ['- **Run**: the same command without `--dry-run`.']],
  [
    'conflicts',
    { state: 'conflicts', conflicts: ['packages/left-pad/x.js'], worktree: '/mono-sync', alignment: null, changed: null },
    [
      '- **Conflicts**: `packages/left-pad/x.js`',
      '- **Run**: resolve and commit them in `/mono-sync`, then `migrate-repo sync left-pad --continue`.',
    ],
  ],
])('a report of %s', (_, change, lines) => {
  const report = formatSyncReport({ ...result, ...change }).split('\n');
  for (const line of lines) expect(report).toContain(line);
});

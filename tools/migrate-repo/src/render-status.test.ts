import { expect, test } from '@jest/globals';
import type { TerminalStyle } from './render.js';
import { hintForStatus, renderStatus } from './render-status.js';
import type { ImportStatus, StatusResult } from './result/import-result.js';

const ID = 'ab12'.repeat(10);
const BY = 'cd'.repeat(20);
const PAGE: TerminalStyle = { width: 80, bold: (text) => text };
const NOTHING: StatusResult = { schemaVersion: 1, extent: 'whole', imports: [], openSyncs: [], orphans: [], unreadable: [] };

const status: ImportStatus = {
  name: 'left-pad',
  path: 'packages/left-pad',
  source: 'https://example.com/acme/left-pad',
  sourceRef: 'refs/heads/main',
  sourceCommit: ID,
  strategy: 'rewrite',
  merge: ID,
  mergedBy: ID,
  branch: null,
  state: 'merged',
  by: null,
  movedTo: null,
  askedRef: null,
  news: { state: 'none' },
};

test('the status', () => {
  const imports: ImportStatus[] = [
    { ...status, name: 'a', path: 'packages/a', news: { state: 'commits', count: 1, tip: ID } },
    { ...status, name: 'b', path: 'packages/b', news: { state: 'commits', count: 12, tip: ID }, askedRef: 'refs/heads/trunk' },
    {
      ...status,
      name: 'c',
      path: 'packages/c',
      mergedBy: null,
      state: 'waiting',
      branch: 'migrate/c',
      news: { state: 'rewritten', tip: ID },
    },
    { ...status, mergedBy: null },
    { ...status, news: { state: 'unknown', why: 'https://example.com/acme/left-pad could not be read: not found' } },
  ];
  expect(`\n${renderStatus({ ...NOTHING, imports }, PAGE)}`).toBe(`
a  packages/a, merged by ab12ab12ab
  1 new commit since ab12ab12ab of main, https://example.com/acme/left-pad
b  packages/b, merged by ab12ab12ab
  12 new commits since ab12ab12ab of main (trunk now), https://example.com/acme/left-pad
c  packages/c, on branch migrate/c, not merged
  rewritten: it no longer contains ab12ab12ab of main, https://example.com/acme/left-pad
left-pad  packages/left-pad
  nothing new since ab12ab12ab of main, https://example.com/acme/left-pad
left-pad  packages/left-pad, merged by ab12ab12ab
  unknown whether there is anything new since ab12ab12ab of main, https://example.com/acme/left-pad: https://example.com/acme/left-pad could not be read: not found`);
});

test('a sync that waits for a person, and what comes next', () => {
  const open = { name: 'left-pad', branch: 'sync/left-pad', worktree: '/x/conflict', state: 'conflicts' } as const;
  const openSyncs = [open, { ...open, branch: 'release/left-pad-1', state: 'committed' as const }];
  expect(`\n${renderStatus({ ...NOTHING, imports: [status], openSyncs }, PAGE)}`).toBe(`
left-pad  packages/left-pad, merged by ab12ab12ab
  nothing new since ab12ab12ab of main, https://example.com/acme/left-pad
left-pad  a sync with conflicts is open on sync/left-pad
  resolve and commit them in /x/conflict, then: migrate-repo sync left-pad --continue
left-pad  a sync is not finished on release/left-pad-1: its conflicts are resolved
  continue with: migrate-repo sync left-pad --continue --branch release/left-pad-1`);
});

test('the hint names imports with new commits, but none whose sync is open', () => {
  const grown = { ...status, news: { state: 'commits', count: 1, tip: BY } } as const;
  const open = { name: grown.name, branch: 'sync/left-pad', worktree: '/x', state: 'conflicts' } as const;
  const hintOf = (more: Partial<StatusResult>): string | undefined => hintForStatus({ ...NOTHING, ...more });
  expect(hintOf({ imports: [grown] })).toBe('Import the new commits with "migrate-repo sync left-pad".');
  expect(hintOf({ imports: [grown, { ...grown, name: 'a' }] })).toContain('sync <package>"');
  expect([hintOf({ imports: [status] }), hintOf({ imports: [grown], openSyncs: [open] })]).toEqual([undefined, undefined]);
});

const lost = { mergedBy: null, by: BY };

test.each<[Partial<ImportStatus>, string]>([
  [{ movedTo: 'libs/pad' }, ', merged by ab12ab12ab, now in libs/pad'],
  [{ state: 'removed', by: BY }, ', merged by ab12ab12ab, removed by cdcdcdcdcd'],
  [{ state: 'superseded', by: BY }, ', merged by ab12ab12ab, imported again by cdcdcdcdcd'],
  [{ state: 'replaced', by: BY }, ', merged by ab12ab12ab, but its files were added by cdcdcdcdcd, which is not an import'],
  [
    { ...lost, state: 'squashed', branch: 'migrate/left-pad' },
    ': it was squashed into cdcdcdcdcd, so its history is lost; migrate/left-pad still has it',
  ],
  [{ ...lost, state: 'rebased' }, ': it was rebased, from cdcdcdcdcd on, so its history is lost; no branch here has it'],
  [
    { ...lost, state: 'rewritten' },
    ': it was rewritten: cdcdcdcdcd merges other commits than the imported ones, so its history is lost; no branch here has it',
  ],
  [{ ...lost, state: 'copied' }, ': its files were added by cdcdcdcdcd, so its history is lost; no branch here has it'],
])('one that is %j', (change, place) => {
  const [line] = renderStatus({ ...NOTHING, imports: [{ ...status, ...change }] }, PAGE).split('\n');
  expect(line).toBe(`left-pad  packages/left-pad${place}`);
});

test('of what followed an import that is not there', () => {
  expect(renderStatus({ ...NOTHING, orphans: [{ name: 'left-pad', commit: BY }] }, PAGE)).toBe(
    'left-pad  history lost: cdcdcdcdcd followed its import, but HEAD does not contain the import',
  );
});

test('of a monorepo without imports', () => {
  expect(renderStatus(NOTHING, PAGE)).toBe('No package was migrated into this repository yet.');
});

test('nothing is cut', () => {
  const page = { ...PAGE, width: Number.POSITIVE_INFINITY };
  const imports = [{ ...status, state: 'waiting', branch: 'migrate/left-pad-and-30-more' } as const];
  expect(renderStatus({ ...NOTHING, imports }, page)).not.toContain('…');
});

import { describe, expect, test } from '@jest/globals';
import { type Page, renderAnswer } from './render.js';
import type { AffectedResult, AffectedWorkspace } from './result.js';

const ID = '0123456789abcdef0123456789abcdef01234567';
const PAGE: Page = { width: 80, bold: (text) => text };
const NOTHING: AffectedResult = {
  schemaVersion: 1,
  base: ID,
  head: ID,
  mergeBase: ID,
  all: null,
  workspaces: [],
  workspaceCount: 3,
  unclaimedFiles: [],
  warnings: [],
};
const lib: AffectedWorkspace = { name: 'lib', path: 'packages/lib', reasons: [{ kind: 'file', file: 'packages/lib/x.ts', others: 0 }] };
const app: AffectedWorkspace = {
  name: 'app',
  path: 'packages/app',
  reasons: [
    { kind: 'dependency', path: ['app', 'lib'], because: { kind: 'file', file: 'packages/lib/x.ts', others: 0 } },
    { kind: 'always' },
    { kind: 'added' },
  ],
};

function render(part: Partial<AffectedResult>, page = PAGE): string {
  return renderAnswer({ ...NOTHING, ...part }, page);
}

describe('the first line says how much', () => {
  const all = { code: 'FILE_UNCLAIMED', reason: 'x is outside.' } as const;
  test.each<[line: string, part: Partial<AffectedResult>]>([
    ['None of 3 workspaces is affected since 0123456789.', {}],
    ['None of 1 workspace is affected since 0123456789.', { workspaceCount: 1 }],
    ['1 of 3 workspaces is affected since 0123456789.', { workspaces: [lib] }],
    ['2 of 3 workspaces are affected since 0123456789.', { workspaces: [lib, app] }],
    ['2 of 3 workspaces are affected since fedcba9876.', { workspaces: [lib, app], mergeBase: null, base: 'fedcba98765' }],
    ['2 of 3 workspaces are affected.', { workspaces: [lib, app], mergeBase: null, base: null }],
    ['All 3 workspaces are affected. x is outside. [FILE_UNCLAIMED]', { workspaces: [lib, app], all }],
  ])('%s', (line, part) => {
    expect(render(part).split('\n')[0]).toBe(line);
  });
});

test('each workspace stands with its first reason, and how many more there are', () => {
  expect(render({ workspaces: [lib, app] })).toBe(
    [
      '2 of 3 workspaces are affected since 0123456789.',
      '',
      'workspace  why',
      'lib        packages/lib/x.ts changed',
      'app        through lib: packages/lib/x.ts changed, and 2 more reasons',
    ].join('\n'),
  );
});

test('where everybody is affected they are not listed; nor is nobody', () => {
  expect(render({ workspaces: [lib, app], all: { code: 'RULE', reason: 'x' } }).split('\n')).toEqual([
    'All 3 workspaces are affected. x [RULE]',
    'If you know better, "affected.rules" in tributary.json comes first, and affected check verifies what it says.',
  ]);
  expect(render({}).split('\n')).toHaveLength(1);
});

test('how many more reasons there are may be cut, but not what changed', () => {
  const wide = render({ workspaces: [lib, app] }, { ...PAGE, width: 60 }).split('\n');
  expect(wide.at(-1)).toMatch(/^app {8}through lib: packages\/lib\/x\.ts changed, and 2 .*…$/);
  const narrow = render({ workspaces: [lib, app] }, { ...PAGE, width: 40 });
  expect(narrow).toContain('through lib: packages/lib/x.ts changed, and 2 more reasons');
});

test('causes come first if there are many workspaces, and ten of these are listed', () => {
  const users = Array.from({ length: 30 }, (_, at) => ({ ...app, name: `app-${at}`, reasons: app.reasons.slice(0, 1) }));
  const lines = render({ workspaces: [lib, ...users], workspaceCount: 40 }).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    '31 of 40 workspaces are affected since 0123456789.',
    '',
    'Causes:',
    '  lib: packages/lib/x.ts changed; 30 more through it',
  ]);
  expect(lines).toHaveLength(17);
  expect(lines.at(-1)).toBe('and 21 more (--all lists them)');
  const page = { ...PAGE, width: 100 };
  expect(renderAnswer({ ...NOTHING, workspaces: [lib, ...users] }, page, { isWhole: true }).split('\n')).toHaveLength(37);
});

test('of many causes, ten are listed and the others counted', () => {
  const changed = Array.from({ length: 12 }, (_, at) => ({ ...lib, name: `lib-${at}` }));
  expect(render({ workspaces: changed })).toContain('\n  and 2 more causes\n');
});

test('titles are styled as the terminal allows', () => {
  expect(render({ workspaces: [lib] }, { ...PAGE, bold: (text) => `<${text}>` })).toContain('<workspace>');
});

test('files that no rule knows are listed, ten of them', () => {
  const unclaimedFiles = Array.from({ length: 12 }, (_, at) => `file-${at}`);
  const all = { code: 'FILE_UNCLAIMED', reason: 'x' } as const;
  const lines = render({ all, unclaimedFiles }).split('\n');
  expect(lines.slice(2, 5)).toEqual(['', 'No rule covers these files ("affected.rules" in tributary.json):', '  file-0']);
  expect(lines.slice(-2)).toEqual(['  file-9', '  and 2 more']);
  expect(
    render({ all, unclaimedFiles: ['a'] })
      .split('\n')
      .slice(4),
  ).toEqual(['  a']);
});

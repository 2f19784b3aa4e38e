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
  expect(render({ workspaces: [lib, app], all: { code: 'RULE', reason: 'x' } }).split('\n')).toHaveLength(1);
  expect(render({}).split('\n')).toHaveLength(1);
});

test('a long reason is cut to the width of the page, names are not', () => {
  const name = '@acme/a-workspace-with-a-long-name';
  const lines = render({ workspaces: [{ ...app, name }] }, { ...PAGE, width: 60 }).split('\n');
  expect(lines[3]).toMatch(/^@acme\/a-workspace-with-a-long-name {2}through lib: .*…$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
});

test('titles are styled as the terminal allows', () => {
  expect(render({ workspaces: [lib] }, { ...PAGE, bold: (text) => `<${text}>` })).toContain('<workspace>');
});

test('files that no rule knows are listed, ten of them', () => {
  const unclaimedFiles = Array.from({ length: 12 }, (_, at) => `file-${at}`);
  const all = { code: 'FILE_UNCLAIMED', reason: 'x' } as const;
  const lines = render({ all, unclaimedFiles }).split('\n');
  expect(lines.slice(1, 4)).toEqual(['', 'No rule covers these files ("affected.rules" in tributary.json):', '  file-0']);
  expect(lines.slice(-2)).toEqual(['  file-9', '  and 2 more']);
  expect(
    render({ all, unclaimedFiles: ['a'] })
      .split('\n')
      .slice(3),
  ).toEqual(['  a']);
});

import { describe, expect, test } from '@jest/globals';
import { renderNames, renderPaths, renderTurboFilter } from './render-lists.js';
import type { AffectedResult } from './result.js';

function resultOf(...workspaces: readonly (readonly [name: string, path: string])[]): AffectedResult {
  return {
    schemaVersion: 1,
    base: null,
    head: null,
    mergeBase: null,
    all: null,
    workspaceCount: 9,
    unclaimedFiles: [],
    warnings: [],
    workspaces: workspaces.map(([name, path]) => ({ name, path, reasons: [] })),
  };
}

const nobody = resultOf();
const root = resultOf(['root', '.']);
const some = resultOf(['root', '.'], ['@acme/ui', 'packages/ui'], ['app', 'app']);

describe.each<[title: string, render: (result: AffectedResult) => string, nobody: string, root: string, some: string]>([
  ['names', renderNames, '', 'root\n', 'root\n@acme/ui\napp\n'],
  ['paths', renderPaths, '', '.\n', '.\npackages/ui\napp\n'],
  // Without a filter, turborepo would run everything.
  ['filters for turborepo', renderTurboFilter, '--filter=!*\n', '--filter=!*\n', '--filter=./packages/ui\n--filter=./app\n'],
])('%s', (_, render, ofNobody, ofRoot, ofSome) => {
  test('of nobody', () => expect(render(nobody)).toBe(ofNobody));
  test('of the root alone', () => expect(render(root)).toBe(ofRoot));
  test('of some, one a line', () => expect(render(some)).toBe(ofSome));
});

import { describe, expect, test } from '@jest/globals';
import { type ListFormat, renderList } from './render-lists.js';
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

describe.each<[format: ListFormat, nobody: string, root: string, some: string]>([
  ['names', '', 'root\n', 'root\n@acme/ui\napp\n'],
  ['paths', '', '.\n', '.\npackages/ui\napp\n'],
  // Without a filter, turborepo would run everything.
  ['turbo-filter', '--filter=!*\n', '--filter=!*\n', '--filter=./packages/ui\n--filter=./app\n'],
])('%s', (format, ofNobody, ofRoot, ofSome) => {
  test('of nobody', () => expect(renderList(nobody, format)).toBe(ofNobody));
  test('of the root alone', () => expect(renderList(root, format)).toBe(ofRoot));
  test('of some, one a line', () => expect(renderList(some, format)).toBe(ofSome));
});

describe('an entry that its reader takes for something else is refused', () => {
  test.each<[what: string, path: string]>([
    ['a line', 'packages/d\n--dry=json'],
    ['a carriage return', 'packages/d\r--dry=json'],
    ['another word', 'packages/d --dry=json'],
    ['a word by a no-break space', 'packages/d\u00a0x'],
    ['a line separator', 'packages/d\u2028x'],
    ['an escape', 'packages/\u001b[2J'],
    ['what turns the direction', 'packages/\u202egnp'],
    ['what has no width', 'packages/\u200bui'],
    ['a command of GitHub', '::set-output name=x::y'],
    ['a command of GitHub without blanks', '::stop-commands::x'],
    ['a command of Azure', 'packages/##vso[task.complete]'],
  ])('%s', (_, path) => {
    const result = resultOf(['x', path]);
    for (const format of ['paths', 'turbo-filter'] as const)
      if (format === 'paths' || !path.startsWith('::'))
        expect(() => renderList(result, format)).toThrow(expect.objectContaining({ code: 'NAME_UNPRINTABLE' }));
    expect(() => renderList(resultOf([path, 'x']), 'names')).toThrow(expect.objectContaining({ code: 'NAME_UNPRINTABLE' }));
    expect(renderList(result, 'paths', 'nul')).toBe(`${path}\0`);
    expect(JSON.parse(renderList(result, 'json')).workspaces[0].path).toBe(path);
  });

  test('an option', () => {
    expect(() => renderList(resultOf(['x', '--version']), 'paths')).toThrow(/read it as an option/);
    expect(() => renderList(resultOf(['--filter=x', 'x']), 'names')).toThrow(/read it as an option/);
  });

  test.each(['packages/ui...', 'packages/[a]', 'packages/{a}'])('the filter %s', (path) => {
    expect(() => renderList(resultOf(['x', path]), 'turbo-filter')).toThrow(/reads it as another filter/);
  });
});

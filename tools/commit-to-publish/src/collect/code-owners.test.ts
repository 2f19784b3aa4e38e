import { expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { ownerFinder } from './code-owners.js';

const ui = 'packages/ui' as RepoFolder;

test.each([
  ['* @acme/all', 'acme/all'],
  ['* @acme/all\npackages/ui/ @acme/web', 'acme/web'],
  ['/packages/ui/ @acme/web\n* @acme/all', 'acme/all'],
  ['/packages/ui @acme/web # whose it is', 'acme/web'],
  ['ui @acme/web', 'acme/web'],
  ['ui/ @acme/web', 'acme/web'],
  ['**/ui @acme/web', 'acme/web'],
  ['packages/** @acme/web', 'acme/web'],
  ['packages/*/ @acme/web', 'acme/web'],
  // Matches files directly in the folder, not those in its subfolders.
  ['packages/* @acme/web', undefined],
  ['packages/ui/* @acme/web', 'acme/web'],
  ['/ui/ @acme/web', undefined],
  ['packages/ui2/ @acme/web', undefined],
  ['* @acme/all\n*.md @acme/docs\npackages/ui/package.json @acme/platform', 'acme/all'],
  // Neither a person nor an empty list of owners is a team.
  ['* @ada grace@acme.example @acme/all', 'acme/all'],
  ['* @acme/all\npackages/ui/ @ada', undefined],
  ['* @acme/all\npackages/ui/', undefined],
  ['# * @acme/all', undefined],
  ['', undefined],
])('%j gives packages/ui to %s', (text, team) => {
  expect(ownerFinder(text)(ui)).toBe(team);
});

test('the only package of a repository is at its root', () => {
  expect(ownerFinder('* @acme/all\n/docs/ @acme/docs')('' as RepoFolder)).toBe('acme/all');
  expect(ownerFinder('/* @acme/all')('' as RepoFolder)).toBe('acme/all');
});

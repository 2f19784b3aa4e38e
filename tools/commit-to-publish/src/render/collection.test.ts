import { expect, test } from '@jest/globals';
import type { RepositorySummary } from '../collect/collection.js';
import { repositoryWithAll } from '../recorded-answers.fixture.js';
import { renderCollection } from './collection.js';

function shown(...repositories: readonly Partial<RepositorySummary>[]): readonly string[] {
  const whole = repositories.map((own) => ({ ...repositoryWithAll('current'), nothing: null, since: null, ...own }));
  return renderCollection({ repositories: whole, upgrades: [] }, { width: 80, signs: 'ascii', bold: (text) => text }).split('\n');
}

test('a note of one version says nothing of several', () => {
  const notes = shown({}).filter((line) => line.includes('1 version ('));
  expect(notes.length).toBeGreaterThan(10);
  expect(notes.filter((note) => /\): have\b|\bthe(?:m|ir)\b/.test(note))).toEqual([]);
});

test('two repositories of one owner stay apart at 80 columns', () => {
  const rows = shown({ repo: 'conventional-changelog/commitlint' }, { repo: 'conventional-changelog/conventional-changelog' });
  const [first, second] = rows.slice(1, 3).map((row) => row.split(' ')[0]);
  expect(first).toMatch(/commitlint$/);
  expect(second).not.toBe(first);
});

test('a tag of another history may be for a version of a package: only the main line is told to have none', () => {
  expect(shown({ unclaimedTags: ['v1.0.0'] })).toContainEqual(
    expect.stringMatching(/1 tag \(v1\.0\.0\): for a version that no published package of the main line had then\.$/),
  );
});

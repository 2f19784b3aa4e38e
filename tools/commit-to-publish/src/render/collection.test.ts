import { expect, test } from '@jest/globals';
import type { RepositorySummary } from '../collect/collection.js';
import { repositoryWithAll } from '../recorded-answers.fixture.js';
import { type CollectionChoice, renderCollection } from './collection.js';

const STYLE = { width: 80, signs: 'ascii', bold: (text: string) => text } as const;

const UPGRADES = [3, 9, 1].map((open) => ({ package: `core${open}`, consumer: 'acme/app', taken: 2, skipped: 1, open }));

function shownAs(choice: CollectionChoice, ...repositories: readonly Partial<RepositorySummary>[]): readonly string[] {
  const whole = repositories.map((own) => ({ ...repositoryWithAll('current'), nothing: null, since: null, ...own }));
  const upgrades = choice.top === undefined ? [] : UPGRADES;
  return renderCollection({ repositories: whole, upgrades }, STYLE, choice).split('\n');
}

function shown(...repositories: readonly Partial<RepositorySummary>[]): readonly string[] {
  return shownAs({ notes: 'all', top: undefined }, ...repositories);
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

test.each([
  ['another history', 'left out: the commit has no history in common with the main line'],
  ['no package', 'left out: no published package of the main line has this version there'],
  ['not new', 'left out: a published package has this version there, from an earlier commit or with another tag'],
] as const)('of a tag of no package only what was seen is told: %s', (why, told) => {
  const unclaimedTags = [{ why, count: 1, examples: ['v1.0.0'] }];
  expect(shown({ unclaimedTags })).toContain(`acme/ui: 1 tag (v1.0.0): ${told}.`);
});

test('a renamed package is told with the setting that joins both names', () => {
  const renamed = ['a', 'b'].map((former) => ({ former, name: `@acme/${former}`, commit: 'c'.repeat(40) }));
  expect(shown({ renamed }).join('\n')).toContain(
    'To count both names as one package, set "publish": { "renamed": { "a": "@acme/a", "b": "@acme/b" } } in tributary.json.',
  );
  const departed = [{ package: 'a', commit: 'c'.repeat(40), channels: null, holders: [], changes: ['b'.repeat(40)] }];
  expect(shown({ departed, renamed }).filter((line) => line.includes('another repository'))).toEqual([]);
});

test('without --verbose a repository has one line, and what is beside it is added up over all of them', () => {
  const unmatchedTags = { count: 1741, examples: ['nightly'] };
  const lines = shownAs({ notes: 'summed', top: undefined }, { repo: 'acme/a', unmatchedTags }, { repo: 'acme/b', unmatchedTags });
  expect(lines.filter((line) => line.startsWith('acme/'))).toHaveLength(2);
  expect(lines.slice(3)).toEqual(['', 'Channels: latest (4).', expect.stringMatching(/^Also seen: .*\. Details: --verbose\.$/)]);
  expect(lines.at(-1)).toContain(', tags that match no pattern (3482), tags of no package (8), ');
});

test('--top leaves the rows with most in each table, and counts the others', () => {
  const few = { changes: { person: 1, bot: 0 } };
  const lines = shownAs({ notes: 'summed', top: 1 }, { repo: 'acme/a', ...few }, { repo: 'acme/b' });
  expect(lines.slice(1, 3)).toEqual([expect.stringMatching(/^acme\/b /), '1 more. All: --top 2.']);
  expect(lines.slice(5, 7)).toEqual([expect.stringMatching(/^core9 /), '2 more. All: --top 3.']);
});

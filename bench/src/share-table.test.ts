import { expect, test } from '@jest/globals';
import type { BoundFigures } from './share-bounds.js';
import { formatBounds, formatObserved, formatReasons } from './share-table.js';

const known = { workspaceCount: 10, kept: undefined, all: undefined };
const one: BoundFigures = { ...known, commit: 'a', tuned: 2, narrow: 2, noInstall: 2, unread: 2, minimum: 1 };
const other: BoundFigures = {
  ...known,
  commit: 'b',
  all: 'FILE_UNCLAIMED Makefile',
  tuned: 10,
  narrow: 10,
  noInstall: 4,
  unread: 4,
  minimum: 0,
};

test('the table has the mean share and the commits that select everything, for each bound', () => {
  expect(formatBounds([{ repository: 'x/y', commits: [one, other] }]).split('\n')[2]).toBe(
    '| x/y | 2 | 60.0 %, 1 all | 60.0 %, 1 all | 30.0 %, 0 all | 30.0 %, 0 all | 5.0 %, 0 all |',
  );
});

test('reasons are counted, whatever file and commit they name', () => {
  const keptBy = (file: string, run: string): BoundFigures => ({
    ...other,
    kept: `Observations exclude no workspace, for example because ${file} changed, which acts without being read, since its observed run at ${run}.`,
  });
  expect(formatReasons([keptBy('a.yml', '1a2b3c4d5e'), keptBy('b.yml', '2b3c4d5e6f'), one])).toBe(
    '  everything:   2 FILE_UNCLAIMED Makefile\n  not narrowed:   2 a file changed, which acts without being read.',
  );
});

test('a commit in which no observed workspace exists has no share', () => {
  const none = { off: 0, add: 0, narrow: 0, files: 0 };
  const some = { off: 4, add: 4, narrow: 2, files: 2 };
  const figures = { commit: 'a', kept: undefined, of: 4, ofFiles: 8 };
  const text = formatObserved('x/y', [
    { ...figures, workspaces: some, testFiles: { off: 8, add: 8, narrow: 4, files: 1 } },
    { ...figures, workspaces: none, testFiles: none, of: 0, ofFiles: 0 },
  ]);
  expect(text.split('\n').slice(2)).toEqual([
    '| observed workspaces | 100.0 % | 100.0 % | 50.0 % | 50.0 % |',
    '| their test files | 100.0 % | 100.0 % | 50.0 % | 12.5 % |',
  ]);
});

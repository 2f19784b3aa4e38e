import { expect, test } from '@jest/globals';
import { type FamilyTable, familyTable, formatFamily } from './align-family-table.js';

type Answer = Parameters<typeof familyTable>[0];
type PackageResult = Answer['packages'][number];
type AlignedStepResult = NonNullable<Answer['alignment']>[number];
type Said = Partial<Pick<AlignedStepResult, 'changes' | 'decisions'>>;

function tableOf(said: Partial<Record<AlignedStepResult['step'], Said>>): FamilyTable {
  const packages = ['ui', 'ui-core', 'cli'].map((name) => ({ name }) as PackageResult);
  const alignment = Object.entries(said).map(
    ([step, lines]) => ({ step, commit: null, files: [], changes: [], decisions: [], ...lines }) as AlignedStepResult,
  );
  return familyTable({ packages, alignment });
}

function columnOf(table: FamilyTable, count: 'converted' | 'phantoms' | 'aligned' | 'carried' | 'decisions'): Record<string, number> {
  return Object.fromEntries(table.rows.filter((row) => row[count] > 0).map((row) => [row.name, row[count]]));
}

test('ranges that became others are counted for the package that has them, and for others where it was there before', () => {
  const changes = [
    'ui: ui-core `1 - 3` became `workspace:^`',
    'here: ui `^1.0.0` became `workspace:^`',
    'ui, cli depend on each other now.',
  ];
  expect(columnOf(tableOf({ internal: { changes } }), 'converted')).toEqual({ ui: 1, '(others)': 1 });
});

test('a phantom is what was declared, and no file that could not be read', () => {
  const changes = [
    'ui: chalk `^4.1.0` in devDependencies; import in `packages/ui/a.js:1` (test)',
    'ui: `a.js` could not be read whole, and …',
  ];
  expect(columnOf(tableOf({ phantoms: { changes } }), 'phantoms')).toEqual({ ui: 1 });
});

test('a version is aligned with or without another range', () => {
  const changes = ['ui-core: @acme/lint `0.4` became `^0.4.4`', 'cli: eslint `8`, minor upgrade from 8.1.0 to 8.3.0'];
  expect(columnOf(tableOf({ versions: { changes } }), 'aligned')).toEqual({ 'ui-core': 1, cli: 1 });
});

test('what is said of several packages counts for each that is named', () => {
  const changes = [
    'ui, cli: `.nvmrc`: It is gone.',
    'ui: npm would publish the same 5 files as before.',
    'cli, ui and 3 more: `.husky`: It is gone.',
  ];
  expect(columnOf(tableOf({ 'carry-over': { changes } }), 'carried')).toEqual({ ui: 2, cli: 2, '(others)': 1 });
});

test('a decision is that of the package it begins with; one about a version is of all that declare it', () => {
  const table = tableOf({
    internal: { decisions: ['ui-core asks for cli `1 - 2`, and it was left: the workspace is 3.0.0.'] },
    versions: { decisions: ['ui: ranges exclude each other. cli has `1`; here has `2`.'] },
    settings: { decisions: ['cli: `resolutions`: Look at it.'] },
  });
  expect(columnOf(table, 'decisions')).toEqual({ 'ui-core': 1, cli: 1, '(others)': 1 });
});

test('pins are read from the sentence about them, with those of which the answer only says how many', () => {
  const lock = {
    changes: [
      '398 of 400 locked versions are kept; for 2 the monorepo has another',
      '`once@npm:^1.0.0` is 1.4.0 as in the monorepo; it was 1.3.0.',
      '`a@npm:^1.0.0` is 1.1.0 now; it was 1.0.0.',
      'And 7 more like the one before.',
      '`b@npm:^1.0.0` was 1.2.0, and is not kept: ui has it locked at 1.1.0.',
      'And 30 more like the one before.',
    ],
  };
  expect(tableOf({ lockfile: lock })).toMatchObject({ kept: 398, pinned: 400, elsewhere: 32 });
});

test('without an alignment all is zero', () => {
  const table = familyTable({ packages: [{ name: 'ui' } as PackageResult], alignment: null });
  expect(table).toEqual({
    ...{ rows: [{ name: 'ui', converted: 0, phantoms: 0, aligned: 0, carried: 0, decisions: 0 }] },
    ...{ kept: 0, pinned: 0, elsewhere: 0 },
  });
});

test('the table ends with the sums', () => {
  const row = { name: 'ui', converted: 1, phantoms: 2, aligned: 3, carried: 4, decisions: 5 };
  const text = formatFamily({ rows: [row, { ...row, name: 'cli' }], kept: 9, pinned: 10, elsewhere: 1 });
  expect(text.split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ['ranges converted', 'phantoms declared', 'versions aligned', 'files carried', 'decisions left'],
    ['ui', '1', '2', '3', '4', '5'],
    ['cli', '1', '2', '3', '4', '5'],
    ['together', '2', '4', '6', '8', '10'],
    [''],
    ['pins kept: 9 of 10; requests that another has locked at another version: 1'],
  ]);
});

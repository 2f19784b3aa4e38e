import { expect, test } from '@jest/globals';
import { type FamilyTable, familyTable, formatFamily } from './align-family-table.js';

type Answer = Parameters<typeof familyTable>[0];
type PackageResult = Answer['packages'][number];
type AlignedStepResult = NonNullable<Answer['alignment']>[number];
type ResultMessage = AlignedStepResult['changes'][number];
type StepMessages = Partial<Record<'changes' | 'decisions', readonly (string | ResultMessage)[]>>;

const NOTHING = { alignment: null, dependencies: null, locked: null };

function tableOf(messages: Partial<Record<AlignedStepResult['step'], StepMessages>>, rest: Partial<Answer> = {}): FamilyTable {
  const packages = ['ui', 'ui-core', 'cli'].map((name) => ({ name }) as PackageResult);
  const alignment = Object.entries(messages).map(
    ([step, { changes = [], decisions = [] }]) =>
      ({ step, commit: null, files: [], changes: changes.map(asMessage), decisions: decisions.map(asDecision) }) as AlignedStepResult,
  );
  return familyTable({ ...NOTHING, packages, alignment, ...rest });
}

function asDecision(message: string | ResultMessage): AlignedStepResult['decisions'][number] {
  const { text, about } = asMessage(message);
  return { id: '0a1b2c3d', decided: null, risk: 'none', text, byDefault: null, toChange: null, findings: [{ text, about }] };
}

function asMessage(message: string | ResultMessage): ResultMessage {
  return typeof message === 'string' ? { text: message, about: [] } : message;
}

function about(place: string | null, ...names: readonly string[]): ResultMessage['about'] {
  return names.map((name) => ({ package: name, place, detail: null }));
}

function columnOf(table: FamilyTable, count: 'converted' | 'phantoms' | 'aligned' | 'carried' | 'decisions'): Record<string, number> {
  return Object.fromEntries(table.rows.filter((row) => row[count] > 0).map((row) => [row.name, row[count]]));
}

test('ranges that became others are counted for the package that has them, and for others where it was there before', () => {
  const changes = [
    'ui: ui-core `1 - 3` became `workspace:^`',
    'here: ui `^1.0.0` became `workspace:^`',
    'ui, cli now depend on each other.',
  ];
  expect(columnOf(tableOf({ internal: { changes } }), 'converted')).toEqual({ ui: 1, '(others)': 1 });
});

test('a phantom is what was declared, and no file that could not be read', () => {
  const changes = [
    'ui: chalk `^4.1.0` in devDependencies; import in `packages/ui/a.js:1` (test)',
    'ui: `a.js` could not be fully parsed, and …',
  ];
  expect(columnOf(tableOf({ phantoms: { changes } }), 'phantoms')).toEqual({ ui: 1 });
});

test('a declaration is aligned with or without another range', () => {
  const declared = (workspace: string, newRange: string | null, change: object | null) => ({ workspace, newRange, change });
  const declarations = [
    declared('ui', '^0.4.4', null),
    declared('cli', null, { level: 'minor' }),
    declared('ui', null, null),
    declared('here', '2', null),
  ];
  const dependencies = [{ name: 'eslint', declarations }] as unknown as Answer['dependencies'];
  expect(columnOf(tableOf({}, { dependencies }), 'aligned')).toEqual({ ui: 1, cli: 1, '(others)': 1 });
});

test('a file counts for each package that it was carried over for, and what is said of packages as a whole is no file', () => {
  const changes = [
    { text: 'It is gone.', about: [...about('.nvmrc', 'ui', 'cli'), ...about('.husky', 'cli')] },
    { text: 'npm would publish the same files as before.', about: about(null, 'ui') },
  ];
  expect(columnOf(tableOf({ 'carry-over': { changes } }), 'carried')).toEqual({ ui: 1, cli: 2 });
});

test('a decision is that of the packages that it is about, or of the one that it begins with, and is counted once below', () => {
  const table = tableOf({
    internal: { decisions: ['ui-core asks for cli `1 - 2`, and it was left: the workspace is 3.0.0.'] },
    versions: { decisions: ['eslint: ranges exclude each other. cli has `1`; here has `2`.'] },
    settings: { decisions: ['cli: `resolutions`: Look at it.'] },
    'carry-over': { decisions: [{ text: 'Look through it.', about: about('a.yml', 'ui', 'cli', 'ui') }] },
    lockfile: { changes: ['Installed.'] },
  });
  expect(columnOf(table, 'decisions')).toEqual({ ui: 1, 'ui-core': 1, cli: 2, '(others)': 1 });
  expect(table.decisions.map(({ step, count }) => `${step} ${count}`)).toEqual(['internal 1', 'versions 1', 'settings 1', 'carry-over 1']);
});

test('without an alignment all is zero', () => {
  expect(familyTable({ ...NOTHING, packages: [{ name: 'ui' } as PackageResult] })).toEqual({
    rows: [{ name: 'ui', converted: 0, phantoms: 0, aligned: 0, carried: 0, decisions: 0 }],
    decisions: [],
    locked: null,
  });
});

test('the table ends with the sums, the decisions and the pins', () => {
  const row = { name: 'ui', converted: 1, phantoms: 2, aligned: 3, carried: 4, decisions: 5 };
  const counts = [
    { fate: 'kept', count: 9 },
    { fate: 'a workspace', count: 1 },
  ];
  const decisions = [
    { step: 'internal', count: 2 },
    { step: 'versions', count: 4 },
  ];
  const text = formatFamily({ rows: [row, { ...row, name: 'cli' }], decisions, locked: { requests: 10, counts } });
  expect(text.split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ['ranges converted', 'phantoms declared', 'versions aligned', 'files carried', 'decisions left'],
    ['ui', '1', '2', '3', '4', '5'],
    ['cli', '1', '2', '3', '4', '5'],
    ['together', '2', '4', '6', '8', '10'],
    [''],
    ['decisions left to a person, each once: 6 (2 of internal, 4 of versions)'],
    ['locked requests: 10 (9 kept, 1 a workspace)'],
  ]);
});

test('where tests were run, the table has what came of them, and how many pass', () => {
  const row = { name: 'ui', converted: 0, phantoms: 0, aligned: 0, carried: 0, decisions: 0 };
  const rest = { runs: 1, coverage: null, output: '', remarks: [], kept: false } as const;
  const run = (passed: number, failed: number) => ({ ...rest, result: failed === 0 ? 'passed' : 'failed', passed, failed }) as const;
  const broken = { ...rest, result: 'failed', passed: null, failed: null } as const;
  const about = { outcome: 'newly failing', candidates: null, log: '' } as const;
  const text = formatFamily({ rows: [row, { ...row, name: 'cli' }, { ...row, name: '(others)' }], decisions: [], locked: null }, [
    { ...about, name: 'ui', before: run(5, 0), after: run(4, 1) },
    { ...about, name: 'cli', before: run(7, 0), after: broken },
  ]);
  expect(
    text.split('\n').map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .filter((cell) => cell !== '0'),
    ),
  ).toEqual([
    ['ranges converted', 'phantoms declared', 'versions aligned', 'files carried', 'decisions left', 'tests before', 'tests after'],
    ['ui', '5', '4 + 1 failed'],
    ['cli', '7', 'failed'],
    ['(others)'],
    ['together', '12', '4'],
    [''],
    ['decisions left to a person, each once: 0'],
  ]);
});

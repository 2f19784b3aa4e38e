import { expect, test } from '@jest/globals';
import type { VersionChoices } from './choices.js';
import type { WorkspaceLocation } from './declared.js';
import { projectOf } from './project.fixture.js';
import { type DeclarationRow, type DependencyTable, versionTables } from './version-table.js';
import { alignVersions, declaredIn } from './versions.js';

/** Returns the version tables where `old` already exists, and `new` and `next` are imported in this order. */
function tablesOf(
  declared: Readonly<Record<string, object>>,
  locks: {
    readonly importedPackages: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly rootLock: Readonly<Record<string, string>>;
  },
  got?: (workspace: WorkspaceLocation, name: string) => string | undefined,
  choices: VersionChoices = { policy: 'report', exceptions: new Map() },
): readonly DependencyTable[] {
  const manifests = Object.fromEntries(Object.entries(declared).map(([name, blocks]) => [name, { name, ...blocks }]));
  const project = projectOf({ manifests, ...locks });
  const { findings } = alignVersions(project, choices);
  return versionTables({ project, declared: declaredIn(project), findings, got });
}

function say({ workspace, range, locked, change, left, widensFor }: DeclarationRow): string {
  const ranges = range.from === range.to ? range.from : `${range.from} -> ${range.to}`;
  const moved = change === undefined ? '' : ` -> ${change.to} (${change.level} ${change.direction})`;
  return [
    `${workspace.name}: ${ranges}, ${locked ?? '-'}${moved}`,
    ...(left === undefined ? [] : [left]),
    ...(widensFor === 'nobody' ? [] : [widensFor]),
  ].join(', ');
}

const DECLARED = {
  new: { dependencies: { ms: '3', alone: '^1.0.0', same: '^1.0.0', lone: '^1.0.0' } },
  next: { dependencies: { ms: '^4.0.0' } },
  old: { dependencies: { ms: '^3.1.0', same: '^1.0.0' } },
};
const LOCKS = {
  importedPackages: {
    new: { 'ms@3': '3.1.0', 'alone@^1.0.0': '1.2.0', 'same@^1.0.0': '1.0.0', 'lone@^1.0.0': '1.0.0' },
    next: { 'ms@^4.0.0': '4.0.1' },
  },
  rootLock: { 'ms@^3.1.0': '3.2.0', 'same@^1.0.0': '1.0.0' },
};

test('everybody who declares it, what was locked, what changes, and for whom it widens', () => {
  const tables = tablesOf(DECLARED, LOCKS);
  expect(tables.map(({ name }) => name)).toEqual(['ms']);
  expect(tables[0]?.rows.map(say)).toEqual([
    'new: 3 -> ^3.1.0, 3.1.0 -> 3.2.0 (minor up)',
    'next: ^4.0.0, 4.0.1, ranges exclude each other',
    'old: ^3.1.0, 3.2.0',
  ]);
  expect(tables[0]?.rows.map(({ isNew }) => isNew)).toEqual([true, true, false]);
});

test('all that have one range say what keeps it apart, and not the first alone', () => {
  const declared = {
    new: { devDependencies: { ms: '^4.0.0' } },
    next: { devDependencies: { ms: '^4.0.0' } },
    old: { dependencies: { ms: '3' } },
  };
  const locks = { importedPackages: { new: { 'ms@^4.0.0': '4.0.1' }, next: { 'ms@^4.0.0': '4.0.1' } }, rootLock: { 'ms@3': '3.1.0' } };
  expect(tablesOf(declared, locks)[0]?.rows.map(say)).toEqual([
    'new: ^4.0.0, 4.0.1, ranges exclude each other',
    'next: ^4.0.0, 4.0.1, ranges exclude each other',
    'old: 3, 3.1.0',
  ]);
});

test('a dev dependency is a tool, unless it is a peer too', () => {
  const own = { devDependencies: { ms: '^2.0.0', react: '^2.0.0' }, peerDependencies: { react: '*' } };
  const tables = tablesOf({ new: own, old: { dependencies: { ms: '3', react: '3' } } }, { importedPackages: { new: {} }, rootLock: {} });
  expect(tables.map(({ name, rows }) => [name, ...rows.map(({ isTool }) => isTool)])).toEqual([
    ['ms', true, false],
    ['react', false, false],
  ]);
});

test('what the final lockfile says counts, also of what the steps had nothing to say of', () => {
  const got = ({ name }: WorkspaceLocation, asked: string): string | undefined =>
    ({ ms: name === 'next' ? '4.0.1' : '3.3.0', alone: '1.1.0', same: '1.0.0' })[asked];
  const tables = tablesOf(DECLARED, LOCKS, got);
  expect(tables.map(({ name, rows }) => `${name} ${rows.map(say)[0]}`)).toEqual([
    'alone new: ^1.0.0, 1.2.0 -> 1.1.0 (minor down)',
    'ms new: 3 -> ^3.1.0, 3.1.0 -> 3.3.0 (minor up)',
  ]);
});

test('what somebody loosens by its name widens for consumers, and for nobody where it is private or for development', () => {
  const choices: VersionChoices = { policy: 'report', exceptions: new Map([['ms', 'workspace']]) };
  const old = { dependencies: { ms: '3' } };
  const locks = { importedPackages: { new: { 'ms@^3.1.0': '3.1.0' } }, rootLock: { 'ms@3': '3.2.0' } };
  const widens = (blocks: object) => tablesOf({ new: blocks, old }, locks, undefined, choices)[0]?.rows[0]?.widensFor;
  expect(widens({ dependencies: { ms: '^3.1.0' } })).toBe('consumers');
  expect(widens({ private: true, dependencies: { ms: '^3.1.0' } })).toBe('nobody');
  expect(widens({ devDependencies: { ms: '^3.1.0' } })).toBe('nobody');
});

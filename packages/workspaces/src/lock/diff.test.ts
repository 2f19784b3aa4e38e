import { describe, expect, test } from '@jest/globals';
import { LOCK_HEAD, lockText, parseLock } from '@tributary/lockfile/testing/lock-text';
import { diffTexts, type LockText } from './lock-side.fixture.js';
import { parsePackageExtensions } from './package-extensions.js';

function side(text: string, more: Partial<LockText> = {}): LockText {
  return { text: text.includes('__metadata') ? text : parseLock(text), ...more };
}

/** Returns changes as `packages/app a: b@npm:^1 b@npm:1.0.0 -> b@npm:1.1.0`, one line per change. */
function changes(base: LockText, head: LockText): readonly string[] | string {
  const diff = diffTexts(base, head);
  if (diff.kind === 'unknown') return `${diff.code} ${diff.reason}`;
  return [...diff.changed].flatMap(([folder, list]) =>
    list.map(({ dependency, entry, from, to }) => `${folder || '.'} ${dependency}: ${entry} ${from} -> ${to}`),
  );
}

const sample = `
  root: lint ^1
  app: a ^1, lib workspace:^
  lib: b ^1
  other: c ^1
  a@^1 = 1.0.0: b ^1
  b@^1 = 1.0.0: c ^2
  c@^1 = 1.0.0
  c@^2 = 2.0.0
  lint@^1 = 1.0.0`;

test('many new dependencies of one workspace take no time', () => {
  // Comparing each with each would take longer than the test may.
  const many = Array.from({ length: 20_000 }, (_, at) => `d${at} ^1`).join(', ');
  expect(changes(side(sample), side(sample.replace('lib workspace:^', `lib workspace:^, ${many}`)))).toEqual([]);
});

describe('a change of one entry', () => {
  const cases: Readonly<Record<string, readonly [from: string, to: string, expected: readonly string[]]>> = {
    'concerns whoever reaches it, at any distance, and names the direct dependency': [
      'c@^2 = 2.0.0',
      'c@^2 = 2.1.0',
      ['packages/app a: c@npm:^2 c@npm:2.0.0 -> c@npm:2.1.0', 'packages/lib b: c@npm:^2 c@npm:2.0.0 -> c@npm:2.1.0'],
    ],
    'concerns the root too, where the root uses it': [
      'lint@^1 = 1.0.0',
      'lint@^1 = 1.1.0',
      ['. lint: lint@npm:^1 lint@npm:1.0.0 -> lint@npm:1.1.0'],
    ],
    'that gets another range of the same package concerns those that follow it': [
      'other: c ^1',
      'other: c ^2',
      ['packages/other c: c@npm:^2 c@npm:1.0.0 -> c@npm:2.0.0'],
    ],
    'that only gets one more descriptor concerns nobody': ['c@^1 = 1.0.0', 'c@^1 ^1.0.0 = 1.0.0', []],
    'that nothing uses and that is new concerns nobody': ['lint@^1 = 1.0.0', 'lint@^1 = 1.0.0\n  zzz@^1 = 1.0.0', []],
    'that a workspace no longer asks for is told with what it was': [
      'other: c ^1',
      'other:',
      ['packages/other c: c@npm:^1 c@npm:1.0.0 -> null'],
    ],
    'that a workspace asks for anew is told with what it is': [
      'other: c ^1',
      'other: c ^1, b ^1',
      ['packages/other b: b@npm:^1 null -> b@npm:1.0.0'],
    ],
    'of a package that gets another dependency names the package': [
      'a@^1 = 1.0.0: b ^1',
      'a@^1 = 1.0.0: b ^1, c ^1',
      ['packages/app a: a@npm:^1 a@npm:1.0.0 -> a@npm:1.0.0'],
    ],
    'that a workspace takes the place of a package is seen though no range changed': [
      'c@^1 = 1.0.0',
      'c@^1 = workspace:packages/c',
      ['packages/other c: c@npm:^1 c@npm:1.0.0 -> c@workspace:packages/c'],
    ],
  };
  test.each(Object.entries(cases))('%s', (_, [from, to, expected]) => {
    expect(sample).toContain(from);
    expect(changes(side(sample), side(sample.replace(from, to)))).toEqual(expected);
  });

  test('is seen by its checksum alone', () => {
    const app = { descriptors: ['app@workspace:.'], resolution: 'app@workspace:.', dependencies: { a: 'npm:1' } };
    const text = (checksum: string) => lockText([app, { descriptors: ['a@npm:1'], resolution: 'a@npm:1.0.0', checksum }]);
    expect(changes(side(text('aa')), side(text('bb')))).toEqual(['. a: a@npm:1 a@npm:1.0.0 -> a@npm:1.0.0']);
  });

  test('of what another workspace uses is not for its dependents: that is for the graph of workspaces', () => {
    expect(changes(side(sample), side(sample.replace('b@^1 = 1.0.0: c ^2', 'b@^1 = 1.0.0')))).toEqual([
      'packages/app a: b@npm:^1 b@npm:1.0.0 -> b@npm:1.0.0',
      'packages/lib b: b@npm:^1 b@npm:1.0.0 -> b@npm:1.0.0',
    ]);
  });
});

describe('nobody is concerned by', () => {
  const text = parseLock(sample);
  const cases: Readonly<Record<string, string>> = {
    'nothing at all': text,
    'the order of the entries': parseLock(sample.split('\n').reverse().join('\n')),
    'the order of fields': text.replace('  languageName: node\n  linkType: hard\n', '  linkType: hard\n  languageName: node\n'),
    'comments and empty lines': `# one more\n\n${text.replaceAll('\n\n', '\n\n# one more\n\n')}\n\n`,
    'Windows line ends': text.replaceAll('\n', '\r\n'),
    'a byte order mark': `\uFEFF${text}`,
    'the line end of the last line': text.trimEnd(),
    __metadata: text.replace('version: 8', 'version: 10').replace('10c0', '10'),
  };
  test.each(Object.entries(cases))('%s', (_, other) => {
    expect(changes(side(text), side(other))).toEqual([]);
    expect(changes(side(other), side(text))).toEqual([]);
  });
});

describe('what cannot be told is unknown', () => {
  test.each([
    ['a lockfile of Yarn 1', '# yarn lockfile v1\n\na@^1:\n  version "1.0.0"\n', 'LOCKFILE_CLASSIC'],
    ['an empty file', '', 'LOCKFILE_UNREADABLE'],
    ['a merge that was not finished', `${LOCK_HEAD}<<<<<<< HEAD:\n`, 'LOCKFILE_UNREADABLE'],
  ])('%s, on either side', (_, text, code) => {
    const broken = { ...side(sample), text };
    expect(changes(broken, side(sample))).toMatch(`${code} yarn.lock of the base`);
    expect(changes(side(sample), broken)).toMatch(`${code} yarn.lock of the head`);
  });

  test('an entry that changed and that no visible reference leads to', () => {
    const unseen = `${sample}\n  hidden@^1 = 1.0.0`;
    expect(changes(side(unseen), side(unseen.replace('hidden@^1 = 1.0.0', 'hidden@^1 = 1.1.0')))).toBe(
      'LOCKFILE_UNKNOWN yarn.lock: hidden@npm:^1 changed, and it is unknown which workspaces use it',
    );
  });

  test('an entry that such a one leads to, though others use it as well', () => {
    const unseen = `${sample}\n  hidden@^1 = 1.0.0: c ^1`;
    expect(changes(side(unseen), side(unseen.replace('c@^1 = 1.0.0', 'c@^1 = 1.1.0')))).toMatch('LOCKFILE_UNKNOWN yarn.lock: c@npm:^1');
  });

  test('but not the name that Yarn gives an aliased package which is a peer of its own dependencies', () => {
    const text = (version: string) =>
      lockText([
        { descriptors: ['app@workspace:.'], resolution: 'app@workspace:.', dependencies: { old: 'npm:core@7' } },
        { descriptors: ['core@npm:core@7', 'old@npm:core@7'], resolution: `core@npm:${version}` },
      ]);
    expect(changes(side(text('7.0.0')), side(text('7.1.0')))).toEqual(['. old: old@npm:core@7 core@npm:7.0.0 -> core@npm:7.1.0']);
  });

  test('but not where it was removed', () => {
    expect(changes(side(`${sample}\n  hidden@^1 = 1.0.0`), side(sample))).toEqual([]);
  });
});

describe('beside the lockfile', () => {
  test('a resolution that is new concerns those that ask for the name, also where the result is the same', () => {
    const resolutions = new Map([['c', '2.0.0']]);
    const after = sample.replace('c@^1 = 1.0.0', '').replace('c@^2 = 2.0.0', 'c@2.0.0 = 2.0.0');
    expect(changes(side(sample), side(after, { resolutions }))).toEqual([
      'packages/app a: c@npm:^2 c@npm:2.0.0 -> c@npm:2.0.0',
      'packages/lib b: c@npm:^2 c@npm:2.0.0 -> c@npm:2.0.0',
      'packages/other c: c@npm:^1 c@npm:1.0.0 -> c@npm:2.0.0',
    ]);
  });

  test('an extension that is new concerns those that reach the package', () => {
    const extensions = parsePackageExtensions({ 'b@*': { peerDependencies: { react: '*' } } });
    expect(changes(side(sample), side(sample, { extensions }))).toEqual([
      'packages/app a: b@npm:^1 b@npm:1.0.0 -> b@npm:1.0.0',
      'packages/lib b: b@npm:^1 b@npm:1.0.0 -> b@npm:1.0.0',
    ]);
  });

  test('a catalog that changed concerns those that ask for it by that catalog', () => {
    const text = 'app: a catalog:\nlib: a catalog:old\na@^1 = 1.0.0\na@^2 = 2.0.0\na@^2.1 = 2.1.0';
    const catalogs = (range: string) => ({
      catalogs: new Map([
        ['', new Map([['a', range]])],
        ['old', new Map([['a', '^1']])],
      ]),
    });
    expect(changes(side(text, catalogs('^2')), side(text, catalogs('^2.1')))).toEqual([
      'packages/app a: a@catalog: a@npm:2.0.0 -> a@npm:2.1.0',
    ]);
    expect(changes(side(text, catalogs('^2')), side(text, catalogs('^2')))).toEqual([]);
  });
});

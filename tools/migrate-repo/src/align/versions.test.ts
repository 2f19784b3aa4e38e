import { describe, expect, test } from '@jest/globals';
import type { VersionChoices } from './choices.js';
import { layOut, projectOf } from './project.fixture.js';
import type { StepOutcome } from './project.js';
import { alignMany, report, say } from './versions.fixture.js';
import { alignVersions, type VersionFinding } from './versions.js';

const highest: VersionChoices = { policy: 'highest', exceptions: new Map() };
const workspace: VersionChoices = { policy: 'workspace', exceptions: new Map() };

function byName(policy: 'highest' | 'workspace'): VersionChoices {
  return { policy: 'report', exceptions: new Map([['x', policy]]) };
}

type Text = readonly [range: string, locked?: string];

/** Aligns versions where `new` declares `x` by the first range and `old` by the second. */
function align(own: Text, other: Text, choices: VersionChoices = report, x = 'x'): StepOutcome<VersionFinding> {
  const manifests = {
    'packages/new': { name: 'new', devDependencies: { [x]: own[0] } },
    'packages/old': { name: 'old', dependencies: { [x]: other[0] } },
  };
  const importedPackages = { 'packages/new': own[1] === undefined ? {} : { [`${x}@${own[0]}`]: own[1] } };
  const rootLock = other[1] === undefined ? {} : { [`${x}@${other[0].replace(/^npm:/, '')}`]: other[1] };
  return alignVersions(projectOf({ manifests, importedPackages, rootLock }), choices);
}

describe('what becomes of a range where another workspace has one', () => {
  const cases: readonly (readonly [what: string, own: Text, other: Text, outcome: string | undefined])[] = [
    ['the same, locked alike', ['^1.0.0', '1.2.0'], ['^1.0.0', '1.2.0'], undefined],
    ['the same, nothing locked', ['^1.0.0'], ['^1.0.0'], undefined],
    ['the same, locked by the imported package alone', ['^1.0.0', '1.2.0'], ['^1.0.0'], undefined],
    ['the same, and the root has another version', ['^1.0.0', '1.2.0'], ['^1.0.0', '1.4.1'], 'new: ^1.0.0, 1.2.0 -> 1.4.1 (minor up)'],
    ['the same behind npm:', ['npm:^1.0.0', '1.2.0'], ['^1.0.0', '1.2.0'], undefined],
    ['a lower one', ['^4.16.0', '4.16.4'], ['^4.17.0', '4.22.3'], 'new: ^4.16.0 -> ^4.17.0, 4.16.4 -> 4.22.3 (minor up)'],
    ['a lower one, locked alike', ['^2.4.0', '2.4.2'], ['^2.4.1', '2.4.2'], 'new: ^2.4.0 -> ^2.4.1'],
    ['a higher one that the locked version satisfies', ['^1.2.0', '1.3.0'], ['^1.0.0', '1.2.9'], 'left at new: lower or wider'],
    ['a published one a patch higher', ['^3.0.1', '3.0.1'], ['^3.0.0', '3.0.1'], 'left at new: lower or wider'],
    ['a test runner that would get older with its range', ['^4.0.5', '4.1.10'], ['^4.0.0', '4.0.18'], 'left at new: lower or wider'],
    ['a test runner that would get older by a higher range', ['^4.0.0', '4.1.10'], ['^4.0.5', '4.0.18'], 'left at new: an older version'],
    ['a higher one that it does not satisfy', ['^1.2.0', '1.3.0'], ['^1.0.0', '1.1.0'], 'left at new: lower or wider'],
    ['a pin that would be loosened', ['2.8.0', '2.8.0'], ['^2.8.0', '2.8.8'], 'left at new: lower or wider'],
    ['a pin that is what is locked', ['2.8.8', '2.8.8'], ['^2.8.0', '2.8.8'], 'left at new: lower or wider'],
    ['a pin of the workspace', ['^2.8.0', '2.8.8'], ['2.8.9', '2.8.9'], 'new: ^2.8.0 -> 2.8.9, 2.8.8 -> 2.8.9 (patch up)'],
    ['an older pin of the workspace', ['^2.8.0', '2.8.9'], ['2.8.8', '2.8.8'], 'left at new: an older version'],
    ['a narrower one, only the imported package locked', ['~1.2.0', '1.2.3'], ['^1.0.0'], 'left at new: lower or wider'],
    ['a lower one, only the imported package locked', ['^1.0.0', '1.1.0'], ['^1.2.0'], 'left at new: locked apart'],
    ['a wider one, nothing locked', ['^1.0.0'], ['^1.2.0'], 'new: ^1.0.0 -> ^1.2.0'],
    ['a narrower one, nothing locked', ['^1.2.0'], ['^1.0.0'], 'left at new: lower or wider'],
    ['any version', ['*', '17.0.2'], ['^18.0.0', '18.3.1'], 'new: * -> ^18.0.0, 17.0.2 -> 18.3.1 (major up)'],
    ['any version in the workspace', ['^25.6.0', '25.9.4'], ['*', '25.9.4'], 'left at new: lower or wider'],
    ['any 0.x in the workspace', ['^0.27.0', '0.27.1'], ['0.x', '0.27.4'], 'left at new: lower or wider'],
    ['another major', ['^17.0.0', '17.0.2'], ['^18.0.0', '18.3.1'], 'left at new: ranges exclude each other'],
    ['another minor of 0.x', ['^0.27.0', '0.27.1'], ['^0.28.0', '0.28.2'], 'left at new: ranges exclude each other'],
    ['a prerelease', ['^2.0.0-rc.0', '2.0.0-rc.1'], ['^2.0.0-beta.1', '2.0.0-rc.2'], 'left at new: lower or wider'],
  ];
  test.each(cases)('%s', (_, own, other, outcome) => {
    const result = align(own, other);
    expect(say(result)).toEqual(outcome === undefined ? [] : [`x ${outcome}`]);
    const to = / -> ([^ ,]+)/.exec(outcome?.replace(/, .*/, '') ?? '')?.[1];
    expect([...result.edits]).toEqual(
      to === undefined ? [] : [['packages/new/package.json', layOut({ name: 'new', devDependencies: { x: to } })]],
    );
  });

  test.each<[own: Text, other: Text, outcome: string | undefined]>([
    [['^5.6.2', '5.6.2'], ['^5.9.0', '5.9.3'], 'left at new: breaks in minors'],
    [['^5.9.0', '5.9.3'], ['^5.0.4', '5.6.2'], 'left at new: lower or wider'],
    [['^5.0.0', '5.9.3'], ['^5.0.4', '5.6.2'], 'left at new: an older version'],
    [['5.x', '5.6.2'], ['^5.9.0', '5.9.3'], 'left at new: breaks in minors'],
    [['^5.6.2', '5.6.2'], ['^5.6.3', '5.6.3'], 'new: ^5.6.2 -> ^5.6.3, 5.6.2 -> 5.6.3 (patch up)'],
    [['^5.6.2', '5.9.3'], ['^5.9.0', '5.9.3'], 'new: ^5.6.2 -> ^5.9.0'],
    [['>=5', '5.6.2'], ['^5.9.0', '5.9.3'], 'new: >=5 -> ^5.9.0, 5.6.2 -> 5.9.3 (minor up)'],
    [['^5.6.2'], ['^5.9.0', '5.9.3'], 'new: ^5.6.2 -> ^5.9.0'],
    [['~5.6.2', '5.6.3'], ['^5.6.0', '5.6.3'], 'left at new: lower or wider'],
    [['^5.0.2', '5.9.3'], ['^5.0.2', '5.0.4'], 'new: ^5.0.2, 5.9.3 -> 5.0.4 (minor down)'],
  ])('of a package that breaks in minor versions these are like majors: %j beside %j', (own, other, outcome) => {
    expect(say(align(own, other, report, 'typescript'))).toEqual([`typescript ${outcome}`]);
  });

  test('there the policy decides as between majors', () => {
    expect(say(align(['^5.6.2', '5.6.2'], ['^5.9.0', '5.9.3'], workspace, 'typescript'))).toEqual([
      'typescript by policy workspace; new: ^5.6.2 -> ^5.9.0, 5.6.2 -> 5.9.3 (minor up)',
    ]);
  });

  const elsewhere = [
    'workspace:^',
    'patch:x@npm%3A^1.0.0#./x.patch',
    'catalog:',
    'portal:../x',
    'link:../x',
    'file:../x',
    'owner/x',
    'https://example.org/x.tgz',
    'latest',
    'npm:y@^1.0.0',
  ];
  test.each(elsewhere)('%s is left alone, on either side', (range) => {
    for (const result of [align([range], ['^1.0.0', '1.0.0'], highest), align(['^1.0.0', '1.0.0'], [range], highest)]) {
      expect(result.findings).toEqual([]);
      expect(result.edits.size).toBe(0);
    }
  });

  test('peers are left alone, on either side, and so is what has the name of a workspace', () => {
    const manifests = {
      'packages/new': {
        name: 'new',
        dependencies: { x: '^1.0.0', y: '^2.0.0', z: '^1.0.0', lone: '1' },
        peerDependencies: { y: '1', x: '3' },
      },
      'packages/old': { name: 'old', peerDependencies: { x: '^2.0.0' }, dependencies: { z: '^3.0.0' } },
      'packages/z': { name: 'z', version: '2.0.0' },
    };
    expect(alignVersions(projectOf({ manifests, importedPackages: { 'packages/new': {} } }), highest)).toEqual({
      edits: new Map(),
      findings: [],
    });
  });
});

describe('ranges that exclude each other', () => {
  const cases: readonly (readonly [own: Text, other: Text, choices: VersionChoices, outcome: string])[] = [
    [['^1.0.0', '1.2.0'], ['^2.0.0', '2.1.0'], workspace, 'by policy workspace; new: ^1.0.0 -> ^2.0.0, 1.2.0 -> 2.1.0 (major up)'],
    [['^3.0.0', '3.2.0'], ['^2.0.0', '2.1.0'], workspace, 'left at new: ranges exclude each other'],
    [
      ['^3.0.0', '3.2.0'],
      ['^2.0.0', '2.1.0'],
      byName('workspace'),
      'by policy workspace; new: ^3.0.0 -> ^2.0.0, 3.2.0 -> 2.1.0 (major down)',
    ],
    [['^1.0.0', '1.2.0'], ['^2.0.0', '2.1.0'], highest, 'by policy highest; new: ^1.0.0 -> ^2.0.0, 1.2.0 -> 2.1.0 (major up)'],
    [['^3.0.0', '3.2.0'], ['^2.0.0', '2.1.0'], highest, 'by policy highest; old: ^2.0.0 -> ^3.0.0, 2.1.0 -> 3.2.0 (major up)'],
    [['^3.0.0'], ['^2.0.0', '2.1.0'], highest, 'by policy highest; old: ^2.0.0 -> ^3.0.0'],
    [['1.0.0', '1.0.0'], ['^1.0.0', '1.4.0'], highest, 'left at new: lower or wider'],
    [['1.0.0', '1.0.0'], ['^1.0.0', '1.4.0'], byName('highest'), 'left at new: lower or wider'],
    [['1.0.0', '1.0.0'], ['^1.0.0', '1.4.0'], byName('workspace'), 'by policy workspace; new: 1.0.0 -> ^1.0.0, 1.0.0 -> 1.4.0 (minor up)'],
    [['^1.2.0', '1.2.0'], ['^1.0.0', '1.4.0'], byName('highest'), 'left at new: lower or wider'],
    [['1.0.0', '1.0.0'], ['1.4.0', '1.4.0'], highest, 'by policy highest; new: 1.0.0 -> 1.4.0, 1.0.0 -> 1.4.0 (minor up)'],
    [['1.4.0', '1.4.0'], ['1.0.0', '1.0.0'], highest, 'by policy highest; old: 1.0.0 -> 1.4.0, 1.0.0 -> 1.4.0 (minor up)'],
    [['1.0.0', '1.0.0'], ['~1.2.0', '1.2.1'], highest, 'left at new: ranges exclude each other'],
    [['^0.2.0', '0.2.0'], ['^1.0.0', '1.0.0'], highest, 'by policy highest; new: ^0.2.0 -> ^1.0.0, 0.2.0 -> 1.0.0 (major up)'],
    [['^1.2.0', '1.3.0'], ['^1.0.0', '1.1.0'], highest, 'by policy highest; old: ^1.0.0 -> ^1.2.0, 1.1.0 -> 1.3.0 (minor up)'],
    [['^1 || ^3', '3.0.0'], ['^2.0.0', '2.0.0'], highest, 'left at new: ranges exclude each other'],
    [['^1 || ^3', '3.0.0'], ['^2.0.0', '2.0.0'], byName('highest'), 'left at new: ranges exclude each other'],
  ];
  test.each(cases)('%j and %j', (own, other, choices, outcome) => {
    expect(say(align(own, other, choices))).toEqual([`x ${outcome}`]);
  });

  test.each([
    ['^1.2.0', '^1.0.0', true],
    ['2.0.0', '^1.2.0', true],
    ['^1.0.0', '1.2.0', false],
    ['*', '^1.0.0', false],
  ])('whoever names the dependency may loosen it: from %s to %s widens: %s', (own, other, widens) => {
    const outcomes = align([own], [other], byName('workspace')).findings.flatMap((finding) => finding.outcomes);
    const changes = outcomes.flatMap((outcome) => {
      if (outcome.kind === 'by policy') return outcome.changes;
      return outcome.kind === 'one range' ? [outcome.change] : [];
    });
    expect(changes).toMatchObject([{ range: { from: own, to: other }, widens }]);
  });

  test('an exception by name counts for that name, and "keep" says nothing', () => {
    const exceptions = (policy: 'highest' | 'keep', name: string): VersionChoices => ({
      ...workspace,
      exceptions: new Map([[name, policy]]),
    });
    expect(say(align(['^3.0.0'], ['^2.0.0'], exceptions('highest', 'x')))).toEqual(['x by policy highest; old: ^2.0.0 -> ^3.0.0']);
    expect(say(align(['^3.0.0'], ['^2.0.0'], exceptions('highest', 'y')))).toEqual(['x left at new: ranges exclude each other']);
    expect(align(['^2.1.0', '2.1.0'], ['^2.0.0', '2.1.0'], exceptions('keep', 'x'))).toEqual({ edits: new Map(), findings: [] });
  });

  test('the finding says who declares what, locked at what', () => {
    expect(align(['^1.0.0', '1.2.0'], ['^2.0.0', '2.1.0']).findings).toEqual([
      {
        name: 'x',
        declared: [
          {
            workspace: { name: 'new', path: 'packages/new' },
            block: 'devDependencies',
            isTool: true,
            name: 'x',
            range: '^1.0.0',
            versions: '^1.0.0',
            from: 'manifest',
            locked: { version: '1.2.0', by: 'importedPackage' },
            reach: 'workspace',
            catalogs: 'written out',
          },
          {
            workspace: { name: 'old', path: 'packages/old' },
            block: 'dependencies',
            isTool: false,
            name: 'x',
            range: '^2.0.0',
            versions: '^2.0.0',
            from: 'manifest',
            locked: { version: '2.1.0', by: 'root' },
            reach: 'consumers',
            catalogs: 'published as they are',
          },
        ],
        outcomes: [
          {
            kind: 'left',
            place: { workspace: { name: 'new', path: 'packages/new' }, block: 'devDependencies' },
            range: '^1.0.0',
            obstacle: 'ranges exclude each other',
          },
        ],
      },
    ]);
  });
});

describe('a published range', () => {
  const one = (range: string, locked: string, choices?: VersionChoices): readonly string[] => {
    const importedPackages = { n: { [`x@${range}`]: locked } };
    const given = { declared: { a: '^4.3.4', n: range }, rootLock: { 'x@^4.3.4': '4.4.3' }, importedPackages };
    return say(alignMany(choices === undefined ? given : { ...given, choices }));
  };

  test('stays where no version would move with it, so that the same package.json is published', () => {
    expect(one('^4.0.0', '4.4.3')).toEqual(['x left at n: published']);
    expect(one('^4.0.0', '4.4.1')).toEqual(['x n: ^4.0.0 -> ^4.3.4, 4.4.1 -> 4.4.3 (patch up)']);
  });

  test('is raised where the policy says so', () => {
    expect(one('^4.0.0', '4.4.3', highest)).toEqual(['x by policy highest; n: ^4.0.0 -> ^4.3.4']);
  });
});

describe('a workspace that has several ranges itself', () => {
  test('gives the one that the imported package has, then the one that moves nothing, then the one that most have', () => {
    const declared = { a: '^1.0.0', b: '^1.1.0', c: '^1.1.0', d: '^2.0.0', e: '^1.2.0' };
    const rootLock = { 'x@^1.0.0': '1.5.0', 'x@^1.1.0': '1.6.0', 'x@^1.2.0': '1.3.0', 'x@^2.0.0': '2.0.0' };
    const take = (range: string, locked: string): readonly string[] =>
      say(alignMany({ declared: { ...declared, n: range }, rootLock, importedPackages: { n: { [`x@${range}`]: locked } } }));
    expect(take('^1.0.0', '1.5.0')).toEqual([]);
    expect(take('^1.0.1', '1.3.0')).toEqual(['x left at n: published']);
    expect(take('^1.0.1', '1.4.0')).toEqual(['x n: ^1.0.1 -> ^1.1.0, 1.4.0 -> 1.6.0 (minor up)']);
    expect(take('^2.0.1', '2.0.1')).toEqual(['x left at n: lower or wider']);
    expect(take('>=1', '1.6.0')).toEqual(['x left at n: published']);
  });

  test('is raised as a whole by the policy "highest", but for what stands in a catalog', () => {
    const files = { '.yarnrc.yml': 'catalog:\n  x: ^1.0.0\n' };
    const root = { packageManager: 'yarn@4.18.1' };
    const declared = { a: '^1.0.0', b: '^2.0.0', c: 'catalog:', n: '^3.0.0' };
    const { edits, findings } = alignMany({ declared, importedPackages: { n: {} }, files, root, choices: highest });
    expect(say({ edits, findings })).toEqual(['x by policy highest; a: ^1.0.0 -> ^3.0.0; b: ^2.0.0 -> ^3.0.0; a catalog']);
    expect([...edits.keys()]).toEqual(['a/package.json', 'b/package.json']);
  });
});

describe('what an imported package decides at its own root', () => {
  const cases: readonly (readonly [what: string, root: object, outcome: readonly string[]])[] = [
    ['nothing', {}, ['x n: ^1.0.0 -> ^1.1.0, 1.2.0 -> 1.4.0 (minor up)']],
    ['resolutions', { resolutions: { x: 'patch:x@npm%3A1.2.0#./x.patch' } }, ['x left at n: overridden']],
    ['resolutions for itself', { resolutions: { 'n/x': '1.2.0' } }, ['x left at n: overridden']],
    ['resolutions for somebody else', { resolutions: { 'other/x': '1.2.0' } }, ['x n: ^1.0.0 -> ^1.1.0, 1.2.0 -> 1.4.0 (minor up)']],
    ['overrides of npm', { overrides: { x: '1.2.0' } }, ['x left at n: overridden']],
    ['overrides of pnpm', { pnpm: { overrides: { 'x@^1': '1.2.0' } } }, ['x left at n: overridden']],
  ];
  test.each(cases)('%s', (_, root, outcome) => {
    const manifests = { n: { name: 'n', dependencies: { x: '^1.0.0' }, ...root }, o: { name: 'o', dependencies: { x: '^1.1.0' } } };
    const locks = { importedPackages: { n: { 'x@^1.0.0': '1.2.0' } }, rootLock: { 'x@^1.1.0': '1.4.0' } };
    expect(say(alignVersions(projectOf({ manifests, ...locks }), report))).toEqual(outcome);
  });

  test('is not said to move where all have the same range', () => {
    const resolutions = { x: 'patch:x@npm%3A1.2.0#./x.patch' };
    const manifests = { n: { name: 'n', dependencies: { x: '^1.0.0' }, resolutions }, o: { name: 'o', dependencies: { x: '^1.0.0' } } };
    const locks = { importedPackages: { n: { 'x@^1.0.0': '1.2.0' } }, rootLock: { 'x@^1.0.0': '1.4.0' } };
    expect(alignVersions(projectOf({ manifests, ...locks }), report).findings).toEqual([]);
  });
});

describe('imported packages among each other', () => {
  test('the first one is what the second one meets', () => {
    const importedPackages = { b: { 'x@^1.2.0': '1.3.0' }, a: { 'x@^1.0.0': '1.1.0' } };
    expect(say(alignMany({ declared: { a: '^1.0.0', b: '^1.2.0' }, importedPackages }))).toEqual([
      'x a: ^1.0.0 -> ^1.2.0, 1.1.0 -> 1.3.0 (minor up)',
    ]);
  });

  test('each one that excludes the others is a decision', () => {
    const importedPackages = { a: { 'x@8': '8.4.0' }, b: { 'x@9': '9.2.0' }, c: { 'x@10': '10.8.0' } };
    const declared = { a: '8', b: '9', c: '10' };
    expect(say(alignMany({ declared, importedPackages }))).toEqual([
      'x left at b: ranges exclude each other',
      'x left at a: ranges exclude each other',
    ]);
    const { edits, findings } = alignMany({ declared, importedPackages, choices: highest });
    expect(say({ edits, findings })).toEqual([
      'x by policy highest; b: 9 -> 10, 9.2.0 -> 10.8.0 (major up)',
      'x by policy highest; a: 8 -> 10, 8.4.0 -> 10.8.0 (major up)',
    ]);
    expect([...edits.values()]).toEqual(['b', 'a'].map((name) => layOut({ name, dependencies: { x: '10' } })));
    expect(alignMany({ declared, importedPackages, choices: workspace }).edits.size).toBe(2);
  });

  test('what was declared just now is locked as the copy that undeclared imports got', () => {
    const importedPackages = { n: { 'x@^1.0.3': '1.2.0' } };
    expect(say(alignMany({ declared: { a: '^1.3.0', n: '^1.2.0' }, rootLock: { 'x@^1.3.0': '1.4.0' }, importedPackages }))).toEqual([
      'x n: ^1.2.0 -> ^1.3.0, 1.2.0 -> 1.4.0 (minor up)',
    ]);
  });
});

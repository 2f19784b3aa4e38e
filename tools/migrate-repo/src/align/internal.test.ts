import { describe, expect, test } from '@jest/globals';
import type { InternalConfig } from '@tributary/model/config';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { graphOf } from '@tributary/workspaces/testing/parse-graph';
import fc from 'fast-check';
import { alignInternal, type InternalFinding } from './internal.js';
import { layOut, projectOf } from './project.fixture.js';
import type { StepOutcome } from './project.js';

const standard: InternalConfig = { range: 'workspace:^', convert: 'admitted', packer: 'yarn' };
const all: InternalConfig = { range: 'workspace:^', convert: 'all', packer: 'yarn' };

interface Fixture {
  readonly lib?: object;
  readonly app?: object;
  readonly choices?: InternalConfig;
  /** The root's .yarnrc.yml. */
  readonly settings?: string;
  /** What `lib` had locked. */
  readonly locked?: Readonly<Record<string, string>>;
}

/** Aligns internal dependencies where `lib` is imported and `app` already exists. */
function align({ lib = {}, app = {}, choices = standard, settings = '', locked = {} }: Fixture): StepOutcome<InternalFinding> {
  const manifests = {
    'packages/app': { name: 'app', version: '1.0.0', ...app },
    'packages/lib': { name: 'lib', version: '1.2.3', ...lib },
  };
  return alignInternal(projectOf({ manifests, importedPackages: { 'packages/lib': locked }, files: { '.yarnrc.yml': settings } }), choices);
}

function say(findings: readonly InternalFinding[]): readonly string[] {
  return findings.map((finding) => {
    if (finding.kind === 'cycle') return `cycle of ${finding.members.map(({ name }) => name).join(' ')} through ${finding.through}`;
    if (finding.kind === 'transparency') return `opaque for ${finding.wanted.map(({ name }) => name).join(' ')}`;
    if (finding.kind === 'placeholder') return `${finding.workspace.name} is ${finding.released}`;
    if (finding.kind === 'unbuilt')
      return `${finding.workspace.name} to be built for ${finding.dependents.map(({ name }) => name).join(' ')}`;
    const version = finding.to === undefined ? 'missing' : (finding.to.version ?? 'no version');
    const extra = 'because' in finding ? finding.because : 'doubt' in finding ? finding.doubt : undefined;
    const line = `${finding.from.name} ${finding.block} ${finding.name}@${finding.range} (${version}): ${finding.kind}`;
    return extra === undefined ? line : `${line}, ${extra}`;
  });
}

test('a range for a workspace that did not come along becomes the one that packing writes, if there is a version', () => {
  const ranges = {
    star: 'workspace:*',
    caret: 'workspace:^',
    exact: 'workspace:2.0.0',
    folder: 'workspace:packages/folder',
    conf: 'workspace:*',
  };
  const own = { name: 'lib', dependencies: ranges, peerDependencies: { peer: 'workspace:~', none: 'workspace:~' } };
  const project = projectOf({ manifests: { 'packages/lib': own }, importedPackages: { 'packages/lib': {} } });
  const sibling = (version: string | undefined) => ({ folder: 'x' as RepoFolder, version });
  const siblings = new Map([...Object.keys(ranges), 'peer'].map((name) => [name, sibling(name === 'conf' ? undefined : '1.2.0')]));
  const importedPackages = project.importedPackages.map((one) => ({ ...one, siblings }));
  const { edits, findings } = alignInternal({ ...project, importedPackages }, standard);
  expect(JSON.parse(edits.get('packages/lib/package.json' as RepoPath) ?? '')).toEqual({
    name: 'lib',
    dependencies: { star: '1.2.0', caret: '^1.2.0', exact: '2.0.0', folder: '1.2.0', conf: 'workspace:*' },
    peerDependencies: { peer: '~1.2.0', none: 'workspace:~' },
  });
  expect(findings.map(({ kind }) => kind)).toEqual([...Array.from({ length: 4 }, () => 'of sibling'), 'unresolvable', 'of sibling']);
});

describe('a range of a workspace that was there, towards an imported package of version 1.2.3', () => {
  const cases: readonly (readonly [range: string, outcome: string | undefined, withAll: string | undefined])[] = [
    ['^1.0.0', 'converted, admitted', 'converted, admitted'],
    ['npm:1.x', 'converted, admitted', 'converted, admitted'],
    ['*', 'converted, admitted', 'converted, admitted'],
    ['', 'converted, admitted', 'converted, admitted'],
    ['^2.0.0', 'left, version not admitted', 'forced, version not admitted'],
    ['0.9.0', 'left, version not admitted', 'forced, version not admitted'],
    ['latest', 'left, tag', 'forced, tag'],
    ['file:../lib', 'converted, points there', 'converted, points there'],
    ['link:../lib/', 'converted, points there', 'converted, points there'],
    ['../lib', 'converted, points there', 'converted, points there'],
    ['file:../../../lib', 'left, other path', 'forced, other path'],
    ['link:../lib/dist', 'left, other path', 'forced, other path'],
    ['owner/lib', 'left, address', 'forced, address'],
    ['git+https://example.org/lib.git#semver:^1.0.0', 'converted, admitted', 'converted, admitted'],
    ['https://example.org/lib.tgz', 'left, address', 'forced, address'],
    ['workspace:*', undefined, undefined],
    ['workspace:^1.0.0', undefined, undefined],
    ['workspace:packages/lib', undefined, undefined],
    ['workspace:^2.0.0', 'unresolvable', 'unresolvable'],
    ['workspace:packages/other', 'unresolvable', 'unresolvable'],
    ['npm:other@^1.0.0', undefined, undefined],
    ['catalog:', undefined, undefined],
    ['portal:../lib', undefined, undefined],
    ['patch:lib@npm%3A^1.0.0#./x.patch', undefined, undefined],
  ];
  test.each(cases)('%j: %s; with all: %s', (range, outcome, withAll) => {
    for (const [choices, expected] of [[standard, outcome] as const, [all, withAll] as const]) {
      for (const block of ['dependencies', 'devDependencies', 'optionalDependencies']) {
        const { edits, findings } = align({ app: { [block]: { lib: range } }, choices });
        expect(say(findings)).toEqual(expected === undefined ? [] : [`app ${block} lib@${range} (1.2.3): ${expected}`]);
        const changed = expected?.startsWith('converted') === true || expected?.startsWith('forced') === true;
        expect([...edits.keys()]).toEqual(changed ? ['packages/app/package.json'] : []);
        if (changed)
          expect(edits.get('packages/app/package.json' as never)).toBe(
            layOut({ name: 'app', version: '1.0.0', [block]: { lib: 'workspace:^' } }),
          );
      }
    }
  });
});

describe('which version a range admits is as Yarn decides it', () => {
  const cases: readonly (readonly [version: string | undefined, range: string, outcome: string])[] = [
    ['2.0.0-rc.1', '^2.0.0-rc.0', 'converted, admitted'],
    ['2.0.0-rc.1', '^1.0.0', 'left, version not admitted'],
    ['1.1.0-rc.1', '^1.0.0', 'left, version not admitted'],
    ['1.1.0-rc.1', '*', 'left, version not admitted'],
    ['0.0.0-development', '^3.0.0', 'left, version not admitted'],
    [undefined, '*', 'left, no version'],
    [undefined, '^0.0.0', 'left, no version'],
  ];
  test.each(cases)('%s and %s: %s', (version, range, outcome) => {
    const { findings } = align({ lib: { version }, app: { dependencies: { lib: range } } });
    expect(say(findings)).toEqual([`app dependencies lib@${range} (${version ?? 'no version'}): ${outcome}`]);
  });

  test('what is converted is what already led to the workspace, before anybody said so', () => {
    const digits = fc.constantFrom('0', '1', '2');
    const versions = fc
      .tuple(digits, digits, digits, fc.constantFrom('', '-rc.0', '-rc.1'))
      .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre}`);
    const ranges = fc.tuple(fc.constantFrom('^', '~', '>=', '<', '', 'npm:^', 'npm:'), versions).map((parts) => parts.join(''));
    fc.assert(
      fc.property(versions, ranges, (version, range) => {
        const manifests = {
          'packages/app': { name: 'app', dependencies: { lib: range }, peerDependencies: { lib: range } },
          'packages/lib': { name: 'lib', version },
        };
        const { edits } = alignInternal(projectOf({ manifests, importedPackages: { 'packages/lib': {} } }), standard);
        const led = graphOf(manifests).edges.some(({ field }) => field === 'dependency');
        const converted = layOut({ ...manifests['packages/app'], dependencies: { lib: 'workspace:^' } });
        expect([...edits.values()]).toEqual(led ? [converted] : []);
      }),
    );
  });

  test('an imported package without a version is 0.0.0 to a workspace range', () => {
    expect(align({ lib: { version: undefined }, app: { dependencies: { lib: 'workspace:^0.0.0' } } }).findings).toEqual([]);
    expect(align({ lib: { version: undefined }, app: { dependencies: { lib: 'workspace:^1.0.0' } } }).findings).toHaveLength(1);
  });
});

describe('who is concerned', () => {
  test('an imported package asks for a workspace that is there, with the prefix that was chosen', () => {
    const { edits, findings } = align({
      lib: { devDependencies: { app: '1' } },
      choices: { range: 'workspace:*', convert: 'admitted', packer: 'yarn' },
    });
    expect(say(findings)).toEqual(['lib devDependencies app@1 (1.0.0): converted, admitted']);
    expect(edits.get('packages/lib/package.json' as never)).toBe(
      layOut({ name: 'lib', version: '1.2.3', devDependencies: { app: 'workspace:*' } }),
    );
  });

  test('imported packages ask for each other, and the root asks too', () => {
    const manifests = {
      '': { name: 'root', workspaces: ['packages/*'], devDependencies: { a: '^1.0.0' } },
      'packages/a': { name: 'a', version: '1.0.0' },
      'packages/b': { name: 'b', version: '1.0.0', dependencies: { a: '~1.0.0' }, optionalDependencies: { a: '~1.0.0' } },
    };
    const { findings } = alignInternal(projectOf({ manifests, importedPackages: { 'packages/b': {}, 'packages/a': {} } }), standard);
    expect(say(findings)).toEqual([
      'root devDependencies a@^1.0.0 (1.0.0): converted, admitted',
      'b dependencies a@~1.0.0 (1.0.0): converted, admitted',
      'b optionalDependencies a@~1.0.0 (1.0.0): converted, admitted',
    ]);
  });

  test('not workspaces that were there before', () => {
    const manifests = {
      'packages/a': { name: 'a', version: '1.0.0' },
      'packages/b': { name: 'b', version: '1.0.0', dependencies: { a: '^1.0.0' }, peerDependencies: { a: '^2.0.0' } },
      'packages/new': { name: 'new', version: '1.0.0', dependencies: { react: '^18.0.0' } },
    };
    const { edits, findings } = alignInternal(projectOf({ manifests, importedPackages: { 'packages/new': {} } }), all);
    expect(findings).toEqual([]);
    expect(edits.size).toBe(0);
  });

  test('an imported package whose entry a build makes', () => {
    const app = { dependencies: { lib: '^1.0.0' } };
    expect(say(align({ lib: { main: 'dist/lib.js' }, app }).findings)).toEqual([
      'app dependencies lib@^1.0.0 (1.2.3): converted, admitted',
      'lib to be built for app',
    ]);
    expect(say(align({ lib: { main: 'dist/lib.js' }, app: { dependencies: { lib: '^2.0.0' } } }).findings)).toHaveLength(1);
  });

  test('an imported package that asks for a published version of itself', () => {
    expect(say(align({ lib: { devDependencies: { lib: '^1.0.0' } }, choices: all }).findings)).toEqual([
      'lib devDependencies lib@^1.0.0 (1.2.3): left, itself',
    ]);
    expect(align({ lib: { devDependencies: { lib: '^0.9.0' } }, choices: all }).findings).toEqual([]);
    const locked = { 'lib@^1.0.0': '1.1.0' };
    expect(say(align({ lib: { devDependencies: { lib: '^1.0.0' } }, locked }).findings)).toEqual([
      'lib devDependencies lib@^1.0.0 (1.2.3): pinned',
    ]);
    expect(say(align({ lib: { dependencies: { lib: '^1.0.0' } }, locked }).findings)).toEqual([
      'lib dependencies lib@^1.0.0 (1.2.3): left, itself',
    ]);
    const settings = 'enableTransparentWorkspaces: false\n';
    expect(align({ lib: { devDependencies: { lib: '^1.0.0' } }, settings }).findings).toEqual([]);
    expect(say(align({ app: { dependencies: { lib: '^1.0.0' } }, settings }).findings)).toHaveLength(1);
  });

  test('and gets the locked version exactly, where only its development needs it', () => {
    const keep = (block: string, locked: string) =>
      alignInternal(
        projectOf({
          manifests: { 'packages/lib': { name: 'lib', version: '1.2.3', [block]: { lib: '^1.0.0' } } },
          importedPackages: { 'packages/lib': { 'lib@^1.0.0': locked } },
        }),
        standard,
      );
    const { edits, findings } = keep('devDependencies', '1.1.0');
    expect(say(findings)).toEqual(['lib devDependencies lib@^1.0.0 (1.2.3): pinned']);
    expect(edits.get('packages/lib/package.json' as never)).toContain('"lib": "1.1.0"');
    expect(say([...keep('devDependencies', '1.2.3').findings, ...keep('dependencies', '1.1.0').findings])).toEqual([
      'lib devDependencies lib@^1.0.0 (1.2.3): left, itself',
      'lib dependencies lib@^1.0.0 (1.2.3): left, itself',
    ]);
  });

  test('an imported package whose workspaces did not come along', () => {
    expect(say(align({ lib: { dependencies: { sibling: 'workspace:^' } } }).findings)).toEqual([
      'lib dependencies sibling@workspace:^ (missing): unresolvable',
    ]);
  });
});

describe('peers stay as they are', () => {
  const cases: readonly (readonly [version: string, range: string, satisfied: boolean])[] = [
    ['1.2.3', '^1.0.0', true],
    ['1.2.3', '^1.0.0 || ^2.0.0', true],
    ['1.2.3', '*', true],
    ['1.2.3', 'workspace:^', true],
    ['1.2.3', 'workspace:*', true],
    ['1.2.3', 'catalog:', true],
    ['2.0.0-rc.1', '^2.0.0', true],
    ['2.0.0-rc.1', '*', true],
    ['2.0.0-rc.1', '^1.0.0', false],
    ['1.2.3', '>=2', false],
    ['1.2.3', 'workspace:^2.0.0', false],
  ];
  test.each(cases)('version %s, peer range %s, satisfied: %s', (version, range, satisfied) => {
    const { edits, findings } = align({ lib: { version }, app: { peerDependencies: { lib: range } }, choices: all });
    expect(say(findings)).toEqual(satisfied ? [] : [`app peerDependencies lib@${range} (${version}): peer not satisfied`]);
    expect(edits.size).toBe(0);
  });

  test('the copy for development beside one is converted', () => {
    const { edits } = align({ app: { devDependencies: { lib: '^1.0.0' }, peerDependencies: { lib: '^1.0.0' } } });
    expect(edits.get('packages/app/package.json' as never)).toBe(
      layOut({ name: 'app', version: '1.0.0', devDependencies: { lib: 'workspace:^' }, peerDependencies: { lib: '^1.0.0' } }),
    );
  });
});

describe('cycles that the conversion makes are said once', () => {
  test('through development, and through what is needed to run', () => {
    const dev = align({ lib: { devDependencies: { app: '^1.0.0' } }, app: { dependencies: { lib: '^1.0.0' } } });
    expect(say(dev.findings).slice(2)).toEqual(['cycle of app lib through dev']);
    const run = align({ lib: { dependencies: { app: '^1.0.0' } }, app: { optionalDependencies: { lib: '^1.0.0' } } });
    expect(say(run.findings).slice(2)).toEqual(['cycle of app lib through dependencies']);
  });

  test('not one that a peer would close, and not one that was there', () => {
    expect(say(align({ lib: { peerDependencies: { app: '^1.0.0' } }, app: { dependencies: { lib: '^1.0.0' } } }).findings)).toHaveLength(1);
    const manifests = {
      'packages/a': { name: 'a', version: '1.0.0', dependencies: { b: 'workspace:^', lib: '^1.0.0' } },
      'packages/b': { name: 'b', version: '1.0.0', dependencies: { a: 'workspace:^' } },
      'packages/lib': { name: 'lib', version: '1.0.0' },
    };
    const { findings } = alignInternal(projectOf({ manifests, importedPackages: { 'packages/lib': {} } }), standard);
    expect(say(findings)).toEqual(['a dependencies lib@^1.0.0 (1.0.0): converted, admitted']);
  });
});

test('a second time changes nothing', () => {
  const fixture = { lib: { devDependencies: { app: '^1.0.0' } }, app: { dependencies: { lib: '^2.0.0' } }, choices: all };
  const once = align(fixture);
  const read = (name: string): object => JSON.parse(once.edits.get(`packages/${name}/package.json` as never) ?? '{}') as object;
  const twice = align({ lib: read('lib'), app: read('app'), choices: all });
  expect(once.edits.size).toBe(2);
  expect(twice.edits.size).toBe(0);
  expect(twice.findings).toEqual([]);
});

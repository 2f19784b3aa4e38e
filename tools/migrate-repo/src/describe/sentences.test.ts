import { describe, expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { InternalFinding } from '../align/internal.js';
import type { Downgrade } from '../align/lock/downgrades.js';
import type { LockedRequestOutcome } from '../align/lock/request-outcomes.js';
import type { PhantomFinding } from '../align/phantoms/phantom.js';
import type { ReplacedVersion } from '../align/replaced.js';
import type { Unbuilt } from '../align/unbuilt.js';
import { diffVersions, type VersionChange } from '../align/version-change.js';
import type { DeclarationRow } from '../align/version-table.js';
import type { LockOutcome } from '../alignment.js';
import { TOPICS } from '../topics.js';
import { decisionsOf } from './decisions.js';
import { installPart } from './install-part.js';
import { internalPart } from './internal-part.js';
import { lockPart, olderQuestions, plannedLockPart } from './lock-part.js';
import type { ReportPart } from './part.js';
import { phantomsPart } from './phantoms-part.js';
import { versionsPart } from './versions-part.js';

function change(from: string, to: string): VersionChange {
  const found = diffVersions(from, to);
  if (found === undefined) throw new Error('no change');
  return found;
}

const name = (text: string): WorkspaceName => text as WorkspaceName;

function textsOf({ decisions }: Pick<ReportPart, 'decisions'>): readonly string[] {
  return decisions.map((one) => (typeof one === 'string' ? one : one.text));
}

/** Returns topic, package, place and detail of each decision that has a topic. */
function movedIn({ decisions }: Pick<ReportPart, 'decisions'>): readonly string[] {
  return decisions.map((one) =>
    typeof one === 'object' && 'topic' in one ? `${one.topic}: ${one.package}, ${one.place} ${one.detail}` : '',
  );
}

describe('what the workspace replaces', () => {
  const time: ReplacedVersion = { name: 'time', change: change('3.0.0', '3.1.0'), for: [name('scale'), name('axis')], through: [] };
  const wide: ReplacedVersion = { name: 'wide', change: change('0.4.0', '0.5.0'), for: [], through: ['tool@1.0.0'] };
  const patch: ReplacedVersion = { name: 'array', change: change('3.2.0', '3.2.4'), for: [name('time')], through: [] };

  test('what may break is to be looked at, with who had it; minor versions and patches are left to the table', () => {
    const major = { ...time, change: change('2.0.0', '3.1.0') };
    const older = { ...time, change: change('2.0.5', '3.1.0'), for: [name('old')] };
    const through = { ...major, for: [name('map')], through: ['tool@1.0.0'] };
    expect(movedIn(internalPart([], [time, wide, major, older, through, patch], []))).toEqual([
      'replaced-breaking: the monorepo, wide 0.5.0 instead of 0.4.0 through packages of the registry',
      'replaced-breaking: scale, time 3.1.0 instead of 2.0.0 to 2.0.5',
      'replaced-breaking: axis, time 3.1.0 instead of 2.0.0 to 2.0.5',
      'replaced-breaking: old, time 3.1.0 instead of 2.0.0 to 2.0.5',
      'replaced-breaking: map, time 3.1.0 instead of 2.0.0 through packages of the registry',
    ]);
  });

  test('what comes from the registry and gets workspaces is to be decided', () => {
    const answered = [{ name: 'glob', range: 'npm:^10.0.0', by: 'rimraf@5.0.1' }];
    expect(internalPart([], [], answered).decisions).toEqual([
      expect.objectContaining({
        text: 'rimraf@5.0.1 comes from the registry and now gets the workspace glob.',
        byDefault: 'It gets the workspace as it is, built or not.',
      }),
    ]);
  });

  test('an answer to many holds for each of them, and for no other', () => {
    const idOf = (count: number): string | undefined => {
      const many = Array.from({ length: count }, (_, at) => ({ ...wide, name: `wide${at}` }));
      return decisionsOf([internalPart([], many, [])]).get('internal')?.[0]?.id;
    };
    expect(idOf(15)).toBe(idOf(15));
    expect(idOf(15)).not.toBe(idOf(16));
  });
});

describe('what has to be built before others', () => {
  const member = (text: string) => ({ name: name(text), path: `packages/${text}` as RepoPath });
  const unbuilt = (text: string, script: Unbuilt['script'], ...dependents: string[]): InternalFinding => ({
    kind: 'unbuilt',
    from: 'workspace',
    workspace: member(text),
    missing: { field: 'main', path: 'dist/a.js' },
    script,
    elsewhere: undefined,
    dependents: dependents.map(member),
  });

  test('one sentence, with the commands in order', () => {
    const findings = [unbuilt('lib', 'prepare', 'app'), unbuilt('ui', 'build', 'app', 'web')];
    expect(internalPart(findings, [])).toMatchObject({ changes: [] });
    expect(internalPart(findings, []).decisions).toEqual([
      expect.objectContaining({
        text: 'app, web get files from the workspace that only a build creates: lib (`dist/a.js`), ui (`dist/a.js`).',
        toChange:
          'Build them first, in this order: `yarn workspace lib run prepare && yarn workspace ui run build`. Tools that build in order, such as turborepo with `^build`, look for a script "build".',
      }),
    ]);
    expect(internalPart([unbuilt('ui', 'build', 'app')], []).decisions).toEqual([
      expect.objectContaining({ toChange: 'Build it first: `yarn workspace ui run build`.' }),
    ]);
  });

  test('what comes into another folder: no build is advised, and nothing is said to link it', () => {
    const elsewhere = { ...unbuilt('lib', 'build', 'app'), elsewhere: 'pkg' } as InternalFinding;
    expect(internalPart([elsewhere], []).decisions).toEqual([
      expect.objectContaining({ toChange: expect.stringMatching(/^No build makes them loadable.*lib \(`pkg`\)/) }),
    ]);
    const kept = { ...elsewhere, from: 'registry', unasked: undefined } as InternalFinding;
    expect(internalPart([kept], []).decisions).toEqual([
      expect.objectContaining({ topic: 'built-elsewhere', package: 'lib', detail: 'they are in `pkg`, for app' }),
    ]);
    expect(TOPICS['built-elsewhere'].toChange).not.toContain('--internal');
  });

  test('lines of "resolutions" are advised to be removed only where there are some', () => {
    const placeholder: InternalFinding = { kind: 'placeholder', workspace: member('lib'), version: '0.0.0-development', released: '2.0.0' };
    const link = { kind: 'converted', from: member('app'), name: 'lib', range: '^2.0.0', becomes: '^2.0.0', by: 'resolutions' };
    const linked = { ...link, block: 'dependencies', to: { ...member('lib'), version: '2.0.0' }, because: 'admitted', change: undefined };
    expect(internalPart([placeholder, linked as InternalFinding], []).decisions).toMatchObject([{ topic: 'placeholders', package: 'lib' }]);
    const { decisions, changes } = internalPart([placeholder], []);
    expect([decisions, changes]).toEqual([[], [expect.stringContaining('ranges were compared with its newest release tag, 2.0.0')]]);
  });

  test('packages of the registry that keep published versions, as before, are told without a decision', () => {
    const { changes, decisions } = internalPart([{ kind: 'transparency', wanted: [member('core')] }], []);
    expect(decisions).toEqual([]);
    expect(changes[1]).toMatch(/^Packages from the registry require core, and keep the published versions/);
  });

  test('what the root has is not told of what may have nothing there', () => {
    const { changes } = internalPart([{ kind: 'transparency', wanted: [] }], []);
    expect(changes).toEqual([
      expect.stringMatching(/^A matching version [^.]*: \.yarnrc\.yml has `enableTransparentWorkspaces: false`\.$/),
    ]);
  });

  test('where no script is known that makes it, that is said', () => {
    const kept = { ...unbuilt('lib', undefined, 'app'), from: 'registry', unasked: undefined } as InternalFinding;
    expect(textsOf(internalPart([kept], []))).toEqual([
      'A file that other packages load exists only after a build, for which it has no script.',
    ]);
    expect(internalPart([unbuilt('lib', undefined, 'app')], []).decisions).toEqual([
      expect.objectContaining({ toChange: 'No script "build", "prepare" or "prepack" creates it: make sure that it exists.' }),
    ]);
  });
});

test('what published code uses as a type alone stands in devDependencies, and is not called production in the same line', () => {
  const type = {
    finding: 'phantom',
    importedPackage: name('app'),
    package: '@types/a',
    kind: 'type',
    file: 'src/a.ts',
    line: 1,
    usedIn: 'production',
    declared: { block: 'devDependencies', range: '^1.0.0' },
  } as PhantomFinding;
  expect(phantomsPart([type, { ...type, file: 'test/a.ts', usedIn: 'test' } as PhantomFinding]).changes).toEqual([
    'app: @types/a `^1.0.0` in devDependencies; type in `src/a.ts:1`',
    'app: @types/a `^1.0.0` in devDependencies; type in `test/a.ts:1` (test)',
  ]);
});

test('what only benchmarks and examples use is told, and is no decision', () => {
  const use = { finding: 'phantom', importedPackage: name('app'), package: 'matcha', kind: 'require', file: 'bench/a.js', line: 1 };
  const phantoms = ['sample', 'fixture', 'script'].map((usedIn) => ({ ...use, usedIn, declared: undefined }) as PhantomFinding);
  const { changes, decisions } = phantomsPart(phantoms);
  expect(changes).toEqual(['sample', 'fixture'].map((usedIn) => `app: matcha is undeclared; require in \`bench/a.js:1\` (${usedIn})`));
  expect(decisions).toEqual([expect.objectContaining({ topic: 'missing', detail: 'require in `bench/a.js:1` (script)' })]);
});

describe('peers that a package manager has brought', () => {
  const peer = {
    finding: 'brought peer',
    importedPackage: name('app'),
    manager: 'npm',
    name: 'typescript',
    version: '5.4.0',
    of: ['typedoc@0.28.0'],
    reach: 'dependency',
    change: undefined,
  } as const;

  test('what was declared is a change, and the rest one decision for all', () => {
    const dom = { ...peer, name: 'dom', of: ['ink@3.0.0'], reach: 'indirect', declared: undefined } as const;
    const declared = { block: 'devDependencies', range: '^5.4.0' } as const;
    const { changes, decisions } = phantomsPart([
      { ...peer, declared },
      { ...peer, of: [], reach: 'package', declared },
      dom,
      { ...dom, importedPackage: name('other') },
    ]);
    expect(changes).toEqual([
      'app: typescript `^5.4.0` in devDependencies; npm installed it as a peer of typedoc@0.28.0',
      'app: typescript `^5.4.0` in devDependencies; npm installed it as a peer of the package itself',
    ]);
    const reason = { topic: 'missing', place: 'dom', detail: '5.4.0, a peer of ink@3.0.0' };
    expect(decisions).toMatchObject([
      { ...reason, package: 'app' },
      { ...reason, package: 'other' },
    ]);
  });
});

test('where nothing was installed, what had a build script is told in the words of an installation, so that one answer does for both', () => {
  const formerBuilds = [name('app'), name('cli')].map((importedPackage) => ({ importedPackage, package: 'esbuild@0.25.0' }));
  const { decisions } = installPart({ lock: undefined, unresolvable: [], scriptsOff: new Set(), formerBuilds, modulePaths: [] });
  const text = expect.stringMatching(/^It has a build script\./);
  expect(decisions).toEqual(
    ['app', 'cli'].map((one) => ({ topic: 'build-scripts', package: one, place: 'esbuild', text, detail: '0.25.0' })),
  );
});

describe('the lockfile', () => {
  const outcome: LockedRequestOutcome = {
    descriptor: 'ms@npm:^1.0.0',
    version: '1.0.0',
    others: [],
    by: [name('app')],
    direct: true,
    outcome: 'kept',
    change: undefined,
    why: undefined,
  };

  function part(outcomes: readonly LockedRequestOutcome[], more: Partial<LockOutcome> = {}) {
    const installation = { movedOfRoot: [], gone: [], newHosts: [], lock: '', warnings: [], scripts: 'skipped' as const };
    const yarn = { program: 'yarn', args: [], packageManager: undefined };
    const shown = { yarn, warnings: [], builds: 'shown' as const, misplaced: [], manifests: new Map(), spared: [] };
    const outcome: LockOutcome = { installation, outcomes, scripts: [], answered: [], toWorkspaces: [], ...shown, ...more };
    return lockPart(outcome, new Map([[name('app'), { file: 'yarn.lock', ignored: ['package-lock.json'], addressed: ['fork'] }]]));
  }

  test('one sentence, whose numbers add up', () => {
    const of = (one: LockedRequestOutcome['outcome'], count: number): readonly LockedRequestOutcome[] =>
      Array.from({ length: count }, () => ({ ...outcome, outcome: one }));
    const outcomes = [
      ...of('kept', 5),
      ...of('of the monorepo', 2),
      ...of('of an imported package', 1),
      ...of('a workspace', 1),
      ...of('no longer asked for', 4),
    ];
    expect(part(outcomes).changes[0]).toBe(
      'Of 13 locked requests 5 have the locked version; 2 that of the monorepo; 1 that of another imported package; 1 is resolved to a workspace; 4 are no longer made.',
    );
  });

  test('what is older than it was locked is one question, from what to what, for whom and through whom', () => {
    const older = (from: string, to: string, whom: readonly string[], through: readonly string[] = []): Downgrade => ({
      name: 'ms',
      change: change(from, to),
      for: whom,
      through,
    });
    expect(olderQuestions([])).toEqual([]);
    const some = [older('1.4.0', '1.1.0', ['b', 'c']), older('2.0.1', '2.0.0', [], ['tool@1.0.0'])];
    expect(textsOf({ decisions: olderQuestions(some) })).toEqual([
      'Packages get older versions than they had locked: ms 1.4.0 → 1.1.0 for b, c; ms 2.0.1 → 2.0.0 for the monorepo through tool@1.0.0.',
    ]);
    const many = Array.from({ length: 60 }, (_, at) => older(`1.${at + 1}.0`, '1.0.0', ['a']));
    expect(olderQuestions(many)[0]?.text.match(/→/g)).toHaveLength(60);
  });

  test('what could not be kept says why, with all versions that it had', () => {
    const refused = { ...outcome, others: ['1.2.0'], outcome: 'refused', why: 'the registry does not have the version' } as const;
    expect(part([refused]).changes).toContain(
      '`ms@npm:^1.0.0` was locked at 1.0.0 and 1.2.0, but could not be kept: the registry does not have the version.',
    );
  });

  test('what has an address is to be decided, and lockfiles that were not read are told', () => {
    expect(part([]).decisions).toMatchObject([{ topic: 'addressed', package: 'app', place: 'fork' }]);
    expect(part([]).changes).toContain('app: `package-lock.json` was not read, because `yarn.lock` takes precedence.');
  });

  test('what published packages keep through the root is told, and not taken for what Yarn writes in another way', () => {
    const manifests: LockOutcome['manifests'] = new Map([
      ['package.json' as RepoPath, '{}'],
      ['a/package.json' as RepoPath, '{}'],
    ]);
    const { changes } = part([], { manifests, spared: ['app@npm:1.0.0/core@npm:^2.0.0', 'app@npm:1.1.0/core@npm:^2.0.0'] });
    expect(changes).toContain(
      'Registry packages with the name of a workspace keep the published versions of their dependencies: 2 lines in "resolutions" of the root, such as `app@npm:1.0.0/core@npm:^2.0.0`. Remove a line when its version is no longer used.',
    );
    expect(changes).toContain('`a/package.json` was reformatted as Yarn would do at each installation.');
    expect(changes.filter((one) => typeof one === 'string' && one.startsWith('`package.json`'))).toEqual([]);
  });

  test('a dry run says what only the installation shows, or that Yarn could not be asked', () => {
    expect(plannedLockPart(undefined)).toMatchObject({ decisions: [], changes: [expect.stringContaining('Only the installation shows')] });
    expect(plannedLockPart('the registry cannot be reached.')).toMatchObject({
      decisions: [{ text: 'It is unknown whether the branch can be installed: the registry cannot be reached.', risk: 'installation' }],
      changes: [],
    });
  });

  test('what became of the requests of the monorepo', () => {
    const installation = {
      movedOfRoot: [],
      gone: ['a@npm:1', 'b@npm:1'],
      newHosts: [],
      lock: '',
      warnings: [],
      scripts: 'skipped' as const,
    };
    const toWorkspaces = [{ descriptor: 'lib@npm:^1.0.0', change: undefined }];
    expect(part([], { installation, toWorkspaces }).changes[0]).toBe(
      'No locked version of the monorepo changed; 1 of its requests is now resolved to a workspace, and 2 are no longer made.',
    );
  });
});

describe('one version of each dependency', () => {
  function row(workspace: string, range: string, more: Partial<DeclarationRow> = {}): DeclarationRow {
    const rest = {
      block: 'dependencies',
      isTool: false,
      isNew: false,
      locked: '1.0.0',
      change: undefined,
      widensFor: 'nobody',
      left: undefined,
      policy: undefined,
    } as const;
    return { workspace: { name: name(workspace), path: workspace as never }, range: { from: range, to: range }, ...rest, ...more };
  }

  test('everybody who declares it, with the reason why it is left', () => {
    const others = Array.from({ length: 6 }, (_, at) => row(`w${at}`, '^2.0.0', { locked: '2.1.0' }));
    const moved = row('moved', '', { range: { from: '2', to: '^2.0.0' }, locked: '2.0.0', change: change('2.0.0', '2.1.0') });
    const rows = [row('app', '^1.0.0', { isNew: true, left: 'ranges exclude each other' }), ...others, moved];
    const { decisions } = versionsPart([{ name: 'ms', rows }], []);
    expect(decisions).toHaveLength(8);
    expect(decisions.slice(0, 2)).toEqual([
      { topic: 'versions', package: 'app', place: 'ms', text: 'No version satisfies all of them.', detail: '`^1.0.0` (1.0.0)' },
      { topic: 'versions', package: 'w0', place: 'ms', text: 'No version satisfies all of them.', detail: '`^2.0.0` (2.1.0)' },
    ]);
  });

  test('ranges that differ are nothing to decide where all get one version, and are where they do not', () => {
    const own = row('app', '^1.2.0', { isNew: true, left: 'lower or wider' });
    expect(versionsPart([{ name: 'ms', rows: [own, row('old', '^1.0.0')] }], []).decisions).toEqual([]);
    expect(versionsPart([{ name: 'ms', rows: [own, row('old', '^1.0.0', { locked: '1.4.0' })] }], []).decisions).toMatchObject([
      { topic: 'versions', package: 'app', place: 'ms', text: 'One range for all would allow versions that one of them excludes.' },
      { topic: 'versions', package: 'old', detail: '`^1.0.0` (1.4.0)' },
    ]);
  });

  test('TypeScript is not called a package below 1.0.0', () => {
    const rows = [
      row('app', '^5.0.2', { isNew: true, locked: '5.0.2', left: 'breaks in minors' }),
      row('old', '^5.4.0', { locked: '5.9.3' }),
    ];
    expect(versionsPart([{ name: 'typescript', rows }], []).decisions).toMatchObject([
      { text: 'The ranges overlap, but minor versions of this package may break, and the locked ones differ.' },
      { package: 'old' },
    ]);
  });

  test('versions of what only development uses are nothing to decide, unless it is a peer too', () => {
    const tool = (who: string, range: string, isTool = true): DeclarationRow =>
      row(who, range, { block: 'devDependencies', isTool, isNew: true, locked: range, left: 'ranges exclude each other' });
    const tables = [
      { name: 'prettier', rows: [tool('a', '2.0.0'), tool('b', '3.0.0')] },
      { name: 'bundled', rows: [tool('a', '2.0.0'), row('b', '3.0.0', { locked: '3.0.0' })] },
      { name: 'react', rows: [tool('a', '17.0.0', false), row('b', '18.0.0', { locked: '18.0.0' })] },
    ];
    const { decisions, changes } = versionsPart(tables, []);
    expect(decisions).toMatchObject([{ place: 'react' }, { place: 'react' }]);
    const told = changes.flatMap((one) => (typeof one === 'string' ? [] : one.about.map(({ place, detail }) => `${place} ${detail}`)));
    expect(told).toEqual(['prettier `2.0.0`', 'prettier `3.0.0`', 'bundled `2.0.0`', 'bundled `3.0.0`']);
  });

  test('a published package that admits more than before is told by name', () => {
    const range = { from: '^3.1.0', to: '3' };
    const tables = ['time', 'array'].map((dependency) => ({
      name: dependency,
      rows: [row('scale', '', { range, widensFor: 'consumers' })],
    }));
    const reason = { topic: 'widened', package: 'scale', text: 'Its range allows more than before.', detail: '`^3.1.0` became `3`' };
    expect(versionsPart(tables, []).decisions).toEqual([
      { ...reason, place: 'time' },
      { ...reason, place: 'array' },
    ]);
  });

  test('what packages get newer than they had it is to be looked at if it may break: no minor versions, nothing that a policy decided', () => {
    const tap = (who: string, from: string, more: Partial<DeclarationRow> = {}): DeclarationRow =>
      row(who, '^21.0.0', { isNew: true, locked: from, change: change(from, '21.7.5'), ...more });
    const tables = [
      { name: 'tap', rows: [tap('a', '21.0.1'), tap('b', '21.6.0'), tap('c', '21.0.1'), tap('d', '21.7.4'), tap('e', '21.9.0')] },
      { name: 'chai', rows: [tap('a', '20.0.0', { policy: 'workspace' }), tap('here', '21.0.0', { isNew: false })] },
      { name: 'typescript', rows: [row('a', '*', { isNew: true, change: change('5.6.2', '5.9.3') })] },
      { name: 'beta', rows: [row('b', '>=1.0.0-0', { isNew: true, change: change('1.0.0-beta.1', '1.0.0') })] },
    ];
    expect(movedIn(versionsPart(tables, []))).toEqual([
      'newer-breaking: a, typescript 5.9.3 instead of 5.6.2',
      'newer-breaking: b, beta 1.0.0 instead of 1.0.0-beta.1',
    ]);
  });

  test('what changes, and by which policy', () => {
    const raised = row('old', '', { range: { from: '1', to: '2' }, change: change('1.0.0', '2.0.0'), policy: 'highest' });
    expect(versionsPart([{ name: 'ms', rows: [raised, row('app', '2')] }], []).changes).toEqual([
      'old: ms `1` became `2`, major upgrade from 1.0.0 to 2.0.0 (policy "highest")',
    ]);
  });
});

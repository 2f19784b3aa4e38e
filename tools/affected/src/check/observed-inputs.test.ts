import { describe, expect, test } from '@jest/globals';
import type { Observation } from '../observe/observation.js';
import { type ObservedMore, observedAt } from '../observe/observed.fixture.js';
import { HashedFiles } from '../plan/hashed-files.js';
import { hashingOf } from '../plan/hashing.fixture.js';
import { type PlannedWorkspace, Upstream } from '../plan/upstream.js';
import { findObservedInputs } from './observed-inputs.js';
import { projectOf } from './project.fixture.js';

const { project } = projectOf({
  'packages/app/package.json': { name: 'app', dependencies: { lib: '*' } },
  'packages/app/src/a.js': '',
  'packages/app/data.json': '',
  'packages/app/README.md': '',
  'packages/lib/package.json': { name: 'lib' },
  'packages/lib/src/l.js': '',
  'packages/lib/src/m.js': '',
  'packages/lib/[id].js': '',
  'tsconfig.base.json': '',
  'setup.js': '',
  'turbo.json': '',
  'yarn.lock': '',
});
const WORKSPACES = ['app', 'lib'].map((name): PlannedWorkspace => {
  const scripts = new Map([['build', 'x'] as const, ['test', 'x'] as const]);
  const needs = name === 'app' ? ['lib'] : [];
  return { name, path: `packages/${name}`, scripts, dependencies: needs, needs, isRuled: false };
});
const HEAD = 'a'.repeat(40);
const OWN = ['packages/app/package.json', 'packages/app/src/a.js', 'packages/app/data.json', 'packages/app/README.md'];

interface Asked {
  readonly inputs?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly global?: string;
  readonly turboInputs?: 'respect' | 'ignore';
}

/** What is said of `app`, whose tests were traced. */
function said(runs: readonly ObservedMore[], { inputs, dependsOn = [], global, turboInputs = 'respect' }: Asked = {}): readonly string[] {
  const upstream = new Upstream(
    new Map([
      ['build', []],
      ['test', dependsOn],
    ]),
    WORKSPACES,
  );
  const facts = hashingOf({ tasks: { build: {}, test: inputs === undefined ? {} : { inputs } }, turboInputs });
  const observed = runs.map((more): Observation => observedAt(more.commit ?? HEAD, 'app', more));
  const found = findObservedInputs(project, observed, {
    head: HEAD,
    taskOf: (task) => ({
      hashed: new HashedFiles(upstream, facts, task),
      inputsOf: (workspace) => facts.inputs.of(workspace, task),
      isGlobal: (path) => path === global,
      turboInputs,
    }),
  });
  return found.map(({ severity, what, path, files, add }) => `${severity} ${what} ${path} ${files}: ${add}`);
}

describe('a file that was read and is not hashed', () => {
  test.each<[why: string, file: string, asked: Asked, finding: readonly string[]]>([
    ['of the root', 'setup.js', {}, ['note not-hashed setup.js 1: "$TURBO_DEFAULT$", "$TURBO_ROOT$/setup.js"']],
    [
      'of the root, beside an entry that includes',
      'setup.js',
      { inputs: ['$TURBO_DEFAULT$'] },
      ['note not-hashed setup.js 1: "$TURBO_ROOT$/setup.js"'],
    ],
    ['with a name that is a pattern', 'packages/lib/[id].js', {}, []],
    ['of the root, and global', 'setup.js', { global: 'setup.js' }, []],
    ['of the root, and an input', 'setup.js', { inputs: ['$TURBO_DEFAULT$', '$TURBO_ROOT$/setup.js'] }, []],
    ['that turborepo reads itself', 'yarn.lock', {}, []],
    [
      'of a dependency',
      'packages/lib/src/l.js',
      {},
      ['note not-hashed packages/lib/src/l.js 1: "$TURBO_DEFAULT$", "$TURBO_ROOT$/packages/lib/src/l.js"'],
    ],
    ['of a dependency that is built before', 'packages/lib/src/l.js', { dependsOn: ['^build'] }, []],
    ['that is the manifest of another workspace', 'packages/lib/package.json', {}, []],
    ['that is not tracked', 'packages/lib/dist/l.js', {}, []],
  ])('%s', (_, file, asked, finding) => {
    expect(said([{ files: [...OWN, file] }], asked)).toEqual(finding);
  });

  test('is named with the default of turborepo where no entry includes anything', () => {
    expect(said([{ files: ['setup.js'] }], { inputs: ['!README.md'] })).toEqual([
      'note not-hashed setup.js 1: "$TURBO_DEFAULT$", "$TURBO_ROOT$/setup.js"',
    ]);
  });

  test('of its own workspace is a hole where inputs are respected', () => {
    const asked = { inputs: ['src/**'] };
    const hole = 'not-hashed packages/app/README.md 1: "README.md"';
    const files = OWN.filter((path) => !path.endsWith('data.json'));
    expect(said([{ files }], asked)).toEqual([`hole ${hole}`]);
    expect(said([{ files }], { ...asked, turboInputs: 'ignore' })).toEqual([`note ${hole}`]);
  });

  test('is one finding for all files of another workspace, also of incomplete runs', () => {
    const gaps = [{ gap: 'left-over', detail: 'x' }] as const;
    const runs = ['l', 'm'].map((name) => ({ files: [...OWN, `packages/lib/src/${name}.js`], complete: false, gaps }));
    const [first, ...others] = runs;
    const manifest = { ...first, files: [...(first?.files ?? []), 'packages/lib/package.json'] };
    expect(said([manifest, ...others])).toEqual([
      'note not-hashed packages/lib/src/l.js 3: "$TURBO_DEFAULT$", "$TURBO_ROOT$/packages/lib/**"',
    ]);
  });

  test('is not told of a run that indexed the project, of none, or where only turborepo knows', () => {
    expect(said([{ files: ['setup.js'], complete: false, gaps: [{ gap: 'crawl', detail: 'x' }] }])).toEqual([]);
    expect(said([])).toEqual([]);
    expect(said([{ files: [...OWN, 'setup.js'] }], { inputs: ['$TURBO_EXTENDS$'] })).toEqual([]);
  });
});

describe('a file that is hashed and was not read', () => {
  const unread = ['note not-read packages/app/README.md 1: "$TURBO_DEFAULT$", "!README.md"'];
  const files = OWN.filter((path) => !path.endsWith('README.md'));

  test('is a possible saving', () => {
    expect(said([{ files }])).toEqual(unread);
    expect(said([{ files: files.slice(0, 2) }])).toEqual(['note not-read packages/app/data.json 2: "$TURBO_DEFAULT$", "!data.json"']);
    expect(said([{ files }], { inputs: ['$TURBO_DEFAULT$'] })).toEqual(['note not-read packages/app/README.md 1: "!README.md"']);
  });

  test('is not told of another commit, whose code did not read it, nor of a folder that the tests list', () => {
    expect(said([{ files }, { files, commit: 'b'.repeat(40) }])).toEqual([]);
    expect(said([{ files, commit: 'b'.repeat(40) }, { files }])).toEqual(unread);
    expect(said([{ files, listed: [{ path: 'packages/app', hash: 'x' }] }])).toEqual([]);
  });

  test('is none if any run read it, or looked it up, or if a run is not complete', () => {
    expect(said([{ files }, { files: OWN }])).toEqual([]);
    expect(said([{ files, found: ['packages/app/README.md'] }])).toEqual([]);
    expect(said([{ files }, { files, complete: false, gaps: [{ gap: 'left-over', detail: 'x' }] }])).toEqual([]);
    expect(said([{ files, part: [1, 2] }])).toEqual([]);
    expect(said([{ files }], { inputs: ['src/**', 'data.json'] })).toEqual([]);
  });
});

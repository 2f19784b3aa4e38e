import { describe, expect, test } from '@jest/globals';
import { alignInternal, type InternalFinding } from '../internal.js';
import { lockOf } from '../lock/berry-lock.fixture.js';
import { layOut, projectOf } from '../project.fixture.js';
import { type PublishedVersions, unlockedNames } from '../published-versions.js';
import { spareNamesakes } from './links.js';

// Requests in manifests that npm packs: consumers still get the declared range, and the request still leads to the workspace.

const CHOICES = { range: 'workspace:^', convert: 'admitted', packer: 'npm' } as const;
const ROOT = { name: 'root', private: true, workspaces: ['packages/*'] };

interface Fixture {
  readonly app?: object;
  readonly lib?: object;
  readonly root?: object;
  readonly settings?: string;
  readonly released?: Readonly<Record<string, string>>;
  readonly lock?: string;
  readonly locked?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly convert?: 'admitted' | 'all';
  readonly scripts?: 'run' | 'refuse';
  readonly others?: Readonly<Record<string, object>>;
  /** What the packages in the old lockfile request, as `name@range`. */
  readonly indirect?: readonly string[];
  readonly published?: PublishedVersions;
}

/** Aligns internal dependencies where `app` and `lib` are both imported. */
function align({
  app = {},
  lib = {},
  root = {},
  settings = '',
  released = {},
  lock = '',
  locked = {},
  files = {},
  convert,
  scripts,
  others = {},
  indirect = [],
  published,
}: Fixture) {
  const project = projectOf({
    manifests: {
      '': { ...ROOT, ...root },
      ...others,
      'packages/app': { name: 'app', version: '1.0.0', dependencies: { lib: '^1.0.0' }, ...app },
      'packages/lib': { name: 'lib', version: '1.2.3', ...lib },
    },
    importedPackages: { 'packages/lib': {}, 'packages/app': locked },
    files: { '.yarnrc.yml': settings, 'yarn.lock': lock, ...files },
    released,
  });
  const importedPackages = project.importedPackages.map((one) =>
    one.oldLock === undefined
      ? one
      : { ...one, oldLock: { ...one.oldLock, indirect: new Set<string>(indirect), asks: new Map([['tool', new Set(['lib', 'app'])]]) } },
  );
  const whole = { ...project, importedPackages };
  const choices = { ...CHOICES, convert: convert ?? 'admitted' } as const;
  const asked = unlockedNames(whole, choices, scripts ?? 'refuse');
  const answers = new Map(published === undefined ? [] : asked.map((name) => [name, published] as const));
  const { edits, findings } = alignInternal(whole, choices, scripts, answers);
  return { edits: Object.fromEntries(edits), said: findings.flatMap(say) };
}

function say(finding: InternalFinding): readonly string[] {
  switch (finding.kind) {
    case 'converted':
    case 'forced':
      return [`${finding.from.name} gets ${finding.name} by ${finding.by}${finding.change === undefined ? '' : `, ${finding.change.to}`}`];
    case 'left':
      return [`${finding.from.name} keeps ${finding.name}: ${finding.doubt}`];
    case 'placeholder':
      return [`${finding.workspace.name} is ${finding.released}`];
    case 'unbuilt':
      return [
        `${finding.workspace.name} is unbuilt, from the ${finding.from}${finding.from === 'registry' && finding.unasked !== undefined ? `: ${finding.unasked}` : ''}`,
      ];
    case 'transparency':
      return [`opaque for ${finding.wanted.map(({ name }) => name).join(' ')}`];
    default:
      return [finding.kind];
  }
}

const OPAQUE = 'enableTransparentWorkspaces: false\n';
const LINK = { resolutions: { 'app/lib': 'workspace:packages/lib' } };
const linked = { 'package.json': layOut({ ...ROOT, ...LINK }) };

test('a range that admits the version leads there by itself, and no file changes', () => {
  expect(align({})).toEqual({ edits: {}, said: ['app gets lib by version'] });
});

test.each<[what: string, fixture: Fixture]>([
  ['Yarn goes by no version', { settings: OPAQUE }],
  ['the range excludes the version, and all are to lead there', { app: { dependencies: { lib: '^2.0.0' } }, convert: 'all' }],
])('resolutions lead there where %s', (_, fixture) => {
  expect(align(fixture)).toEqual({ edits: linked, said: ['app gets lib by resolutions'] });
});

test('in what is private, and what Yarn packs, stands workspace:', () => {
  const { edits } = align({ app: { private: true } });
  expect(edits['packages/app/package.json']).toContain('"lib": "workspace:^"');
});

test('a placeholder counts for the version of the newest release, whoever packs', () => {
  const fixture = { lib: { version: '0.0.0-development' }, released: { 'packages/lib': '1.4.0' }, locked: { 'lib@^1.0.0': '1.2.0' } };
  expect(align(fixture)).toEqual({ edits: linked, said: ['app gets lib by resolutions, 1.4.0', 'lib is 1.4.0'] });
  expect(align({ ...fixture, app: { private: true } }).edits).toEqual(linked);
  expect(align({ ...fixture, released: { 'packages/lib': '2.0.0' } }).said).toEqual([
    'app keeps lib: version not admitted',
    'lib is 2.0.0',
  ]);
  expect(align({ ...fixture, released: {} }).said).toEqual(['app keeps lib: version not admitted']);
  const peer = { ...fixture, app: { dependencies: {}, peerDependencies: { lib: '>=1.4' } } };
  expect(align(peer).said).toEqual([]);
  expect(align({ ...peer, released: {} }).said).toEqual(['peer not satisfied']);
});

test('the version of a real release is no placeholder', () => {
  expect(align({ released: { 'packages/lib': '9.0.0' } }).said).toEqual(['app gets lib by version']);
});

test('a path to the folder becomes a range that can be published', () => {
  const { edits, said } = align({ app: { dependencies: { lib: 'file:../lib' } } });
  expect(edits['packages/app/package.json']).toContain('"lib": "^1.2.3"');
  expect(said).toEqual(['app gets lib by version']);
});

test('what the root resolves to something else is left', () => {
  expect(align({ root: { resolutions: { lib: '1.0.0' } } }).said).toEqual(['app keeps lib: overridden']);
  expect(align({ root: { resolutions: { 'other/lib': '1.0.0' } } }).said).toEqual(['app gets lib by version']);
});

test('a link that is there already is not written again', () => {
  expect(align({ root: LINK, settings: OPAQUE })).toEqual({ edits: {}, said: ['app gets lib by resolutions'] });
});

describe('ranges lead to workspaces by themselves no more', () => {
  const off = { ...linked, '.yarnrc.yml': OPAQUE };
  const asks = (range: string): string => lockOf(`tool@npm:^1.0.0 -> tool@npm:1.0.0 -> lib@npm:${range}`);

  test('where a package of the registry would get what has come', () => {
    const said = ['app gets lib by resolutions', 'opaque for lib'];
    expect(align({ lock: asks('^1.0.0') })).toEqual({ edits: off, said });
    expect(align({ indirect: ['lib@^1.2.0'] })).toEqual({ edits: off, said });
    expect(align({ lock: asks('^2.0.0'), indirect: ['lib@^0.1.0', 'app@^9.0.0'] }).said).toEqual(['app gets lib by version']);
  });

  test('but not for versions of workspaces that were locked, and are gone', () => {
    const others = { 'packages/tool': { name: 'tool', version: '1.0.0' } };
    expect(align({ others, lock: asks('^1.0.0') }).said).toEqual(['app gets lib by version']);
    expect(align({ others, indirect: ['lib@^1.0.0'] }).said).toEqual(['app gets lib by version']);
    // A `tool` of the registry remains and gets its own `lib`: `app` requests an older `tool` than the workspace.
    const app = { dependencies: { lib: '^1.0.0', tool: '^0.9.0' } };
    expect(align({ others, app, indirect: ['lib@^1.0.0'] }).said).toEqual([
      'app gets lib by resolutions',
      'app keeps tool: version not admitted',
      'opaque for lib',
    ]);
  });

  test('so that those that were there before say it', () => {
    const others = {
      'packages/a': { name: 'a', dependencies: { b: '^1.0.0', lib: '^1.0.0', ms: '1' } },
      'packages/b': { name: 'b', version: '1.0.0' },
    };
    const { edits } = align({ others, lock: asks('^1.0.0') });
    expect(JSON.parse(edits['package.json'] ?? '')).toMatchObject({
      resolutions: { 'a/b': 'workspace:packages/b', 'a/lib': 'workspace:packages/lib', 'app/lib': 'workspace:packages/lib' },
    });
  });

  test('but not where the monorepo lets packages of the registry have its workspaces', () => {
    const others = { 'packages/b': { name: 'b', version: '1.0.0' } };
    const led = lockOf('tool@npm:^1.0.0 -> tool@npm:1.0.0 -> lib@npm:^1.0.0, b@npm:^1.0.0', 'b@npm:^1.0.0 -> b@workspace:packages/b');
    expect(align({ others, lock: led })).toEqual({ edits: {}, said: ['app gets lib by version'] });
  });

  test('so that what a build has to make first stays with the registry that has it', () => {
    const fixture: Fixture = { lib: { main: 'dist/lib.js' }, locked: { 'lib@^1.0.0': '1.2.3' } };
    expect(align(fixture)).toEqual({
      edits: { '.yarnrc.yml': OPAQUE },
      said: ['app keeps lib: not built', 'lib is unbuilt, from the registry', 'opaque for '],
    });
    const built = ['app gets lib by version', 'lib is unbuilt, from the workspace'];
    expect(align({ ...fixture, scripts: 'run' }).said).toEqual(built);
    expect(align({ ...fixture, convert: 'all' }).said).toEqual(built);
    expect(align({ ...fixture, locked: {} }).said).toEqual(built);
    expect(align({ ...fixture, files: { 'packages/lib/dist/lib.js': '' } }).said).toEqual(['app gets lib by version']);
    const placeholder = { ...fixture, lib: { main: 'dist/lib.js', version: '0.0.0-development' }, released: { 'packages/lib': '1.2.3' } };
    expect(align(placeholder).said).toEqual(['app keeps lib: not built', 'lib is unbuilt, from the registry', 'opaque for ']);
  });
});

test('without a lockfile the registry says whether it has what a build would have to make first', () => {
  const fixture: Fixture = { lib: { main: 'dist/lib.js' }, published: { versions: ['0.9.0', '1.1.0'] } };
  const kept = ['app keeps lib: not built', 'lib is unbuilt, from the registry', 'opaque for '];
  const linked = ['app gets lib by version', 'lib is unbuilt, from the workspace'];
  expect(align(fixture)).toEqual({ edits: { '.yarnrc.yml': OPAQUE }, said: kept });
  expect(align({ ...fixture, published: { versions: ['0.9.0', '2.0.0'] } }).said).toEqual(linked);
  expect(align({ ...fixture, published: { versions: [] } }).said).toEqual(linked);
  const silent = { ...fixture, published: { why: 'no answer' } };
  expect(align(silent).said).toEqual(kept.map((text) => (text.startsWith('lib is') ? `${text}: no answer` : text)));
});

test('the registry is asked only of what may be there, must be built, and is in no lockfile', () => {
  const published = { why: 'asked' };
  const lib = { main: 'dist/lib.js' };
  const isAsked = (fixture: Fixture): boolean => align({ lib, published, ...fixture }).said.some((text) => text.endsWith(': asked'));
  expect(isAsked({})).toBe(true);
  expect(isAsked({ lib: { ...lib, private: true } })).toBe(false);
  expect(isAsked({ files: { 'packages/lib/dist/lib.js': '' } })).toBe(false);
  expect(isAsked({ locked: { 'lib@^1.0.0': '1.2.3' } })).toBe(false);
  expect(isAsked({ app: { dependencies: { lib: 'file:../lib' } } })).toBe(false);
  expect(isAsked({ scripts: 'run' })).toBe(false);
  expect(isAsked({ convert: 'all' })).toBe(false);
});

test('published packages that have the name of a workspace that asks get what they asked for', () => {
  const text = layOut({ ...ROOT, resolutions: { 'app/lib': 'workspace:packages/lib', 'lib/app': '1.0.0' } });
  const lock = lockOf(
    'app@npm:0.9.0 -> app@npm:0.9.0 -> lib@npm:^1.0.0',
    'lib@npm:^1.0.0 -> lib@npm:1.0.0',
    'app@workspace:app -> app@workspace:app -> lib@npm:^1.0.0',
  );
  const { text: spared, spared: keys } = spareNamesakes(text, lock);
  expect(keys).not.toEqual([]);
  expect(Object.entries((JSON.parse(spared) as { resolutions: object }).resolutions)).toEqual([
    ['app@npm:0.9.0/lib@npm:^1.0.0', 'npm:^1.0.0'],
    ['app/lib', 'workspace:packages/lib'],
    ['lib/app', '1.0.0'],
  ]);
  expect(spareNamesakes(spared, lock)).toEqual({ text: spared, spared: [] });
  expect(spareNamesakes(text, lockOf('lib@npm:^1.0.0 -> lib@npm:1.0.0'))).toEqual({ text, spared: [] });
});

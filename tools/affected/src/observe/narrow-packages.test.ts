import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { AffectedResult } from '../result.js';
import { type ObservedMore, ObservedRepo } from './observed.fixture.js';

const cleanUp = cleanUpIn(afterAll);

/** Ranges of packages, by the name of a workspace: `left ^1, mid ^1`. */
interface Project {
  readonly root?: string;
  readonly lib?: string;
  /** An entry a line, as `left ^1 = 1.0.0: deep ^1; peer: react; bin: left`. */
  readonly packages?: string;
  readonly manifest?: object;
  readonly metadata?: string;
}

const PACKAGES = `
  left ^1 = 1.0.0: deep ^1; bin: left
  right ^1 = 1.0.0: two ^1
  deep ^1 = 1.0.0
  two ^1 = 1.0.0
  three ^2 = 2.0.0: two ^2
  two ^2 = 2.0.0
  calm ^1 = 1.0.0; bin: calm
  tool ^1 = 1.0.0; bin: tool`;
const ROOT = 'left ^1, right ^1, three ^2, calm ^1, tool ^1';

function rangesOf(text: string): readonly (readonly [string, string])[] {
  return text.split(', ').flatMap((pair) => {
    const [name = '', range = ''] = pair.trim().split(' ');
    return name === '' ? [] : [[name, range] as const];
  });
}

function linesOf(title: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.length === 0 ? '' : `  ${title}:\n${pairs.map(([name, range]) => `    "${name}": "${range}"\n`).join('')}`;
}

function packageEntry(line: string): string {
  const [, name = '', range = '', version = '', more = ''] = /^(\S+) (\S+) = ([^:; ]+)(.*)$/.exec(line) ?? [];
  const part = (title: string): string => new RegExp(`${title}: ([^;]*)`).exec(more)?.[1] ?? '';
  const dependencies = rangesOf(/^: ([^;]*)/.exec(more)?.[1] ?? '').map(([one, asked]) => [one, `npm:${asked}`] as const);
  const peers = rangesOf(part('peer')).map(([one]) => [one, '*'] as const);
  const binaries = rangesOf(part('bin')).map(([one]) => [one, 'bin.js'] as const);
  return `"${name}@npm:${range}":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n${linesOf('dependencies', dependencies)}${linesOf('peerDependencies', peers)}${linesOf('bin', binaries)}  checksum: 10c0/${version}\n  languageName: node\n  linkType: hard\n`;
}

function lockOf({ root = ROOT, lib = 'tool ^1', packages = PACKAGES, metadata = '  version: 8\n' }: Project): string {
  const asked: Readonly<Record<string, string>> = { app: '', lib, other: '', bare: '' };
  const entry = (name: string, place: string, ranges: readonly (readonly [string, string])[]): string =>
    `"${name}@workspace:${place}":\n  version: 0.0.0-use.local\n  resolution: "${name}@workspace:${place}"\n${linesOf('dependencies', ranges)}  languageName: unknown\n  linkType: soft\n`;
  const npm = (text: string): readonly (readonly [string, string])[] => rangesOf(text).map(([name, range]) => [name, `npm:${range}`]);
  const members = Object.entries(asked).map(([name, text]) =>
    entry(name, `packages/${name}`, [...npm(text), ...(name === 'app' ? [['lib', 'workspace:^'] as const] : [])]),
  );
  const lines = packages.split('\n').map((line) => line.trim());
  const entries = lines.filter((line) => line !== '').map(packageEntry);
  return `__metadata:\n${metadata}\n${[...members, entry('monorepo', '.', npm(root)), ...entries].join('\n')}`;
}

function filesOf(project: Project): Readonly<Record<string, string>> {
  const { root = ROOT, lib = 'tool ^1', manifest = {} } = project;
  const own = { name: 'monorepo', private: true, workspaces: ['packages/*'], devDependencies: Object.fromEntries(rangesOf(root)) };
  return {
    'package.json': JSON.stringify({ ...own, ...manifest }),
    'packages/lib/package.json': JSON.stringify({
      name: 'lib',
      version: '1.0.0',
      scripts: { test: 'x' },
      dependencies: Object.fromEntries(rangesOf(lib)),
    }),
    'yarn.lock': lockOf(project),
  };
}

let one: ObservedRepo;
beforeAll(() => {
  one = new ObservedRepo(cleanUp, {
    'tributary.json': '{ "affected": { "observed": "narrow" } }\n',
    '.yarnrc.yml': 'nodeLinker: node-modules\n',
    // Every workspace may use what the settings of a runner name.
    'jest.config.js': "module.exports = ['left', 'right', 'three', 'calm', 'fresh', 'more', 'held', 'turbo', 'other', 'tool'];\n",
    'shared.cfg': '1\n',
    ...filesOf({}),
  });
});

const used = (...names: readonly string[]): ObservedMore => ({ packages: names.map((name) => ({ name, version: '1.0.0' })) });
const RAISED: Project = { packages: PACKAGES.replace('left ^1 = 1.0.0', 'left ^1 = 1.1.0') };

async function spared(project: Project, more: ObservedMore = {}, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const result = await one.select({ ...filesOf(project), ...files }, [one.observed('other', more)]);
  const of = (list: AffectedResult['spared']): string | undefined => list?.find(({ name }) => name === 'other')?.reason;
  const because = result.workspaces.find(({ name }) => name === 'other')?.reasons[0];
  const reason = because?.kind === 'shared' ? because.because : undefined;
  return of(result.spared) ?? reason ?? result.warnings.find((line) => line.startsWith('Observations exclude')) ?? JSON.stringify(result);
}

const times = (): string => `in 1 observed run, last at ${one.start.slice(0, 10)}`;

describe('a dependency of the root spares who did not use it', () => {
  test('with the reason, and selects all others with theirs', async () => {
    const result = await one.select(filesOf(RAISED), [one.observed('other', used('right')), one.observed('lib', used('left'))]);
    expect(result.all).toBeNull();
    expect(result.spared).toEqual([
      { name: 'other', path: 'packages/other', reason: `not affected by left (left@npm:1.0.0 became left@npm:1.1.0): not used ${times()}` },
    ]);
    expect(
      result.workspaces.map(({ name, reasons: [reason] }) => [name, reason?.kind === 'shared' ? reason.because : reason?.kind]),
    ).toEqual([
      ['monorepo', 'lockfile'],
      ['app', 'it was not observed.'],
      ['bare', 'it was not observed.'],
      ['lib', `it used the package left, which may differ from its observed run at ${one.start.slice(0, 10)}.`],
    ]);
  });

  test.each<[string, Project, ObservedMore, Readonly<Record<string, string>>]>([
    [
      'and is raised in the manifest and the lockfile',
      { root: ROOT.replace('left ^1', 'left ^2'), packages: PACKAGES.replace('left ^1 = 1.0.0', 'left ^2 = 2.0.0') },
      used('right'),
      {},
    ],
    ['and is new', { root: `${ROOT}, fresh ^1`, packages: `${PACKAGES}\n  fresh ^1 = 1.0.0` }, used('right'), {}],
    [
      'and is gone',
      { root: ROOT.replace(', calm ^1', ''), packages: PACKAGES.replace('calm ^1 = 1.0.0; bin: calm\n', '') },
      used('left'),
      {},
    ],
    [
      'though package managers read both files to find its script',
      RAISED,
      { apart: { written: [], ignored: [], caches: [], tools: ['package.json', 'yarn.lock'], toolLists: ['.'], outside: [] } },
      {},
    ],
    [
      'and is used by what it used, which was not built',
      { packages: PACKAGES.replace('deep ^1 = 1.0.0', 'deep ^1 = 1.0.1') },
      used('left'),
      {},
    ],
    ['though it listed another scope', RAISED, { list: ['node_modules/@types', 'packages/other/node_modules'] }, {}],
    ['and a file of the root', RAISED, {}, { 'shared.cfg': '2\n' }],
  ])('%s', async (_, project, more, files) => {
    expect(await spared(project, more, files)).toMatch(/^not affected by (left|fresh|calm)/);
  });
});

describe('selects who used', () => {
  test.each<[string, Project, ObservedMore, string]>([
    ['it', RAISED, used('left'), 'it used the package left'],
    [
      'what it looked for in vain',
      { root: `${ROOT}, fresh ^1`, packages: `${PACKAGES}\n  fresh ^1 = 1.0.0` },
      { packages: [{ name: 'fresh', version: null }] },
      'it looked for the package fresh',
    ],
    ['what it leads to', { packages: PACKAGES.replace('deep ^1 = 1.0.0', 'deep ^1 = 1.0.1') }, used('deep'), 'it used the package deep'],
    [
      'a version that more packages ask for now, and that comes to the root therefore',
      { root: `${ROOT}, more ^1`, packages: `${PACKAGES}\n  more ^1 = 1.0.0: two ^2` },
      used('two'),
      'it used the package two',
    ],
    [
      'what has to stay with a peer that may move',
      {
        packages: `${PACKAGES.replace('right ^1 = 1.0.0: two ^1', 'right ^1 = 1.0.1: two ^1')}\n  held ^1 = 1.0.0; peer: two`,
        root: `${ROOT}, held ^1`,
      },
      used('held'),
      'it used the package held',
    ],
    [
      'a package that is built with it',
      { packages: PACKAGES.replace('deep ^1 = 1.0.0', 'deep ^1 = 1.0.1') },
      { packages: [{ name: 'left', version: '1.0.0', builds: true }] },
      'it used the package left, whose script',
    ],
    ['what an installation makes besides packages', RAISED, { absent: ['node_modules/.made'] }, 'there was no node_modules/.made'],
    [
      'a link to a workspace whose place a package takes',
      { root: `${ROOT}, other ^9`, packages: `${PACKAGES}\n  other ^9 = 9.0.0` },
      { packages: [{ name: 'other', version: '0.0.0-use.local' }] },
      'it used the package other',
    ],
    [
      'a workspace whose scripts find its binary',
      { packages: PACKAGES.replace('tool ^1 = 1.0.0', 'tool ^1 = 1.0.1') },
      { found: ['packages/lib/package.json'] },
      'its scripts may use a binary of tool',
    ],
    ['a binary of its name', { packages: PACKAGES.replace('bin: left', 'bin: left, calm') }, used('calm'), 'it used the package calm'],
    [
      'a program that was not there',
      { packages: PACKAGES.replace('bin: left', 'bin: left, fresh') },
      { absent: ['node_modules/.bin/fresh'] },
      'there was no node_modules/.bin/fresh',
    ],
    ['all packages', RAISED, { list: ['node_modules'] }, 'it read the list of node_modules'],
    ['all programs', RAISED, { list: ['node_modules/.bin'] }, 'it read the list of node_modules/.bin'],
    [
      'all packages of its scope',
      { root: `${ROOT}, @types/fresh ^1`, packages: `${PACKAGES}\n  @types/fresh ^1 = 1.0.0` },
      { list: ['node_modules/@types'] },
      'it read the list of node_modules/@types',
    ],
    [
      'a scope that was not there',
      { root: `${ROOT}, @types/fresh ^1`, packages: `${PACKAGES}\n  @types/fresh ^1 = 1.0.0` },
      { absent: ['packages/other/node_modules/@types'] },
      'there was no packages/other/node_modules/@types',
    ],
    [
      'all packages of a folder into which one may move',
      { packages: PACKAGES.replace('three ^2 = 2.0.0', 'three ^2 = 2.0.1') },
      { list: ['packages/other/node_modules'] },
      'it read the list of packages/other/node_modules',
    ],
    [
      'package.json',
      { ...RAISED, root: ROOT.replace('left ^1', 'left ^1.0.0'), packages: PACKAGES.replace('left ^1 =', 'left ^1.0.0 =') },
      { files: ['package.json'] },
      'it read package.json',
    ],
    ['the lockfile', RAISED, { files: ['yarn.lock'] }, 'it read yarn.lock'],
    [
      'a package manager itself',
      RAISED,
      { nested: ['yarn'], apart: { written: [], ignored: [], caches: [], tools: ['yarn.lock'], toolLists: [], outside: [] } },
      'it read yarn.lock',
    ],
  ])('%s', async (_, project, more, because) => {
    expect(await spared(project, more)).toContain(because);
  });
});

describe('spares nobody', () => {
  test.each<[string, Project, Readonly<Record<string, string>>, string]>([
    [
      'with a lockfile that is older than the manifest',
      {},
      { 'package.json': filesOf({ root: ROOT.replace('left ^1', 'left ^2') })['package.json'] ?? '' },
      'yarn.lock is older than package.json',
    ],
    ['with another key of the manifest', { ...RAISED, manifest: { type: 'module' } }, {}, ''],
    [
      'with a script of the root',
      { ...RAISED, manifest: { scripts: { build: 'x' } } },
      {},
      'package.json changed in more than its dependencies',
    ],
    ['with another format of the lockfile', { ...RAISED, metadata: '  version: 9\n' }, {}, 'another version of Yarn'],
    [
      'after a change of what starts the tests',
      { root: `${ROOT}, turbo ^1`, packages: `${PACKAGES}\n  turbo ^1 = 1.0.0` },
      {},
      'the package turbo changed, which acts',
    ],
    [
      'with limits of hoisting',
      RAISED,
      { 'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "installConfig": { "hoistingLimits": "workspaces" } }' },
      'may limit where packages are installed',
    ],
    [
      'with a workspace that has no link to itself',
      RAISED,
      { 'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "installConfig": { "selfReferences": false } }' },
      'may limit where packages are installed',
    ],
    [
      'if a script of an installation names it',
      { ...RAISED, root: ROOT },
      { 'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "left x" } }' },
      'while dependencies are installed',
    ],
    [
      'if a script of an installation leads to it',
      RAISED,
      {
        'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "node gen.js" } }',
        'packages/bare/gen.js': 'import "./more.js";\n',
        'packages/bare/more.js': 'import "deep";\nimport "left/x.js";\n',
      },
      'while dependencies are installed',
    ],
    [
      'if a script of an installation goes to another folder',
      RAISED,
      { 'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "cd gen && ./run.sh" } }' },
      'while dependencies are installed',
    ],
    [
      'if a script of an installation starts a program that finds its file',
      RAISED,
      { 'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "make setup" } }' },
      'while dependencies are installed',
    ],
    ['if a command for all workspaces names it', RAISED, { Makefile: 'all:\n\tleft build\n' }, 'before the tests'],
  ])('%s', async (_, project, files, because) => {
    const reason = await spared(project, {}, files);
    expect(reason).not.toMatch(/^not affected/);
    expect(reason).toContain(because);
  });
});

test('a script of an installation that does not lead to it spares the others', async () => {
  const files = {
    'packages/bare/package.json': '{ "name": "bare", "version": "1.0.0", "scripts": { "postinstall": "node gen.js" } }',
    'packages/bare/gen.js': 'import "calm";\n',
  };
  expect(await spared(RAISED, {}, files)).toMatch(/^not affected/);
});

test('a package that was raised between the observed run and the base counts, too', async () => {
  const kept = [one.observed('other', used('left')), one.observed('bare', used('right'))];
  one.change(filesOf(RAISED));
  const base = one.repo.git('rev-parse', 'HEAD').trim();
  const { spared: found, workspaces } = await one.select({ 'shared.cfg': '2\n' }, kept, { base });
  expect(found?.map(({ name }) => name)).toEqual(['bare']);
  const because = workspaces.find(({ name }) => name === 'other')?.reasons[0];
  expect(because).toMatchObject({ kind: 'shared', because: expect.stringContaining('it used the package left') });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, USERS_OF_LIB, YARNRC } from './monorepo.fixture.js';
import { type Answer, ask, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const CASES: readonly (readonly [sentence: string, changed: readonly string[], affected: Answer])[] = [
  ['a source file of a library reaches its users over every kind of edge', ['packages/lib/src/index.js'], LIB_AND_USERS],
  ['a README in a workspace stays there, for nobody refers to it', ['packages/lib/README.md'], ['lib']],
  ['a test stays there', ['packages/lib/src/index.test.js'], ['lib']],
  ['a file of a workspace that nobody uses stays there', ['packages/alone/src/index.js'], ['alone']],
  ['a dependent with a peer only is no dependency of what it asks for', ['packages/by-peer/src/index.js'], ['by-peer']],
  ['a nested workspace owns its files alone', ['packages/lib/inner/src/index.js'], ['inner', 'inner-user']],
  ['a folder whose name begins like a nested workspace belongs to the outer one', ['packages/lib/inner-notes/a.js'], LIB_AND_USERS],
  ['a workspace that the root depends on reaches the root, and not everybody', ['packages/tool/src/index.js'], ['monorepo', 'tool']],
  ['a cycle is walked once, entered at one end', ['packages/ring-a/src/index.js'], ['ring-a', 'ring-b']],
  ['a cycle is walked once, entered at its dev edge', ['packages/ring-b/src/index.js'], ['ring-a', 'ring-b']],
  ['what lies behind a dev edge is reached too', ['packages/by-dev/src/index.js'], ['by-dev', 'dev-user']],
  ['two changes are the sum of both', ['packages/tool/a.js', 'packages/ring-a/a.js'], ['monorepo', 'ring-a', 'ring-b', 'tool']],
];

test.each(CASES)('%s', async (_, changed, affected) => {
  expect(await scene.ask({ files: Object.fromEntries(changed.map((file) => [file, 'changed\n'])) })).toEqual(affected);
});

test('the same answers where the graph is read from manifests', async () => {
  const files = { 'packages/lib/src/index.js': 'changed\n', ...manifestOf('packages/lib', { description: 'New words' }) };
  expect(await scene.ask({ files })).toEqual(LIB_AND_USERS);
});

test('each dependent says by what way it is reached', async () => {
  const { workspaces } = await scene.resultOf({ files: { 'packages/lib/src/index.js': 'changed\n' } });
  const because = { kind: 'file', file: 'packages/lib/src/index.js', others: 0 };
  expect(Object.fromEntries(workspaces.map(({ name, reasons }) => [name, reasons]))).toEqual({
    ...Object.fromEntries(USERS_OF_LIB.map((name) => [name, [{ kind: 'dependency', path: [name, 'lib'], because }]])),
    'dev-user': [{ kind: 'dependency', path: ['dev-user', 'by-dev', 'lib'], because }],
    lib: [because],
  });
});

describe('paths that lead to a workspace', () => {
  test.each(['link', 'portal', 'file'])('%s: to a folder within a workspace counts for the workspace that owns it', async (protocol) => {
    const before = {
      ...manifestOf('packages/alone', { dependencies: { part: `${protocol}:../tool/part` } }),
      ...manifestOf('packages/tool/part', {}),
      'packages/tool/part/index.js': '',
    };
    const change = { before, files: { 'packages/tool/part/index.js': 'changed\n' }, lock: 'by Yarn' } as const;
    expect(await scene.ask(change)).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('a package outside of all workspaces that asks for one', async () => {
    const before = {
      ...manifestOf('packages/alone', { dependencies: { outside: 'portal:../../outside' } }),
      'outside/package.json': '{"name": "outside", "dependencies": {"tool": "workspace:*"}}\n',
    };
    const change = { before, files: { 'packages/tool/a.js': '' }, lock: 'by Yarn' } as const;
    expect(await scene.ask(change)).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('a package that is given a dependency by packageExtensions', async () => {
    const before = {
      ...manifestOf('packages/alone', { dependencies: { outside: 'portal:../../outside' } }),
      'outside/package.json': '{"name": "outside"}\n',
      '.yarnrc.yml': `${YARNRC}packageExtensions:\n  "outside@*":\n    dependencies:\n      lib: "^1.0.0"\n`,
    };
    const change = { before, files: { 'packages/lib/src/index.js': 'changed\n' }, lock: 'by Yarn' } as const;
    expect(await scene.ask(change)).toEqual([...LIB_AND_USERS, 'alone'].toSorted());
  });

  test('a workspace whose folder is a symbolic link is not lost where manifests are read: its files are not seen there', async () => {
    const before = {
      ...manifestOf('packages/alone/inside', { name: 'inside', dependencies: { lib: 'workspace:*' } }),
      'packages/inside': { symlink: 'alone/inside' },
    };
    const files = manifestOf('packages/lib', { description: 'New words' });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toBe('all: SUBMODULE');
  });

  test('a symbolic link is a file of the workspace that holds it', async () => {
    const before = { 'packages/alone/shared': { symlink: '../lib/src' } };
    expect(await scene.ask({ files: before })).toEqual(['alone']);
    expect(await scene.ask({ before, files: { 'packages/alone/shared': { symlink: '../tool/src' } } })).toEqual(['alone']);
    expect(await scene.ask({ before, files: { 'packages/alone/shared': null } })).toEqual(['alone']);
  });
});

describe('a task of a workspace that turbo.json runs before others', () => {
  const before = (tasks: object): Files => ({ 'turbo.json': JSON.stringify({ tasks }) });
  const files: Files = { 'packages/alone/src/index.js': 'changed\n' };

  test('before those of one workspace: it is reached, and so are its dependents', async () => {
    const tasks = { test: {}, 'inner#test': { dependsOn: ['alone#gen'] } };
    expect(await scene.ask({ before: before(tasks), files })).toEqual(['alone', 'inner', 'inner-user']);
  });

  test('the reason names no file that does not say so', async () => {
    const { workspaces } = await scene.resultOf({ before: before({ 'inner#test': { dependsOn: ['alone#gen'] } }), files });
    expect(workspaces.find(({ name }) => name === 'inner')?.reasons).toEqual([
      {
        kind: 'dependency',
        path: ['inner', 'alone'],
        because: { kind: 'file', file: 'packages/alone/src/index.js', others: 0 },
        read: true,
      },
    ]);
  });

  test('before those of all: whoever has such a script is reached', async () => {
    const own = { ...before({ test: { dependsOn: ['alone#gen'] } }), ...manifestOf('packages/lib/inner', { scripts: { test: 'x' } }) };
    expect(await scene.ask({ before: own, files })).toEqual(['alone', 'inner', 'inner-user']);
  });

  test('before those of the root: the root is reached', async () => {
    expect(await scene.ask({ before: before({ '//#test': { dependsOn: ['alone#gen'] } }), files })).toEqual(['alone', 'monorepo']);
  });

  test('beside the edges of tributary.json', async () => {
    const edges = { inner: { workspaces: { tool: 'packages/lib/inner/a.js:1' } } };
    const own = { 'tributary.json': JSON.stringify({ affected: { edges } }) };
    const both = { ...before({ 'inner#test': { dependsOn: ['alone#gen'] } }), ...own };
    expect(await scene.ask({ before: both, files })).toEqual(['alone', 'inner', 'inner-user']);
    expect(await scene.ask({ before: both, files: { 'packages/tool/a.js': '' } })).toEqual(['inner', 'inner-user', 'monorepo', 'tool']);
  });

  test('in a turbo.json that cannot be read: turborepo runs nothing with it', async () => {
    expect(await scene.ask({ before: { 'turbo.json': '{ "dependsOn": ["alone#gen"' }, files })).toEqual(['alone']);
  });
});

describe('plain ranges', () => {
  const off = { '.yarnrc.yml': `${YARNRC}enableTransparentWorkspaces: false\n` };
  const byProtocol = LIB_AND_USERS.filter((name) => !['by-alias', 'by-catalog', 'by-package', 'by-semver'].includes(name));

  // Beside a lockfile, the tool does not read the catalog. If a range of the name leads to the workspace, the catalog's may too.
  const byLockfile = LIB_AND_USERS.filter((name) => byProtocol.includes(name) || name === 'by-catalog');

  test('mean no workspace where transparent workspaces are switched off', async () => {
    const repo = await scene.changed({ before: off, files: { 'packages/lib/src/index.js': 'changed\n' }, lock: 'by Yarn' });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(byLockfile);
    repo.commit('A manifest too', { files: manifestOf('packages/lib', { main: 'src/index.js' }) });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(byProtocol);
  });

  test('that a version bump no longer satisfies: who was linked is affected, though its manifest is the same', async () => {
    const repo = await scene.changed({ files: manifestOf('packages/lib', { version: '2.0.0' }), lock: 'by Yarn' });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(LIB_AND_USERS);
    repo.commit('The edges are gone', { files: { 'packages/lib/src/index.js': 'changed\n' } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(byLockfile);
    expect(await ask(repo, ['--base', 'HEAD~2'])).toEqual(LIB_AND_USERS);
  });

  test('that a version bump satisfies for the first time', async () => {
    const before = manifestOf('packages/lib', { version: '2.0.0' });
    // With a new lockfile: Yarn keeps old entries as long as it can.
    const files = { ...manifestOf('packages/lib', { version: '1.0.0' }), 'yarn.lock': '' };
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(LIB_AND_USERS);
  });
});

test.each([
  ['a compiler', 'typescript', ['by-dev', 'dev-user']],
  ['a test runner', 'jest', ['by-dev']],
])('a dev dependency from the registry reaches the dependents of its user, which may be built with it: %s', async (_, name, affected) => {
  const repo = scene.copy();
  repo.write(manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:*', [name]: '^1.0.0' } }));
  await scene.lock(repo);
  repo.commit('Before', { files: manifestOf('', { devDependencies: { prettier: '^1.0.0', tool: 'workspace:^' } }) });
  await scene.lock(repo);
  repo.commit('A lockfile without it in the root');
  repo.write({ 'yarn.lock': editEntry(repo.git('show', 'HEAD:yarn.lock'), `${name}@npm:^1.0.0`) });
  repo.commit('Another archive');
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(affected);
});

/** Returns the lockfile with another checksum in one entry. */
function editEntry(lock: string, key: string): string {
  const at = lock.indexOf('checksum: 10c0/', lock.indexOf(`"${key}":`)) + 'checksum: 10c0/'.length;
  return `${lock.slice(0, at)}${'0'.repeat(8)}${lock.slice(at + 8)}\n`;
}

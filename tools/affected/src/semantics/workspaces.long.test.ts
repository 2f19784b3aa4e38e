import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, USERS_OF_DEEP } from './monorepo.fixture.js';
import { MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

function gone(folder: string): Files {
  return { [`${folder}/package.json`]: null, [`${folder}/src/index.js`]: null };
}

function renamed(name: string, from: string, to: string): Files {
  return {
    ...gone(from),
    [`${to}/package.json`]: Object.values(manifestOf(from, { name }))[0] ?? null,
    [`${to}/src/index.js`]: 'export {};\n',
  };
}

const WITHOUT_TOOL = manifestOf('', { devDependencies: { jest: '^1.0.0', prettier: '^1.0.0' } });

describe('a workspace that is deleted', () => {
  test('and nobody used affects nobody', async () => {
    expect(await scene.ask({ files: gone('packages/alone'), lock: 'by Yarn' })).toEqual([]);
  });

  test('affects its dependent, which was changed to do without it', async () => {
    const before = { ...manifestOf('packages/old', {}), ...manifestOf('packages/alone', { dependencies: { old: 'workspace:^' } }) };
    const files = { 'packages/old/package.json': null, ...manifestOf('packages/alone', { dependencies: {} }) };
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['alone']);
  });

  test('changes what is packed from a folder around it; who asks for that by a peer is counted too, by name', async () => {
    const files = { ...gone('packages/lib/inner'), ...manifestOf('packages/inner-user', { dependencies: {} }) };
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['by-file', 'by-peer', 'inner-user']);
  });

  test('affects its former dependents though nothing of them changed: they get the package from the registry now', async () => {
    const before = {
      ...manifestOf('packages/extra', {}),
      ...manifestOf('packages/alone', { dependencies: { extra: '^1.0.0' } }),
      ...manifestOf('packages/dev-user', { dependencies: { alone: 'workspace:^' } }),
    };
    const files = { 'packages/extra/package.json': null };
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['alone', 'dev-user']);
  });

  test('does not come back as an owner: files that stay in its folder are outside of all workspaces', async () => {
    const files = { 'packages/alone/package.json': null, 'packages/alone/src/new.js': '' };
    expect(await scene.ask({ files, lock: 'by Yarn' })).toBe('all: FILE_UNCLAIMED');
  });

  test('gives its files to the workspace around it', async () => {
    const files = {
      'packages/lib/inner/package.json': null,
      'packages/lib/inner/src/index.js': 'changed\n',
      ...manifestOf('packages/inner-user', { dependencies: {} }),
    };
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual([...LIB_AND_USERS, 'inner-user'].toSorted());
  });
});

describe('a workspace that is new', () => {
  test('is affected, and nobody else', async () => {
    const files = { ...manifestOf('packages/fresh', { dependencies: { lib: 'workspace:^' } }), 'packages/fresh/a.js': '' };
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['fresh']);
  });

  test('and has the name of a package affects who now gets it in place of the package', async () => {
    // With a new lockfile: Yarn keeps old entries as long as it can.
    const files = { ...manifestOf('packages/deep', {}), 'yarn.lock': '' };
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual([...USERS_OF_DEEP, 'deep'].toSorted());
  });

  test('inside of another one takes its files from it', async () => {
    const before = { 'packages/lib/part/index.js': '' };
    const files = { ...manifestOf('packages/lib/part', {}), 'packages/lib/part/index.js': 'changed\n' };
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual([...LIB_AND_USERS, 'part'].toSorted());
  });
});

describe('a workspace that is renamed', () => {
  test('is affected, and who depends on it under the new name', async () => {
    const root = manifestOf('', { devDependencies: { jest: '^1.0.0', prettier: '^1.0.0', hammer: 'workspace:^' } });
    expect(await scene.ask({ files: { ...root, ...manifestOf('packages/tool', { name: 'hammer' }) }, lock: 'by Yarn' })).toEqual([
      'hammer',
      'monorepo',
    ]);
  });

  test('affects who asked for the old name and gets it from the registry now', async () => {
    const before = { ...manifestOf('packages/extra', {}), ...manifestOf('packages/alone', { dependencies: { extra: '^1.0.0' } }) };
    expect(await scene.ask({ before, files: manifestOf('packages/extra', { name: 'more' }), lock: 'by Yarn' })).toEqual(['alone', 'more']);
  });
});

describe('a workspace that is moved', () => {
  test('is affected, and who depends on it', async () => {
    expect(await scene.ask({ files: renamed('by-dev', 'packages/by-dev', 'packages/moved'), lock: 'by Yarn' })).toEqual([
      'by-dev',
      'dev-user',
    ]);
  });

  test('and gets another name too is affected, and not those who never used it', async () => {
    expect(await scene.ask({ files: renamed('lonely', 'packages/alone', 'packages/lonely'), lock: 'by Yarn' })).toEqual(['lonely']);
  });

  test('and another takes its folder: both are affected', async () => {
    const files = {
      ...renamed('by-dev', 'packages/by-dev', 'packages/moved'),
      ...manifestOf('packages/by-dev', { name: 'other', devDependencies: {} }),
    };
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['by-dev', 'dev-user', 'other']);
  });
});

describe('globs of workspaces', () => {
  test('that leave one out: who depended on it is affected, and who owns its files now', async () => {
    expect(
      await scene.ask({ files: manifestOf('', { workspaces: ['packages/*', '!packages/alone', 'packages/lib/*'] }), lock: 'by Yarn' }),
    ).toEqual(['monorepo']);
    const files = { ...manifestOf('', { workspaces: ['packages/*'] }), ...manifestOf('packages/inner-user', { dependencies: {} }) };
    // `lib` is around it, and owns its files now.
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual([...LIB_AND_USERS, 'inner-user'].toSorted());
  });

  test('that take one in: it is affected, and who owned its files', async () => {
    const files = manifestOf('', { workspaces: ['packages/*', 'packages/lib/*', 'tools/*'] });
    const { workspaces } = await scene.resultOf({
      before: manifestOf('tools/hammer', { dependencies: { lib: 'workspace:^' } }),
      files,
      lock: 'by Yarn',
    });
    expect(workspaces.map(({ path }) => path)).toEqual(['.', 'tools/hammer']);
    expect(workspaces[1]?.reasons).toContainEqual({ kind: 'added' });
  });

  test('written in another way that means the same affect nobody', async () => {
    const globs = { packages: ['packages/lib/inner', 'packages/*'] };
    expect(await scene.ask({ files: manifestOf('', { workspaces: globs }) })).toEqual([]);
  });

  test('of a workspace other than the root count too', async () => {
    const before = manifestOf('packages/alone/sub', {});
    const files = manifestOf('packages/alone', { workspaces: ['sub'], dependencies: { deep: '^1.0.0' } });
    expect(await scene.ask({ before, files, lock: 'by Yarn' })).toEqual(['alone', 'sub']);
  });
});

describe('a manifest that cannot be used', () => {
  const broken = { 'packages/tool/package.json': '{"name": "tool",\n<<<<<<< HEAD\n' };
  const twice = manifestOf('packages/alone', { name: 'by-peer' });

  test.each<[string, string, Files]>([
    ['is no JSON', 'MANIFEST_INVALID', broken],
    ['is no JSON at the root', 'MANIFEST_INVALID', { 'package.json': '{' }],
    ['has the name of another one', 'WORKSPACE_DUPLICATE_NAME', twice],
    ['went at the root', 'TARGET_NOT_A_MONOREPO', { 'package.json': null }],
  ])('and %s: an error at the head, all at the base', async (_, code, files) => {
    expect(await scene.failureOf({ files })).toEqual({ exit: 1, code });
    const whole = { ...manifestOf('', {}), ...manifestOf('packages/tool', {}), ...manifestOf('packages/alone', {}) };
    expect(await scene.ask({ before: files, files: whole })).toBe('all: BASE_UNREADABLE');
  });

  test('but is none of a workspace is a file like any other', async () => {
    const fixtures = { 'packages/lib/data/broken/package.json': '{', 'packages/lib/data/node_modules/x/package.json': '{' };
    expect(await scene.ask({ files: fixtures })).toEqual(LIB_AND_USERS);
  });

  test('counts for all if the caller prefers that to an error', async () => {
    expect(await scene.ask({ files: broken, args: ['--fallback', 'all'] })).toMatch(/^all: /);
  });
});

test('an edge to a workspace that goes together with the workspace leaves only who had it', async () => {
  expect(await scene.ask({ files: { ...gone('packages/tool'), ...WITHOUT_TOOL }, lock: 'by Yarn' })).toEqual(['monorepo']);
});

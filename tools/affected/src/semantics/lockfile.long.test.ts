import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { LIB_AND_USERS, manifestOf, PATCH_FILE, patchTo, published, USERS_OF_DEEP } from './monorepo.fixture.js';
import { type Answer, ask, askTool, MonorepoScene, readResult, readText } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;
/** The lockfile of the fixture. */
let lock: string;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  lock = readText(scene.copy(), 'yarn.lock');
  scene.registry.add(published('deep', '1.0.1'));
  scene.registry.add(published('left', '1.0.1', { deep: '^1.0.0' }));
});

test('the lockfile that the fixture keeps is what Yarn writes, and Yarn changes no manifest of it', async () => {
  // A separate scene, in which nothing more has been published.
  const fresh = await MonorepoScene.create(cleanUp);
  const repo = fresh.copy();
  repo.write({ 'yarn.lock': '' });
  await fresh.lock(repo);
  expect(readText(repo, 'yarn.lock')).toBe(lock);
  expect(repo.git('status', '--porcelain')).toBe('');
});

/** Returns a repository in which Yarn has upgraded packages. */
async function movedOn(...names: readonly string[]): Promise<TempRepo> {
  const repo = scene.copy();
  await scene.yarn(repo, ['up', '--recursive', ...names]);
  repo.commit(`Move on ${names.join(', ')}`);
  return repo;
}

describe('a package that moved on in the lockfile alone', () => {
  test('affects who asks for it, and who gets it through others, and nobody else', async () => {
    const repo = await movedOn('deep');
    expect(repo.git('diff', '--name-only', 'HEAD~1')).toBe('yarn.lock');
    const result = readResult(await askTool(repo, ['--base', 'HEAD~1']));
    const change = { kind: 'lockfile', entry: 'deep@npm:^1.0.0', from: 'deep@npm:1.0.0', to: 'deep@npm:1.0.1' };
    expect(result.workspaces.map(({ name, reasons }) => [name, reasons])).toEqual([
      ['alone', [{ ...change, dependency: 'deep' }]],
      ['by-dependency', [{ ...change, dependency: 'left' }]],
      ['by-optional', [{ ...change, dependency: 'wrapper' }]],
    ]);
  });

  test('affects the dependents of those too', async () => {
    const before = manifestOf('packages/by-dev', { devDependencies: { lib: 'workspace:*' }, dependencies: { wrapper: '^1.0.0' } });
    const repo = await scene.changed({ before, lock: 'by Yarn' });
    await scene.yarn(repo, ['up', '--recursive', 'left']);
    repo.commit('Move on');
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['by-dependency', 'by-dev', 'by-optional', 'dev-user']);
  });

  test('is the sum of what moved', async () => {
    expect(await ask(await movedOn('deep', 'left'), ['--base', 'HEAD~1'])).toEqual(USERS_OF_DEEP);
  });
});

describe('a lockfile edited by hand', () => {
  test.each<[sentence: string, edit: () => string, affected: Answer]>([
    ['white space and comments affect nobody', () => `# Words\n\n${lock}\n`, []],
    ['line ends of Windows affect nobody', () => lock.replaceAll('\n', '\r\n'), []],
    ['the order of entries affects nobody', () => reversed(lock), []],
    ['an entry that nothing uses affects nobody', () => withUnused(lock), []],
    ['its version number affects nobody, be it one that is not known', () => lock.replace(/^ {2}version: \d+$/m, '  version: 99'), []],
    [
      'another archive of the same version affects who gets it',
      () => edited(lock, 'deep@npm:^1.0.0', /10c0\/\w{8}/, '10c0/00000000'),
      USERS_OF_DEEP,
    ],
    [
      'another version affects who gets it',
      () => edited(lock, 'wrapper@npm:^1.0.0', 'wrapper@npm:1.0.0', 'wrapper@npm:1.0.9'),
      ['by-optional'],
    ],
    ['another dependency of a package affects who gets it', () => edited(lock, 'wrapper@npm:^1.0.0', 'left: ', 'deep: '), ['by-optional']],
    [
      'for which systems a package is affects who gets it',
      () => edited(lock, 'deep@npm:^1.0.0', '  languageName', '  conditions: os=linux\n  languageName'),
      USERS_OF_DEEP,
    ],
    ['conflict markers affect everybody', () => conflict(lock), 'all: LOCKFILE_UNREADABLE'],
    ['a text that is no lockfile affects everybody', () => 'not: [a lockfile\n', 'all: LOCKFILE_UNREADABLE'],
    ['the JSON of a later Yarn affects everybody', () => '{"__metadata": {"version": 9}, "entries": {}}\n', 'all: LOCKFILE_UNREADABLE'],
    ['an empty file affects everybody', () => '', 'all: LOCKFILE_UNREADABLE'],
    ['half a file affects everybody', () => lock.slice(0, lock.indexOf('"host@npm')).trimEnd().slice(0, -9), 'all: LOCKFILE_UNREADABLE'],
  ])('%s', async (_, edit, affected) => {
    expect(await scene.ask({ files: { 'yarn.lock': edit() } })).toEqual(affected);
  });

  // A text that Yarn would not write has no excerpt, and both commits are read as a whole.
  test.each<[what: string, edit: () => string]>([
    ['a version', () => edited(lock, 'deep@npm:^1.0.0', 'deep@npm:1.0.0', 'deep@npm:1.0.9')],
    ['a dependency', () => edited(lock, 'wrapper@npm:^1.0.0', 'left: ', 'deep: ')],
    ['an entry that nothing uses', () => withUnused(lock)],
    ['the range of a workspace', () => lock.replace('left: "npm:^1.0.0"', 'left: "npm:^1.0.1"')],
  ])('%s is the same in an excerpt of the lockfile and in the whole', async (_, edit) => {
    const odd = (text: string) => `# \\\n${text}`;
    const excerpt = await scene.resultOf({ files: { 'yarn.lock': edit() } });
    const whole = await scene.resultOf({ before: { 'yarn.lock': odd(lock) }, files: { 'yarn.lock': odd(edit()) } });
    expect({ ...whole, base: '', head: '', mergeBase: '' }).toEqual({ ...excerpt, base: '', head: '', mergeBase: '' });
  });

  test.each<[string, Files]>([
    ['broken at the base and whole at the head', { 'yarn.lock': '<<<<<<< ours\n' }],
    ['not there at the base', { 'yarn.lock': null }],
  ])('%s affects everybody', async (_, before) => {
    const code = before['yarn.lock'] === null ? 'all: LOCKFILE_MISSING' : 'all: LOCKFILE_UNREADABLE';
    expect(await scene.ask({ before, files: { 'yarn.lock': lock } })).toBe(code);
  });

  test('that went affects everybody', async () => {
    expect(await scene.ask({ files: { 'yarn.lock': null } })).toBe('all: LOCKFILE_MISSING');
  });

  test('broken on both sides cannot tell what packages lead to, so a source file affects everybody', async () => {
    const change = { before: { 'yarn.lock': conflict(lock) }, files: { 'packages/lib/a.js': '' } };
    expect(await scene.ask(change)).toBe('all: LOCKFILE_UNREADABLE');
  });
});

test('a workspace that takes the place of a package in the lockfile alone, and gives it back, affects who asks for it by a plain range or as a peer', async () => {
  // The peer counts by its name, because nothing provides it.
  const users = ['by-alias', 'by-catalog', 'by-package', 'by-peer', 'by-semver'];
  const before = manifestOf('packages/lib', { version: '2.0.0' });
  const repo = await scene.changed({ before, files: manifestOf('packages/lib', { version: '1.0.0' }), lock: 'by Yarn' });
  const kept = readText(repo, 'yarn.lock');
  repo.commit('As it was made at first: the workspace', { files: { 'yarn.lock': lock } });
  expect(repo.git('diff', '--name-only', 'HEAD~1')).toBe('yarn.lock');
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(users);
  repo.commit('As Yarn had kept it: the package', { files: { 'yarn.lock': kept } });
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(users);
});

describe('a lockfile behind its manifests', () => {
  test('does not hide an edge that came', async () => {
    const files = { ...manifestOf('packages/alone', { dependencies: { lib: 'workspace:^' } }), 'packages/lib/a.js': '' };
    expect(await scene.ask({ files })).toEqual([...LIB_AND_USERS, 'alone'].toSorted());
  });

  test('does not hide an edge that went', async () => {
    const before = manifestOf('packages/alone', { dependencies: { 'by-semver': 'workspace:^' } });
    const files = { ...manifestOf('packages/by-semver', { dependencies: {} }), 'packages/lib/a.js': '' };
    expect(await scene.ask({ before, files })).toEqual([...LIB_AND_USERS, 'alone'].toSorted());
  });

  test.each<[sentence: string, files: () => Files]>([
    ['a file', () => ({ 'packages/fresh/a.js': '' })],
    ['a setting of TypeScript, which would count for nobody outside of it', () => ({ 'packages/fresh/tsconfig.json': '' })],
    ['such a setting, and white space in the lockfile', () => ({ 'packages/fresh/tsconfig.json': '', 'yarn.lock': `${lock}\n` })],
  ])('does not hide the owner of what changed, a workspace that it does not know yet: %s', async (_, files) => {
    const before = {
      ...manifestOf('packages/fresh', { dependencies: { lib: 'workspace:^' } }),
      ...manifestOf('packages/alone', { dependencies: { fresh: 'workspace:^' } }),
    };
    expect(await scene.ask({ before, files: files() })).toEqual(['alone', 'fresh']);
  });

  test('does not hide one that it does not know yet inside of one that it knows', async () => {
    const before = {
      ...manifestOf('', { workspaces: ['packages/*', 'packages/lib/*', 'packages/alone/*'] }),
      ...manifestOf('packages/alone/fresh', {}),
      ...manifestOf('packages/tool', { dependencies: { fresh: 'workspace:^' } }),
    };
    expect(await scene.ask({ before, files: { 'packages/alone/fresh/a.js': '' } })).toEqual(expect.arrayContaining(['fresh', 'tool']));
  });
});

describe('a manifest with its lockfile', () => {
  test('a dependency from the registry that comes affects its workspace and the dependents', async () => {
    const files = manifestOf('packages/by-dev', { dependencies: { extra: '^1.0.0' }, devDependencies: { lib: 'workspace:*' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['by-dev', 'dev-user']);
  });

  test('a dependency that goes affects its workspace', async () => {
    expect(await scene.ask({ files: manifestOf('packages/alone', { dependencies: {} }), lock: 'by Yarn' })).toEqual(['alone']);
  });

  test('a range that is asked for elsewhere too affects the workspace that changed it alone', async () => {
    const files = manifestOf('packages/alone', { dependencies: { deep: '2.0.0' } });
    expect(await scene.ask({ files, lock: 'by Yarn' })).toEqual(['alone']);
  });
});

test('a workspace that moves, with the lockfile left behind, affects who gets it through packages', async () => {
  const files = { 'packages/lib/package.json': null, ...manifestOf('packages/moved', { name: 'lib' }) };
  expect(await scene.ask({ files })).toEqual(expect.arrayContaining(['by-package', 'lib']));
});

describe('a patch', () => {
  test('that changes with its hash in the lockfile affects who has the package', async () => {
    expect(await scene.ask({ files: { [PATCH_FILE]: patchTo(3) }, lock: 'by Yarn' })).toEqual(['by-portal']);
  });

  test('that changes alone affects who has the package', async () => {
    expect(await scene.ask({ files: { [PATCH_FILE]: patchTo(3) } })).toEqual(['by-portal']);
  });

  test('that a resolution names affects who gets the package, also through others', async () => {
    const patch = (text: string) => patchTo(2).replace('module.exports = 1;', 'exports.n = 1;').replace('module.exports = 2;', text);
    scene.registry.add({ ...published('deep', '1.0.7'), files: { 'index.js': 'exports.n = 1;\n' } });
    const root = manifestOf('', { resolutions: { deep: 'patch:deep@npm%3A1.0.7#~/.yarn/patches/deep.patch' } });
    const before = { ...root, '.yarn/patches/deep.patch': patch('exports.n = 2;') };
    const repo = await scene.changed({ before, files: { '.yarn/patches/deep.patch': patch('exports.n = 3;') }, lock: 'by Yarn' });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(USERS_OF_DEEP);
    repo.commit('The patch alone', { files: { '.yarn/patches/deep.patch': patch('exports.n = 4;') } });
    expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(USERS_OF_DEEP);
  });

  test('that nobody uses affects nobody', async () => {
    expect(await scene.ask({ files: { '.yarn/patches/other.patch': patchTo(3) } })).toEqual([]);
  });

  test('in a workspace is a file of the workspace as well', async () => {
    const range = 'patch:patched@npm%3A1.0.0#../tool/own.patch';
    const before = { ...manifestOf('packages/alone', { dependencies: { patched: range } }), 'packages/tool/own.patch': patchTo(2) };
    const change = { before, files: { 'packages/tool/own.patch': patchTo(3) }, lock: 'by Yarn' } as const;
    expect(await scene.ask(change)).toEqual(['alone', 'monorepo', 'tool']);
  });
});

function edited(text: string, key: string, from: string | RegExp, to: string): string {
  const at = text.indexOf(`"${key}"`);
  const end = text.indexOf('\n\n', at);
  return text.slice(0, at) + text.slice(at, end).replace(from, to) + text.slice(end);
}

function reversed(text: string): string {
  const [head = '', metadata = '', ...entries] = text.trimEnd().split('\n\n');
  return `${[head, metadata, ...entries.toReversed()].join('\n\n')}\n`;
}

function withUnused(text: string): string {
  return `${text}\n"unused@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "unused@npm:1.0.0"\n  languageName: node\n  linkType: hard\n`;
}

function conflict(text: string): string {
  return text.replace('"left@npm', '<<<<<<< HEAD\n=======\n>>>>>>> other\n"left@npm');
}

test('resolutions that lead one workspace to another count, although the registry has the very same request for others', async () => {
  const before = {
    ...manifestOf('', { resolutions: { 'by-dependency/left': 'workspace:packages/left' } }),
    ...manifestOf('packages/left', { version: '0.0.0-development' }),
  };
  const repo = await scene.changed({ before, lock: 'by Yarn', files: { 'packages/left/src/index.js': 'export {};\n' } });
  // The registry's `wrapper` keeps the registry's version.
  expect(readText(repo, 'yarn.lock')).toMatch(/^"left@npm:\^1\.0\.0":$/m);
  expect(await ask(repo, ['--base', 'HEAD~1'])).toEqual(['by-dependency', 'left']);
});

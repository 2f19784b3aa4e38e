import { describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import type { OldLock } from '../project.js';
import { BERRY_3, BERRY_4, CLASSIC, MANIFEST, NPM_1, NPM_3, PNPM_5, PNPM_6, PNPM_9 } from './old-lock.fixture.js';
import { readOldLock } from './old-lock.js';

const RANGES = [
  ['yarn classic', 'yarn.lock', CLASSIC],
  ['yarn', 'yarn.lock', BERRY_3],
  ['yarn', 'yarn.lock', BERRY_4],
  ['npm', 'package-lock.json', NPM_3],
  ['npm', 'npm-shrinkwrap.json', NPM_1],
] as const;

const EXACT = [PNPM_9, PNPM_6, PNPM_5].map((text) => ['pnpm', 'pnpm-lock.yaml', text] as const);

function manifest(value: object): Manifest {
  return parseManifest(JSON.stringify(value), 'package.json');
}

function read(name: string, text: string, of: object = MANIFEST): OldLock {
  const lock = readOldLock([{ name, text }], manifest(of));
  if (lock === undefined) throw new Error('no lock');
  return lock;
}

function asText({ requests }: OldLock): string[] {
  return requests.map(({ name, range, version }) => `${name}@${range} = ${version}`);
}

function failure(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return isToolError(error) ? `${error.code}: ${error.message}` : error;
  }
  return undefined;
}

describe('one tree, as every package manager locks it', () => {
  test.each(RANGES)('%s in %s: each request with its version', (kind, name, text) => {
    const lock = read(name, text);
    expect([lock.kind, lock.file, lock.notes]).toEqual([kind, name, []]);
    expect(asText(lock)).toEqual(['dep@^2.0.0 = 2.1.0', 'dep@^2.1.0 = 2.1.0', 'kit@npm:tools@~3.0.0 = 3.0.1', 'lib@^1.0.0 = 1.2.0']);
  });

  test.each(EXACT)('%s in %s: those of the manifest, and who got what', (kind, name, text) => {
    const lock = read(name, text);
    expect([lock.kind, asText(lock)]).toEqual([kind, ['kit@npm:tools@~3.0.0 = 3.0.1', 'lib@^1.0.0 = 1.2.0']]);
    const nodes = [...(lock.exact ?? [])].map(([id, { dependencies }]) => [
      id,
      [...dependencies].map(([as, to]) => `${as}=${to.name}@${to.version}`),
    ]);
    expect(nodes).toEqual([
      ['dep@2.1.0', []],
      ['lib@1.2.0', ['dep=dep@2.1.0']],
      ['tools@3.0.1', ['dep=dep@2.1.0', 'lib=lib@1.2.0']],
    ]);
  });

  test.each([...RANGES, ...EXACT])(
    '%s in %s: versions of packages, what lies at the top, requests in the words of a manifest',
    (_, name, text) => {
      const lock = read(name, text);
      expect([lock.versionsOf('tools'), lock.versionsOf('lib'), lock.versionsOf('none')]).toEqual([['3.0.1'], ['1.2.0'], []]);
      expect([lock.topVersionOf('dep'), lock.topVersionOf('none')]).toEqual(['2.1.0', undefined]);
      expect([lock.resolve('lib', '^1.0.0'), lock.resolve('lib', 'npm:^1.0.0'), lock.resolve('lib', '^9.0.0')]).toEqual([
        '1.2.0',
        '1.2.0',
        undefined,
      ]);
      expect(lock.resolve('kit', 'npm:tools@~3.0.0')).toBe('3.0.1');
    },
  );

  test.each(RANGES.filter(([kind]) => kind !== 'yarn classic'))('%s in %s: who brings a binary', (kind, name, text) => {
    const brings = kind === 'npm' ? 'kit' : 'tools';
    expect([...read(name, text).binaries]).toEqual(name === 'npm-shrinkwrap.json' ? [] : [['saw', brings]]);
  });
});

describe('several lockfiles', () => {
  const files = [
    { name: 'package-lock.json', text: NPM_3 },
    { name: 'pnpm-lock.yaml', text: PNPM_9 },
    { name: 'yarn.lock', text: CLASSIC },
  ];

  test.each([
    [undefined, 'yarn.lock'],
    ['npm@10.0.0', 'package-lock.json'],
    ['pnpm@9.0.0', 'pnpm-lock.yaml'],
    ['bun@1.0.0', 'yarn.lock'],
  ])('packageManager %s: %s counts, and the notes say so', (packageManager, file) => {
    const lock = readOldLock(files, manifest({ ...MANIFEST, packageManager }));
    const others = ['yarn.lock', 'package-lock.json', 'pnpm-lock.yaml'].filter((name) => name !== file);
    expect([lock?.file, lock?.notes]).toEqual([file, others.map((name) => `${name} was not read: ${file} counts`)]);
  });

  test('none that is known is none', () => {
    expect(readOldLock([{ name: 'bun.lock', text: '' }], manifest(MANIFEST))).toBeUndefined();
  });
});

describe('what is no version of a registry', () => {
  test('is noted and left out', () => {
    const dependencies = {
      lib: '^1.0.0',
      fork: 'acme/fork#main',
      tar: 'https://example.test/tar.tgz',
      near: 'file:../near',
      tied: 'link:../tied',
    };
    const text = `${CLASSIC}
"fork@acme/fork#main":
  version "1.0.0"
  resolved "https://codeload.example/acme/fork/tar.gz/abc"

"near@file:../near":
  version "1.0.0"

"tar@https://example.test/tar.tgz":
  version "1.0.0"
`;
    const lock = read('yarn.lock', text, { dependencies });
    expect(lock.notes).toEqual([
      'fork (acme/fork#main) is an address of git or of an archive; it is resolved anew',
      'near (file:../near) is a folder or a file',
      'tar (https://example.test/tar.tgz) is an address of git or of an archive; it is resolved anew',
      'tied (link:../tied) is a folder or a file',
    ]);
    expect(lock.requests.map(({ name }) => name)).not.toContain('fork');
    expect(lock.versionsOf('fork')).toEqual([]);
  });

  test('patches of Yarn itself stand beside what they patch, and are not noted', () => {
    const text = `${BERRY_4}
"lib@patch:lib@npm%3A^1.0.0#optional!builtin<compat/lib>":
  version: 1.2.0
  resolution: "lib@patch:lib@npm%3A1.2.0#optional!builtin<compat/lib>::version=1.2.0&hash=aa"
  languageName: node
  linkType: hard
`;
    expect([read('yarn.lock', text).notes, asText(read('yarn.lock', text))]).toEqual([[], asText(read('yarn.lock', BERRY_4))]);
  });
});

describe('npm has no descriptors', () => {
  function lockOf(packages: object): OldLock {
    return read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }), { dependencies: { a: '1', b: '1', c: '1' } });
  }
  const asking = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0', dependencies: { x: '^1.0.0' } }]));

  test('of several versions for one request that of most is taken, and it is said', () => {
    const lock = lockOf({
      ...asking('a', 'b', 'c'),
      'node_modules/a/node_modules/x': { version: '1.9.0' },
      'node_modules/x': { version: '1.1.0' },
    });
    expect([lock.resolve('x', '^1.0.0'), lock.topVersionOf('x'), lock.versionsOf('x')]).toEqual(['1.1.0', '1.1.0', ['1.1.0', '1.9.0']]);
    expect(lock.notes).toEqual(['x@^1.0.0 is locked at 1.1.0 and 1.9.0; 1.1.0 was taken']);
  });

  test('a link leads to no version', () => {
    const lock = lockOf({ ...asking('a', 'b', 'c'), 'node_modules/x': { resolved: 'x', link: true }, x: { version: '1.0.0' } });
    expect(lock.resolve('x', '^1.0.0')).toBeUndefined();
  });
});

describe('what cannot be used', () => {
  test.each([
    ['yarn.lock', CLASSIC.replace('  version "1.2.0"', '<<<<<<< HEAD'), 'line 18 is a conflict marker of a merge that was not finished'],
    ['package-lock.json', NPM_3.slice(0, 40), /.*/],
    ['package-lock.json', '[]', 'it is no JSON object'],
    ['yarn.lock', CLASSIC.replace('version "1.2.0"', 'vers'), /.*/],
    ['yarn.lock', BERRY_4.replace('  resolution: "lib@npm:1.2.0"\n', ''), /lib@npm/],
    ['pnpm-lock.yaml', 'packages: [', /.*/],
    ['pnpm-lock.yaml', 'packages: {}', 'it has no "lockfileVersion"'],
  ])('%s is invalid', (name, text, why) => {
    const said = failure(() => read(name, text));
    expect(said).toMatch(new RegExp(`^LOCKFILE_INVALID: ${name.replace('.', '\\.')} cannot be read: .+\\.$`));
    expect(said).toMatch(why);
  });

  test.each([...RANGES, ...EXACT])('%s in %s that has not what the manifest asks for', (_, name, text) => {
    const of = { dependencies: { ...MANIFEST.dependencies, more: '^1.0.0' }, peerDependencies: { host: '*' } };
    expect(failure(() => read(name, text, of))).toBe(`LOCKFILE_MISMATCH: ${name} does not match its package.json: it has no more@^1.0.0.`);
  });

  test('a changed range is a mismatch where ranges are locked', () => {
    expect(failure(() => read('yarn.lock', CLASSIC, { dependencies: { lib: '^1.1.0' } }))).toMatch(/^LOCKFILE_MISMATCH/);
  });

  test('what is overridden may be missing', () => {
    expect(read('yarn.lock', CLASSIC, { dependencies: { more: '^1.0.0' }, resolutions: { '**/more': '2.0.0' } }).kind).toBe('yarn classic');
  });
});

import { describe, expect, test } from '@jest/globals';
import type { LockfileName } from '@tributary/lockfile/lockfile';
import { isToolError } from '@tributary/model/errors';
import type { RepoFolder } from '@tributary/model/paths';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import type { OldLock } from '../project.js';
import { isAskedBy } from './asks.js';
import { BERRY_3, BERRY_4, CLASSIC, MANIFEST, NPM_1, NPM_3, PNPM_5, PNPM_6, PNPM_9, PNPM_12 } from './old-lock.fixture.js';
import { readOldLock } from './old-lock.js';

const RANGES = [
  ['yarn classic', 'yarn.lock', CLASSIC],
  ['yarn', 'yarn.lock', BERRY_3],
  ['yarn', 'yarn.lock', BERRY_4],
  ['npm', 'package-lock.json', NPM_3],
  ['npm', 'npm-shrinkwrap.json', NPM_1],
] as const;

const EXACT = [PNPM_12, PNPM_12.replaceAll('\n', '\r\n'), PNPM_9, PNPM_6, PNPM_5].map((text) => ['pnpm', 'pnpm-lock.yaml', text] as const);

function manifest(value: object): Manifest {
  return parseManifest(JSON.stringify(value), 'package.json');
}

function read(name: LockfileName, text: string, of: object = MANIFEST): OldLock {
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

describe('the lockfile of a whole monorepo, for its workspace packages/a', () => {
  const OF_A = { name: 'a', dependencies: { lib: '^1.0.0', sibling: '^1.0.0' } };
  const root = manifest({ name: 'root', devDependencies: { tool: '^3.0.0', unused: '^4.0.0' } });
  const node = (version: string, dependencies = {}) => ({ version, dependencies });
  const npm = {
    lockfileVersion: 3,
    packages: {
      '': { devDependencies: { tool: '^3.0.0', unused: '^4.0.0' } },
      'node_modules/a': { resolved: 'packages/a', link: true },
      'node_modules/sibling': { resolved: 'packages/sibling', link: true },
      'packages/a': OF_A,
      'packages/sibling': { dependencies: { lib: '^2.0.0' } },
      'node_modules/lib': node('2.0.0'),
      'packages/a/node_modules/lib': node('1.2.0', { dep: '^1.0.0' }),
      'node_modules/dep': node('1.1.0'),
      'node_modules/tool': node('3.0.1'),
      'node_modules/unused': node('4.0.0'),
    },
  };
  const classic = `# yarn lockfile v1\n\n\n${[
    ['lib@^1.0.0', '1.2.0', '\n  dependencies:\n    dep "^1.0.0"'],
    ['lib@^2.0.0', '2.0.0', ''],
    ['dep@^1.0.0', '1.1.0', ''],
    ['tool@^3.0.0', '3.0.1', ''],
    ['unused@^4.0.0', '4.0.0', ''],
  ]
    .map(([request, version, more]) => `${request}:\n  version "${version}"${more}\n`)
    .join('\n')}`;

  test.each([
    ['package-lock.json', JSON.stringify(npm)],
    ['yarn.lock', classic],
  ] as const)('%s: what it needs, and what it names of the root', (name, text) => {
    const shared = { folder: 'packages/a' as RepoFolder, root, isNamed: (one: string) => one !== 'unused' };
    const lock = readOldLock([{ name, text }], manifest(OF_A), shared);
    expect(lock?.isShared).toBe(true);
    expect(lock?.requests.filter(({ range }) => range !== '').map((one) => `${one.name}@${one.range} = ${one.version}`)).toEqual(
      name === 'yarn.lock'
        ? ['dep@^1.0.0 = 1.1.0', 'lib@^1.0.0 = 1.2.0', 'tool@^3.0.0 = 3.0.1']
        : ['dep@^1.0.0 = 1.1.0', 'lib@^1.0.0 = 1.2.0'],
    );
    // Others of the monorepo are known, for imports that nobody declares.
    expect([lock?.versionsOf('tool'), lock?.versionsOf('unused'), lock?.ownVersionsOf('unused')]).toEqual([['3.0.1'], ['4.0.0'], []]);
  });
});

describe('one tree, as every package manager locks it', () => {
  test.each(RANGES)('%s in %s: each request with its version', (kind, name, text) => {
    const lock = read(name, text);
    expect([lock.kind, lock.file, lock.ignored, lock.addressed]).toEqual([kind, name, [], []]);
    expect(asText(lock)).toEqual(['dep@^2.0.0 = 2.1.0', 'dep@^2.1.0 = 2.1.0', 'kit@npm:tools@~3.0.0 = 3.0.1', 'lib@^1.0.0 = 1.2.0']);
  });

  test.each(EXACT)('%s in %s: those of the manifest, and who got what', (kind, name, text) => {
    const lock = read(name, text);
    expect([lock.kind, asText(lock)]).toEqual([kind, ['kit@npm:tools@~3.0.0 = 3.0.1', 'lib@^1.0.0 = 1.2.0']]);
    const nodes = (lock.exact ?? []).map(({ name: own, version, dependencies }) => [
      `${own}@${version}`,
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

  test.each([...RANGES, ...EXACT])('%s in %s: who asks for what, also under an alias', (kind, name, text) => {
    const { asks } = read(name, text);
    const asText = [...asks].map(([asker, asked]) => `${asker}: ${[...asked].sort().join()}`).sort();
    const alias = kind === 'pnpm' ? [] : ['kit: dep,lib'];
    expect(asText).toEqual(['dep: ', ...alias, 'lib: dep', 'tools: dep,lib']);
    expect([isAskedBy('dep', ['lib'], asks), isAskedBy('dep', ['tools'], asks), isAskedBy('tools', ['lib'], asks)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a peer counts as asked for, and not an optional one; nobody asks in vain in a circle', () => {
    const peers = '  peerDependencies:\n    lib: ^1.0.0\n    dep: "*"\n  peerDependenciesMeta:\n    dep:\n      optional: true\n';
    const berry = read('yarn.lock', BERRY_4.replace('  resolution: "dep@npm:2.1.0"\n', `$&${peers}`)).asks;
    const meta = { peerDependencies: { lib: '^1.0.0', dep: '*' }, peerDependenciesMeta: { dep: { optional: true } } };
    const npm = read('package-lock.json', NPM_3.replace('{"version":"2.1.0"}', JSON.stringify({ version: '2.1.0', ...meta }))).asks;
    for (const asks of [berry, npm]) {
      expect([...(asks.get('dep') ?? [])]).toEqual(['lib']);
      expect(isAskedBy('tools', ['dep'], asks)).toBe(false);
    }
  });

  test('who has a build script, where that is written down, and not for one platform alone', () => {
    const scripts = (text: string, field: string): string =>
      text.replace('{"version":"2.1.0"}', `{"version":"2.1.0",${field}}`).replace('{"version":"1.2.0"', `$&,${field},"os":["darwin"]`);
    const pnpm = (text: string): string =>
      text.replaceAll(/(\n {2}\/(?:dep|lib)[@/].*\n)/g, '$1    requiresBuild: true\n').replace(/(lib[@/]1.*\n)/, '$1    cpu: [x64]\n');
    expect(read('package-lock.json', scripts(NPM_3, '"hasInstallScript":true')).builds).toEqual(['dep@2.1.0']);
    expect(read('package-lock.json', scripts(NPM_3, '"hasInstallScript":false')).builds).toEqual([]);
    const prebuilt = '"optionalDependencies":{"@x/linux-x64":"1","@x/darwin-arm64":"1","@x/win32-x64":"1"}';
    expect(read('package-lock.json', scripts(NPM_3, `"hasInstallScript":true,${prebuilt}`)).builds).toEqual([]);
    for (const text of [PNPM_6, PNPM_5]) expect(read('pnpm-lock.yaml', pnpm(text)).builds).toEqual(['dep@2.1.0']);
    for (const [, name, text] of [...RANGES, ...EXACT]) expect(read(name, text).builds).toEqual([]);
  });

  test.each(RANGES.filter(([kind]) => kind !== 'yarn classic'))('%s in %s: who brings a binary', (kind, name, text) => {
    const brings = kind === 'npm' ? 'kit' : 'tools';
    expect([...read(name, text).binaries]).toEqual(name === 'npm-shrinkwrap.json' ? [] : [['saw', brings]]);
  });
});

test.each<readonly [LockfileName, string, string, string]>([
  ['package-lock.json', NPM_3.replace('"lockfileVersion":3', '"lockfileVersion":9'), '9', '1 to 3'],
  ['npm-shrinkwrap.json', NPM_1.replace('"lockfileVersion":1', '"lockfileVersion":"x"'), '"x"', '1 to 3'],
  ['pnpm-lock.yaml', PNPM_9.replace("'9.0'", "'10.0'"), '10.0', '5 to 9'],
  ['pnpm-lock.yaml', PNPM_9.replace("'9.0'", "'4'"), '4', '5 to 9'],
])('%s: a format that nobody has looked at is refused, whatever can be read of it', (name, text, found, known) => {
  expect(failure(() => read(name, text))).toBe(
    `LOCKFILE_UNSUPPORTED: ${name} has format version ${found}, but only ${known} are supported.`,
  );
});

test('a package-lock.json of the time before there were versions is read', () => {
  expect(asText(read('package-lock.json', NPM_1.replace('"lockfileVersion":1,', '')))).toHaveLength(4);
});

describe('several lockfiles', () => {
  const files = [
    { name: 'package-lock.json', text: NPM_3 },
    { name: 'pnpm-lock.yaml', text: PNPM_9 },
    { name: 'yarn.lock', text: CLASSIC },
  ] as const;

  test.each([
    [undefined, 'yarn.lock'],
    ['npm@10.0.0', 'package-lock.json'],
    ['pnpm@9.0.0', 'pnpm-lock.yaml'],
    ['bun@1.0.0', 'yarn.lock'],
  ])('packageManager %s: %s counts, and the others are told', (packageManager, file) => {
    const lock = readOldLock(files, manifest({ ...MANIFEST, packageManager }));
    const others = ['yarn.lock', 'package-lock.json', 'pnpm-lock.yaml'].filter((name) => name !== file);
    expect([lock?.file, lock?.ignored]).toEqual([file, others]);
  });

  test('none is none', () => {
    expect(readOldLock([], manifest(MANIFEST))).toBeUndefined();
  });
});

describe('what is no version of a registry', () => {
  test('is left out; what has an address is told', () => {
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
    expect(lock.addressed).toEqual(['fork', 'tar']);
    expect(lock.requests.map(({ name }) => name)).not.toContain('fork');
    expect(lock.versionsOf('fork')).toEqual([]);
  });

  test('patches of Yarn itself stand beside what they patch', () => {
    const text = `${BERRY_4}
"lib@patch:lib@npm%3A^1.0.0#optional!builtin<compat/lib>":
  version: 1.2.0
  resolution: "lib@patch:lib@npm%3A1.2.0#optional!builtin<compat/lib>::version=1.2.0&hash=aa"
  languageName: node
  linkType: hard
`;
    expect(asText(read('yarn.lock', text))).toEqual(asText(read('yarn.lock', BERRY_4)));
  });
});

describe('npm has no descriptors', () => {
  function lockOf(packages: object): OldLock {
    return read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }), { dependencies: { a: '1', b: '1', c: '1' } });
  }
  const asking = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0', dependencies: { x: '^1.0.0' } }]));

  test('of several versions for one request the highest is taken, and it is said', () => {
    const lock = lockOf({
      ...asking('a', 'b', 'c'),
      'node_modules/a/node_modules/x': { version: '1.9.0' },
      'node_modules/x': { version: '1.1.0' },
    });
    expect([lock.resolve('x', '^1.0.0'), lock.topVersionOf('x'), lock.versionsOf('x')]).toEqual(['1.9.0', '1.1.0', ['1.1.0', '1.9.0']]);
    expect(lock.requests.find(({ name }) => name === 'x')).toEqual({ name: 'x', range: '^1.0.0', version: '1.9.0', others: ['1.1.0'] });
  });

  test('a link leads to no version', () => {
    const lock = lockOf({ ...asking('a', 'b', 'c'), 'node_modules/x': { resolved: 'x', link: true }, x: { version: '1.0.0' } });
    expect(lock.resolve('x', '^1.0.0')).toBeUndefined();
  });
});

test('what an entry of Yarn 1 for two names asks for counts once, and the highest version of two is at the top', () => {
  const entry = (key: string, version: string, asked: string): string =>
    `${key}:\n  version "${version}"\n${asked && `  dependencies:\n    ${asked}\n`}\n`;
  const shared = entry('fork@^1.0.0, "fork@npm:@acme/fork@1"', '1.0.0', 'dep "^1.0.0"');
  const text = `# yarn lockfile v1\n\n${entry('dep@^1.0.0', '1.0.0', '')}${entry('dep@^2.0.0', '2.0.0', '')}${shared}${entry('lib@^1.0.0', '1.0.0', 'dep "^2.0.0"')}`;
  const lock = read('yarn.lock', text, { dependencies: { lib: '^1.0.0', fork: 'npm:@acme/fork@1' } });
  expect([lock.topVersionOf('dep'), lock.versionsOf('fork'), lock.versionsOf('@acme/fork')]).toEqual(['2.0.0', ['1.0.0'], ['1.0.0']]);
});

test('of a binary that several packages bring, the one that npm puts last is run', () => {
  const packages = ['gulp', 'gulp-cli'].map((name) => [`node_modules/${name}`, { version: '1.0.0', bin: { gulp: 'x.js' } }] as const);
  const text = JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(packages) });
  expect([...read('package-lock.json', text, {}).binaries]).toEqual([['gulp', 'gulp-cli']]);
});

describe('where archives came from', () => {
  const PUBLIC = ['npmjs.org', 'yarnpkg.com'].map((domain) => ['registry', domain].join('.'));
  const dependencies = { lib: '^1.0.0', '@acme/ui': '^2.0.0', tar: 'https://files.example/tar.tgz' };
  const npm = (resolved: string): OldLock => {
    const packages = {
      'node_modules/lib': { version: '1.0.0', resolved },
      'node_modules/@acme/ui': { version: '2.0.0', resolved: `https://${PUBLIC[0]}/@acme/ui/-/ui-2.0.0.tgz` },
      'node_modules/tar': { version: '1.0.0', resolved: 'https://files.example/tar.tgz' },
    };
    return read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }), { dependencies });
  };

  test.each([
    ['https://user:word@npm.corp.example:8443/secret/lib-1.0.0.tgz?token=x', [['npm.corp.example:8443', ['lib']]]],
    [`https://${PUBLIC[1]}/lib/-/lib-1.0.0.tgz`, []],
    ['git+ssh://git@git.example/lib.git#abc', []],
    ['file:vendor/lib.tgz', []],
  ])('%s: the host alone, and only where it is not what all know', (resolved, hosts) => {
    expect([...npm(resolved).hosts]).toEqual(hosts);
  });

  test.each<readonly [LockfileName, string, readonly (readonly [string, readonly string[]])[]]>([
    ['yarn.lock', CLASSIC, [['registry.example', ['dep', 'lib', 'tools']]]],
    [
      'yarn.lock',
      BERRY_4.replace('"lib@npm:1.2.0"', '"lib@npm:1.2.0::__archiveUrl=https%3A%2F%2Fnpm.corp.example%2Flib.tgz"'),
      [['npm.corp.example', ['lib']]],
    ],
    [
      'pnpm-lock.yaml',
      PNPM_9.replace('{integrity: sha512-aa==}', "{integrity: sha512-aa==, tarball: 'https://npm.corp.example/dep.tgz'}"),
      [['npm.corp.example', ['dep']]],
    ],
    ['package-lock.json', NPM_3, []],
  ])('%s tells it in its own way', (name, text, hosts) => {
    expect([...read(name, text).hosts]).toEqual(hosts);
  });
});

describe('peers that were installed though nobody declares them', () => {
  const of = {
    dependencies: { tool: '1', host: '1' },
    devDependencies: { given: '1' },
    peerDependencies: { own: '*', given: '*', spared: '*' },
    peerDependenciesMeta: { spared: { optional: true } },
  };
  const said = (lock: OldLock): readonly string[] =>
    lock.peers.map(({ name, version, reach, of: askers }) => [`${name} ${version} (${reach})`, ...askers].join(' '));

  test('by npm: its own, those of its dependencies, and of what is behind them those that peers alone have brought', () => {
    const tool = {
      version: '1.1.0',
      peerDependencies: { typescript: '>=4', host: '1', maybe: '*', absent: '*', asked: '*' },
      peerDependenciesMeta: { maybe: { optional: true } },
      dependencies: { behind: '1', asked: '*', shared: '1' },
    };
    const packages = {
      'node_modules/tool': tool,
      'node_modules/host': { version: '1.0.0', peerDependencies: { typescript: '*' } },
      'node_modules/behind': { version: '1.0.0', peerDependencies: { dom: '*', behind2: '*', shared: '*' } },
      'node_modules/behind2': { version: '1.0.0' },
      'node_modules/dom': { version: '18.0.0', peer: true, peerDependencies: { css: '*' } },
      // Whoever requests its dependent has it too, or is itself not installed.
      'node_modules/shared': { version: '1.0.0', peer: true },
      'node_modules/css': { version: '1.0.0', peer: true },
      ...Object.fromEntries(
        ['typescript', 'maybe', 'own', 'given', 'spared', 'asked'].map((name) => [`node_modules/${name}`, { version: '5.0.0' }]),
      ),
    };
    expect(said(read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }), of))).toEqual([
      'dom 18.0.0 (indirect) behind@1.0.0',
      'own 5.0.0 (package)',
      'typescript 5.0.0 (dependency) host@1.0.0 tool@1.1.0',
    ]);
  });

  const direct = `dependencies:
  host: {specifier: '1', version: 1.0.0}
  own: {specifier: '*', version: 5.0.0}
  tool: {specifier: '1', version: 1.1.0(typescript@5.0.0)}
devDependencies:
  given: {specifier: '1', version: 1.0.0}
`;
  const peersOfTool = `
    peerDependencies: {typescript: '>=4', maybe: '*', host: '1'}
    peerDependenciesMeta: {maybe: {optional: true}}`;
  const locked = `
  given@1.0.0: {}
  host@1.0.0: {}
  maybe@2.0.0: {}
  own@5.0.0: {}
  typescript@5.0.0: {}
  tool@1.1.0(typescript@5.0.0):
    dependencies: {host: 1.0.0, maybe: 2.0.0, typescript: 5.0.0}`;

  test.each([
    ['9', `importers:\n  .:\n${direct.replaceAll(/^/gm, '    ')}\npackages:\n  tool@1.1.0:${peersOfTool}\nsnapshots:${locked}\n`],
    ['6', `${direct}packages:${locked.replaceAll('\n  ', '\n  /').replaceAll('/  ', '  ')}${peersOfTool}\n`],
  ])('by pnpm, version %s of the file: its own, and those of its dependencies', (version, text) => {
    const lock = read('pnpm-lock.yaml', `lockfileVersion: '${version}.0'\n${text}`, of);
    expect(said(lock)).toEqual(['own 5.0.0 (package)', 'typescript 5.0.0 (dependency) tool@1.1.0']);
  });

  test('Yarn installs none', () => {
    expect(read('yarn.lock', CLASSIC, { ...MANIFEST, peerDependencies: { dep: '*' } }).peers).toEqual([]);
  });
});

test('a package of pnpm stands there with each set of peers', () => {
  const text = `${PNPM_9}
  dep@2.0.0: {}

  tools@3.0.1(peer@2.0.0):
    dependencies:
      dep: 2.0.0
`;
  const { exact = [] } = read('pnpm-lock.yaml', text);
  expect(exact.filter(({ name }) => name === 'tools').map(({ dependencies }) => dependencies.get('dep')?.version)).toEqual([
    '2.1.0',
    '2.0.0',
  ]);
});

describe('what cannot be used', () => {
  test.each<readonly [LockfileName, string, string | RegExp]>([
    ['yarn.lock', CLASSIC.replace('  version "1.2.0"', '<<<<<<< HEAD'), 'line 18 is a conflict marker of an unfinished merge'],
    ['package-lock.json', NPM_3.slice(0, 40), /.*/],
    ['package-lock.json', '[]', 'it must be a JSON object'],
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
    expect(failure(() => read(name, text, of))).toBe(`LOCKFILE_MISMATCH: ${name} does not match its package.json: it lacks more@^1.0.0.`);
  });

  test('a changed range is a mismatch where ranges are locked', () => {
    expect(failure(() => read('yarn.lock', CLASSIC, { dependencies: { lib: '^1.1.0' } }))).toMatch(/^LOCKFILE_MISMATCH/);
  });

  test('what is overridden may be missing', () => {
    expect(read('yarn.lock', CLASSIC, { dependencies: { more: '^1.0.0' }, resolutions: { '**/more': '2.0.0' } }).kind).toBe('yarn classic');
  });
});

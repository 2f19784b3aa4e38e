import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Sample, samples, WRITERS } from './formats.fixture.js';
import { isInstalled, type Lockfile, type LockfileName, type LockfileText } from './lockfile.js';
import { parseEntriesOf, parseLockfile } from './parse-lockfile.js';

function read(file: LockfileText, names?: ReadonlySet<string>): Lockfile {
  const lock = names === undefined ? parseLockfile(file) : parseEntriesOf(file, names);
  if (!('entries' in lock)) throw new Error(JSON.stringify(lock));
  return lock;
}

/** Returns each installed package with the resolutions of its dependencies. */
function packagesOf(lock: Lockfile): readonly Sample[] {
  return lock.entries.filter(isInstalled).map((from) => {
    const dependencies = [...from.dependencies].map(([name, range]) => [name, lock.resolve({ from, name, range })?.version ?? 'none']);
    return { name: from.name, version: from.version, dependencies: Object.fromEntries(dependencies) };
  });
}

describe.each(Object.entries(WRITERS))('%s', (_, write) => {
  test('has the packages, their dependencies, and what these resolve to', () => {
    fc.assert(
      fc.property(samples, fc.boolean(), (all, isWindows) => {
        const { name, text } = write(all);
        const lock = read({ name, text: isWindows ? text.replaceAll('\n', '\r\n') : text });
        expect(packagesOf(lock)).toEqual(all);
        for (const { name, version } of all) expect(lock.resolve({ name, range: version })).toMatchObject({ name, version });
        expect(lock.resolve({ name: 'none', range: '1.0.0' })).toBeUndefined();
      }),
    );
  });

  test('has the same entries of some names, whether the others are read or not', () => {
    fc.assert(
      fc.property(samples, fc.subarray(['lib', '@acme/lib', 'acme', 'x']), fc.boolean(), (all, names, isWindows) => {
        const { name, text } = write(all);
        const file = { name, text: isWindows ? text.replaceAll('\n', '\r\n') : text };
        const wanted = new Set(names);
        const entries = read(file).entries.filter((entry) => wanted.has(entry.name));
        expect(read(file, wanted).entries.filter((entry) => wanted.has(entry.name))).toEqual(entries);
      }),
    );
  });

  test('with conflict markers, empty, or cut off is no lockfile, whichever names are asked for', () => {
    const { name, text } = write([{ name: 'lib', version: '1.0.0', dependencies: {} }]);
    const torn = `${text}\n<<<<<<< HEAD\n`;
    const line = text.split('\n').length + 1;
    const reason = `line ${line} is a conflict marker of an unfinished merge`;
    for (const lock of [parseLockfile({ name, text: torn }), parseEntriesOf({ name, text: torn }, new Set())])
      expect(lock).toEqual({ kind: 'unreadable', reason });
    for (const empty of ['', '\uFEFF\n'])
      expect(parseLockfile({ name, text: empty })).toEqual({ kind: 'unreadable', reason: 'it is empty' });
  });
});

const CLASSIC = '# yarn lockfile v1\n\n\n';

describe('Yarn 1', () => {
  test('lists descriptors with and without quotes, aliases, optional dependencies', () => {
    const text = `${CLASSIC}"@acme/ui@^1.0.0", "@acme/ui@1 - 2":\n  version "1.9.0"\n  optionalDependencies:\n    JSONStream "^1.0.3"\n\nkit@npm:tools@^3, "tools@>=3":\n  version "3.0.0"\n  dependencies:\n    "@acme/ui" "1 - 2"\n    lib ""\n\nlib:\n  version "0.1.0"\n`;
    const lock = read({ name: 'yarn.lock', text });
    expect(lock.entries.map(({ name, descriptors, dependencies }) => [name, descriptors, [...dependencies]])).toEqual([
      ['@acme/ui', ['@acme/ui@^1.0.0', '@acme/ui@1 - 2'], [['JSONStream', '^1.0.3']]],
      [
        'tools',
        ['kit@npm:tools@^3', 'tools@>=3'],
        [
          ['@acme/ui', '1 - 2'],
          ['lib', ''],
        ],
      ],
      ['lib', ['lib'], []],
    ]);
    const found = [
      ['@acme/ui', '1 - 2'],
      ['kit', 'npm:tools@^3'],
      ['lib', ''],
    ].map(([name = '', range = '']) => lock.resolve({ name, range })?.version);
    expect(found).toEqual(['1.9.0', '3.0.0', '0.1.0']);
  });

  test('counts the last one of repeated keys, and packages of one address each under its name', () => {
    const text = `${CLASSIC}lib@^1, lib@^2:\n  version "1.0.0"\n\nlib@^2:\n  version "2.0.0"\n\nfork@acme/lib, lib@acme/lib:\n  version "3.0.0"\n`;
    const { entries } = read({ name: 'yarn.lock', text });
    expect(entries.map(({ name, version, descriptors }) => [name, version, ...descriptors])).toEqual([
      ['lib', '1.0.0', 'lib@^1'],
      ['lib', '2.0.0', 'lib@^2'],
      ['fork', '3.0.0', 'fork@acme/lib'],
      ['lib', '3.0.0', 'lib@acme/lib'],
    ]);
  });
});

describe('npm', () => {
  test('resolves from folder to folder upwards, and a link hides what is further up', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', dependencies: { x: '*', y: '*' }, optionalDependencies: { z: '*' } },
      'node_modules/a/node_modules/x': { version: '2.0.0' },
      'node_modules/a/node_modules/z': { resolved: 'z', link: true },
      'node_modules/x': { version: '1.0.0' },
      'node_modules/y': { version: '3.0.0' },
      'node_modules/z': { version: '1.0.0' },
      z: { version: '9.0.0' },
    };
    const lock = read({ name: 'package-lock.json', text: JSON.stringify({ lockfileVersion: 3, packages }) });
    expect(packagesOf(lock)[0]?.dependencies).toEqual({ x: '2.0.0', y: '3.0.0', z: 'none' });
    expect(lock.entries.filter((entry) => !isInstalled(entry)).map(({ folder }) => folder)).toEqual(['z']);
  });
});

describe('pnpm', () => {
  test('resolves to the package with the peers that the dependent got, and leaves out what has no version', () => {
    const text = `lockfileVersion: '9.0'
packages:
  ui@1.0.0: {resolution: {tarball: https://registry.example/ui.tgz}, peerDependencies: {react: '*'}}
snapshots:
  app@1.0.0: {dependencies: {kit: 'ui@1.0.0(react@18.0.0)', near: 'link:../near', far: 'far@https://far.example/far.tgz'}}
  far@https://far.example/far.tgz: {}
  ui@1.0.0(react@17.0.0): {dependencies: {react: 17.0.0}}
  ui@1.0.0(react@18.0.0): {dependencies: {react: 18.0.0}}
`;
    const lock = read({ name: 'pnpm-lock.yaml', text });
    const ui = { name: 'ui', version: '1.0.0', archive: 'https://registry.example/ui.tgz' };
    expect(lock.entries.map(({ name }) => name)).toEqual(['app', 'ui', 'ui']);
    expect(lock.entries.slice(1)).toMatchObject([ui, ui]);
    const [from] = lock.entries;
    expect(lock.resolve({ from, name: 'kit', range: '' })?.dependencies.get('react')).toBe('18.0.0');
    expect(['near', 'far'].map((name) => lock.resolve({ from, name, range: '' }))).toEqual([undefined, undefined]);
  });

  test('a key too long for one line is found by its name', () => {
    const key = `lib@1.0.0(${'x'.repeat(1100)}@1.0.0)`;
    const text = `lockfileVersion: '9.0'\nsnapshots:\n  ? '@acme/${key}'\n  : dependencies:\n      dep: 1.0.0\n  ? dep@1.0.0\n  : {}\n`;
    const { entries } = read({ name: 'pnpm-lock.yaml', text }, new Set(['@acme/lib']));
    expect(entries.map(({ name, dependencies }) => [name, ...dependencies.keys()])).toEqual([['@acme/lib', 'dep']]);
  });
});

test.each<readonly [LockfileName, string, object]>([
  ['yarn.lock', 'ui 1.0.0\n', { kind: 'unreadable', reason: 'line 1 should begin an entry' }],
  ['yarn.lock', `${CLASSIC}lib@1:\n  version "1.0.0"\n  resolved\n`, { kind: 'unreadable', reason: 'line 6 should be "name value"' }],
  ['yarn.lock', `${CLASSIC}lib@1:\n  resolved "x"\n`, { kind: 'unreadable', reason: 'its entry "lib@1" has no version' }],
  ['package-lock.json', '{\n"a": 1', { kind: 'unreadable', reason: 'line 2 is not JSON' }],
  ['package-lock.json', '[]', { kind: 'unreadable', reason: 'it must be a JSON object' }],
  ['package-lock.json', '{}', { kind: 'unreadable', reason: 'it is not a lockfile: it has neither a version nor dependencies' }],
  ['npm-shrinkwrap.json', '{"lockfileVersion":4}', { kind: 'unsupported', found: '4', known: '1 to 3' }],
  ['pnpm-lock.yaml', 'packages: [\n', { kind: 'unreadable', reason: expect.stringMatching(/\(2:1\)$/) }],
  ['pnpm-lock.yaml', 'packages:\n', { kind: 'unreadable', reason: 'it has no "lockfileVersion"' }],
  ['pnpm-lock.yaml', "lockfileVersion: '10.0'\n", { kind: 'unsupported', found: '10.0', known: '5 to 9' }],
])('%s, %j: is no lockfile, with the reason', (name, text, verdict) => {
  expect(parseLockfile({ name, text })).toEqual(verdict);
  expect(parseEntriesOf({ name, text }, new Set(['lib']))).toEqual(verdict);
});

test('the line of what is wrong is that of the whole file, whichever names are asked for', () => {
  const entry = (name: string): string => `${name}@1:\n  version "1.0.0"\n\n`;
  const text = `${CLASSIC}${entry('a')}${entry('b')}lib@1:\n  version\n`;
  expect(parseEntriesOf({ name: 'yarn.lock', text }, new Set(['lib']))).toEqual({
    kind: 'unreadable',
    reason: 'line 11 should be "name value"',
  });
});

// Found by the fuzzer (tools/affected/src/fuzz.long.test.ts).
test('one of npm that is no JSON, and nested without end, is unreadable', () => {
  const lock = parseLockfile({ name: 'package-lock.json', text: `{"lockfileVersion":${'['.repeat(20_000)}` });
  expect(lock).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('nested too deeply') });
});

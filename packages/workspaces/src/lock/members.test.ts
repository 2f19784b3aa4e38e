import { describe, expect, test } from '@jest/globals';
import { LOCK_HEAD, lockText, parseLock } from '@tributary/lockfile/testing/lock-text';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import type { DependencyGraph } from '../dependency-graph.js';
import { type BerryMembers, type LockMembers, readLockMembers } from './members.js';

// How a given lockfile is read, whole or broken. lockfile-conformance.long.test.ts tests that whole lockfiles written by Yarn itself have
// the graph of their manifests.

/** Returns `app -> lib` for every edge, sorted. */
function edgesOf({ members, dependents }: DependencyGraph): readonly string[] {
  const edges = dependents
    .flat()
    .map(({ from, to, field }) => `${members[from]?.name} -${field === 'any' ? '' : field}> ${members[to]?.name}`);
  return [...new Set(edges)].sort();
}

function readBerry(text: string): BerryMembers {
  const lock = readLockMembers(text);
  if (lock.kind !== 'berry') throw new Error(`it is ${JSON.stringify(lock)}`);
  return lock;
}

function outline(lock: LockMembers): unknown {
  if (lock.kind !== 'berry') return lock;
  return { members: lock.graph.members.map(({ name, path }) => `${name} ${path || '.'}`).sort(), edges: edgesOf(lock.graph) };
}

/** Returns a lockfile with the root, `app` and `lib`, the dependencies of `app`, and more entries. */
function withApp(
  dependencies: Readonly<Record<string, string>>,
  ...entries: readonly { descriptors: string[]; resolution: string }[]
): string {
  return lockText([
    { descriptors: ['root@workspace:.'], resolution: 'root@workspace:.' },
    { descriptors: ['app@workspace:packages/app'], resolution: 'app@workspace:packages/app', dependencies },
    { descriptors: ['lib@npm:^1.0.0', 'lib@workspace:^', 'lib@workspace:packages/lib'], resolution: 'lib@workspace:packages/lib' },
    ...entries,
  ]);
}

/** Returns the entries that Yarn writes for paths. */
function boundEntries(dependencies: Readonly<Record<string, string>>): { descriptors: string[]; resolution: string }[] {
  return Object.entries(dependencies).flatMap(([name, range]) => {
    const path = /^(?:portal|link|file):[^#]*/.exec(range)?.[0] ?? (range.startsWith('.') ? `file:${range}` : undefined);
    const locator = `${name}@${path}::locator=app%40workspace%3Apackages%2Fapp`;
    return path === undefined ? [] : [{ descriptors: [locator], resolution: locator }];
  });
}

describe('an edge', () => {
  test.each<[title: string, dependencies: Record<string, string>, edges: readonly string[]]>([
    ['is a workspace range', { lib: 'workspace:^' }, ['app -> lib']],
    ['is a range that resolves to the workspace', { lib: 'npm:^1.0.0' }, ['app -> lib']],
    ['is that of Yarn 2 and 3, which write it without a protocol', { lib: '^1.0.0' }, ['app -> lib']],
    ['is a portal', { x: 'portal:../lib' }, ['app -> lib']],
    ['is a link to something below the folder', { x: 'link:../lib/src' }, ['app -> lib']],
    ['is a file', { x: 'file:../lib#./lib::hash=1' }, ['app -> lib']],
    ['is a bare path', { x: '../lib' }, ['app -> lib']],
    ['is a path to what no other workspace holds: the root', { x: 'link:../../tools' }, ['app -> root']],
    ['is not a path out of the project', { x: 'link:../../../lib' }, []],
    ['is not a path to itself', { x: 'link:./src' }, []],
    ['is a patch of a workspace', { lib: 'patch:lib@workspace%3A^#./x.patch' }, ['app -> lib']],
    ['is not an alias that no entry of a workspace has', { x: 'npm:lib@^1.0.0' }, []],
    ['is a catalog that could mean it', { lib: 'catalog:' }, ['app -> lib']],
    ['is what has no entry of its own, so that only resolutions can lead there', { lib: 'npm:^9.0.0' }, ['app -> lib']],
    ['is not a package of another name', { library: 'npm:^1.0.0' }, []],
  ])('%s', (_, dependencies, edges) => {
    expect(edgesOf(readBerry(withApp(dependencies, ...boundEntries(dependencies))).graph)).toEqual(edges);
  });

  test('is not a package of the registry that has the name of a workspace', () => {
    const text = withApp({ lib: 'npm:^9.0.0' }, { descriptors: ['lib@npm:^9.0.0'], resolution: 'lib@npm:9.0.1' });
    expect(edgesOf(readBerry(text).graph)).toEqual([]);
  });

  test('is a peer of the name, whatever its range', () => {
    const text = withApp({ lib: 'workspace:^' }).replace(
      '    lib: "workspace:^"\n',
      '    other: "npm:1"\n  peerDependencies:\n    lib: ">=9"\n  peerDependenciesMeta:\n    lib:\n      optional: true\n',
    );
    expect(edgesOf(readBerry(text).graph)).toEqual(['app -peer> lib']);
  });
});

const SAMPLE = parseLock(`
  root:
  app: lib workspace:^, a ^1
  lib: @acme/x workspace:^
  @acme/x: a ^1
  a@^1 = 1.0.0: b ^2
  b@^2 = 2.0.0:
`);

describe('the same is read', () => {
  const expected = outline(readLockMembers(SAMPLE));
  test.each<[title: string, text: string]>([
    ['of Windows line ends', SAMPLE.replaceAll('\n', '\r\n')],
    ['behind a byte order mark', `\uFEFF${SAMPLE}`],
    ['without a comment at the top', SAMPLE.slice(SAMPLE.indexOf('__metadata'))],
    ['with a comment in between', SAMPLE.replace('\n"lib', '\n# by hand\n"lib')],
    ['with blank lines at the end', `${SAMPLE}\n\n\n`],
    ['of version 4 of the format', SAMPLE.replace('version: 8', 'version: 4').replaceAll('"npm:^', '"^')],
    ['of any version of the format', SAMPLE.replace('version: 8', 'version: 99')],
    [
      'with fields that nobody knows',
      SAMPLE.replaceAll(
        '  linkType: soft',
        '  dependenciesMeta:\n    lib:\n      built: false\n  bin:\n    lib: ./lib\n  conditions: os=linux\n  linkType: soft',
      ),
    ],
    ['with keys in the long form', SAMPLE.replace(/^("lib@.*"):$/m, '? $1\n:')],
    ['with escapes', SAMPLE.replaceAll('lib@workspace:packages/lib', 'l\\u0069b@workspace:packages/lib')],
  ])('%s', (_, text) => {
    expect(text === SAMPLE).toBe(false);
    expect(outline(readLockMembers(text))).toEqual(expected);
  });
});

describe('it cannot be told', () => {
  const unreadable = (reason: unknown): unknown => ({ kind: 'unreadable', reason });
  test.each<[title: string, text: string, answer: unknown]>([
    ['from nothing', '', unreadable('it is empty')],
    ['from a blank line', '\n', unreadable('it is empty')],
    ['from another file', '{"name": "root"}', unreadable('line 1 should begin an entry')],
    ['from a classic lockfile', '# yarn lockfile v1\n\n\na@^1:\n  version "1.0.0"\n', { kind: 'classic' }],
    ['from a head alone', LOCK_HEAD, unreadable(expect.any(String))],
    ['without a root', parseLock('app: lib workspace:^\nlib:'), unreadable('it lists a folder twice, or no root')],
    [
      'with a folder twice',
      withApp({}, { descriptors: ['x@workspace:packages/lib'], resolution: 'x@workspace:packages/lib' }),
      unreadable('it lists a folder twice, or no root'),
    ],
    [
      'with a workspace outside',
      withApp({}, { descriptors: ['x@workspace:../x'], resolution: 'x@workspace:../x' }),
      unreadable('"../x" cannot be used as a path: it leaves the repository.'),
    ],
    [
      'with a conflict marker',
      SAMPLE.replace('"lib@', '<<<<<<< HEAD\n"lib@'),
      unreadable(expect.stringMatching(/^line \d+ is a conflict marker/)),
    ],
    [
      'with the end of one alone',
      SAMPLE.replace('"lib@', '>>>>>>> topic\r\n"lib@'),
      unreadable(expect.stringMatching(/^line \d+ is a conflict marker/)),
    ],
    [
      'without a resolution',
      SAMPLE.replace('  resolution: "lib@workspace:packages/lib"\n', ''),
      unreadable(expect.stringContaining('has no resolution')),
    ],
    [
      'with a resolution that is no workspace',
      SAMPLE.replace('resolution: "lib@workspace:packages/lib"', 'resolution: "lib@npm:1.0.0"'),
      unreadable(expect.stringContaining('is not a workspace')),
    ],
    [
      'with quotes that are not closed',
      SAMPLE.replace('resolution: "lib@workspace:packages/lib"', 'resolution: "lib@workspace:packages/lib'),
      unreadable(expect.stringContaining('has quotes that do not match')),
    ],
    [
      'with a workspace that is missing, of a name with signs',
      SAMPLE.replace('    lib: "workspace:^"', '    x+y~é: "workspace:^"'),
      unreadable(expect.stringContaining('x+y~é')),
    ],
    [
      'with a dependency that is none',
      SAMPLE.replace('    lib: "workspace:^"', '    lib "workspace:^"'),
      unreadable(expect.stringContaining('should be "name: value"')),
    ],
    ['with a key that does not end', SAMPLE.replace(/^("lib@.*"):$/m, '$1'), unreadable(expect.stringContaining('should begin an entry'))],
    [
      'with a key that does not end, in quotes that do',
      SAMPLE.replace(/^("lib@.*"):$/m, '$1'.concat(' "')),
      unreadable(expect.stringContaining('should begin an entry')),
    ],
  ])('%s', (_, text, answer) => {
    expect(outline(readLockMembers(text))).toEqual(answer);
  });
});

describe.each(['workspace:^', 'npm:^1.0.0'])('a lockfile that was cut off, whose workspaces are asked for by %s', (range) => {
  // The root comes first, so that every cut text has one; packages are in between, as in alphabetical order.
  const count = 40;
  const entries = Array.from({ length: count }, (_, at) => [
    {
      descriptors: [`w${at}@${range}`, `w${at}@workspace:packages/w${at}`],
      resolution: `w${at}@workspace:packages/w${at}`,
      dependencies: { [`w${(at * 7 + 1) % count}`]: range, a: 'npm:^1', [`w${(at * 3 + 2) % count}`]: range },
    },
    { descriptors: [`p${at}@npm:^1`], resolution: `p${at}@npm:1.0.0`, dependencies: { a: 'npm:^1' }, checksum: '0123456789' },
  ]);
  const text = lockText([
    { descriptors: ['a-root@workspace:.'], resolution: 'a-root@workspace:.', dependencies: { w0: range } },
    { descriptors: ['a@npm:^1'], resolution: 'a@npm:1.0.0' },
    ...entries.flat(),
  ]);
  const whole = readBerry(text).graph;
  const isBetweenEntries = (cut: string): boolean => /\n {2}linkType: (hard|soft)\n*$/.test(cut);

  /** Returns how a cut text is read: `whole` if the graph lost nothing, `less` if it silently lost something. */
  function readCut(cut: string): 'whole' | 'unreadable' | 'less' {
    const lock = readLockMembers(cut);
    if (lock.kind !== 'berry') return 'unreadable';
    const [members, edges] = [lock.graph.members.map(({ path }) => path), edgesOf(lock.graph)];
    for (const path of members) expect(whole.byPath.has(path)).toBe(true);
    expect(edgesOf(whole)).toEqual(expect.arrayContaining([...edges]));
    return members.length === whole.members.length && edges.length === edgesOf(whole).length ? 'whole' : 'less';
  }

  test('anywhere in an entry is read whole or not at all: no workspace and no edge is lost in silence', () => {
    const places = fc.nat({ max: text.length - 2 }).filter((end) => !isBetweenEntries(text.slice(0, end)));
    fc.assert(
      fc.property(places, (end) => expect(readCut(text.slice(0, end))).not.toBe('less')),
      { numRuns: cases(200) },
    );
  });

  test('between two entries is noticed where a workspace that is not there any more is asked for by its protocol', () => {
    const ends = [...text.matchAll(/\n\n/g)].map(({ index }) => index);
    const results = new Set(ends.slice(0, -1).map((end) => readCut(text.slice(0, end + 1))));
    // A plain range may mean a package of the registry, so this is like an outdated lockfile.
    expect(results.has('less')).toBe(!range.startsWith('workspace:'));
  });
});

describe('a random text', () => {
  test('is never an error', () => {
    const pieces = fc.constantFrom(
      '"a@workspace:a"',
      '"root@workspace:."',
      ':',
      '\n',
      '\n\n',
      '  ',
      '    ',
      '? ',
      'resolution: ',
      'dependencies:',
      'a: "workspace:^"',
      '"',
      '\\',
      '\r',
      '@workspace:',
      'x',
      ', ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        expect(['berry', 'unreadable']).toContain(readLockMembers(`__metadata:\n  version: 8\n\n${parts.join('')}`).kind);
      }),
      { numRuns: cases(3000) },
    );
  });

  test('a blank line put in anywhere changes nothing, or is noticed', () => {
    const lines = SAMPLE.split('\n');
    const expected = outline(readBerry(SAMPLE));
    for (const at of lines.keys()) {
      const lock = readLockMembers(lines.toSpliced(at, 0, '').join('\n'));
      expect([at, lock.kind === 'berry' ? outline(lock) : expected]).toEqual([at, expected]);
    }
  });

  test('a line lost anywhere never adds a workspace or an edge', () => {
    const lines = SAMPLE.split('\n');
    const [members, edges] = [readBerry(SAMPLE).graph.members.map(({ path }) => path), edgesOf(readBerry(SAMPLE).graph)];
    for (const at of lines.keys()) {
      const lock = readLockMembers(lines.toSpliced(at, 1).join('\n'));
      if (lock.kind !== 'berry') continue;
      expect(members).toEqual(expect.arrayContaining(lock.graph.members.map(({ path }) => path)));
      expect(edges).toEqual(expect.arrayContaining([...edgesOf(lock.graph)]));
    }
  });
});

test('keys of any length are read, also those over 1,024 characters', () => {
  const ranges = Array.from({ length: 200 }, (_, at) => `lib@npm:^1.${at}.0`);
  const text = withApp({ lib: 'npm:^1.7.0' }).replace(/^"(lib@npm.*)":$/m, `? "${ranges.join(', ')}, $1"\n:`);
  expect(edgesOf(readBerry(text).graph)).toEqual(['app -> lib']);
});

test('thousands of workspaces are read, each with its edge', () => {
  const count = 5000;
  const entries = Array.from({ length: count }, (_, at) => ({
    descriptors: [`w${at}@workspace:^`, `w${at}@workspace:packages/w${at}`],
    resolution: `w${at}@workspace:packages/w${at}`,
    dependencies: { [`w${(at * 7 + 1) % count}`]: 'workspace:^', a: 'npm:^1' },
  }));
  const text = lockText([{ descriptors: ['root@workspace:.'], resolution: 'root@workspace:.' }, ...entries]);
  const { graph } = readBerry(text);
  expect([graph.members.length, graph.dependents.flat().length]).toEqual([count + 1, count]);
});

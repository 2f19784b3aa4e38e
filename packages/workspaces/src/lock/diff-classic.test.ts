import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { workspacesOf } from '../testing/parse-graph.js';
import { type ClassicSide, diffClassicLocks, linksThroughClassic } from './diff-classic.js';

type Manifests = Readonly<Record<string, object>>;

/** Returns a lockfile. `left@^1.0.0 = 1.0.0: deep ^1.0.0` is an entry; lines that end with `!` have another archive. */
function lockOf(lines: readonly string[]): string {
  const entries = lines.map((line) => {
    const [, keys = '', version = '', mark = '', asked = ''] = /^(.*) = ([^!:]*)(!?)(?:: (.*))?$/.exec(line) ?? [];
    const pairs =
      asked === ''
        ? ''
        : `  dependencies:\n${asked
            .split(', ')
            .map((pair) => `    ${pair.replace(/ (.*)/, ' "$1"')}\n`)
            .join('')}`;
    const name = keys.slice(0, keys.indexOf('@', 1));
    return `${keys}:\n  version "${version}"\n  resolved "https://example.org/${name}-${version}.tgz#${mark === '' ? 'a' : 'b'}"\n${pairs}`;
  });
  return `# yarn lockfile v1\n\n\n${entries.join('\n')}`;
}

const MANIFESTS: Manifests = {
  '': { name: 'root', workspaces: ['packages/*'], devDependencies: { tool: '^1.0.0' } },
  'packages/a': { name: 'a', version: '1.0.0', dependencies: { left: '^1.0.0' } },
  'packages/b': { name: 'b', version: '1.0.0', dependencies: { a: '^1.0.0' }, devDependencies: { deep: '^1.0.0' } },
  'packages/c': { name: 'c', version: '1.0.0', peerDependencies: { left: '*' } },
};
const LINES = [
  'left@^1.0.0 = 1.0.0: deep ^1.0.0',
  'deep@^1.0.0 = 1.0.0',
  'tool@^1.0.0 = 1.0.0: ring ^1.0.0',
  'ring@^1.0.0 = 1.0.0: tool ^1.0.0',
];

function side(lines: readonly string[] = LINES, manifests: Manifests = {}): ClassicSide {
  return { text: lockOf(lines), workspaces: workspacesOf({ ...MANIFESTS, ...manifests }) };
}

function bumped(name: string, line: string): readonly string[] {
  return LINES.map((one) => (one.startsWith(`${name}@`) ? line : one));
}

/** Returns changes as `a: left left@1.0.0 > left@2.0.0`. */
function changesOf(base: ClassicSide, head: ClassicSide): readonly string[] | string {
  const diff = diffClassicLocks(base, head);
  if (diff.kind === 'unknown') return diff.code;
  return [...diff.changed].flatMap(([folder, changes]) =>
    changes.map(({ dependency, from, to }) => `${folder.replace('packages/', '') || 'root'}: ${dependency} ${from} > ${to}`),
  );
}

describe('a change is found', () => {
  test.each<[title: string, head: ClassicSide, changes: readonly string[]]>([
    ['nothing', side(), []],
    ['the order of entries', side(LINES.toReversed()), []],
    [
      'a version',
      side(bumped('left', 'left@^1.0.0 = 1.1.0: deep ^1.0.0')),
      ['a: left left@1.0.0 > left@1.1.0', 'c: left left@1.0.0 > left@1.1.0'],
    ],
    [
      'an archive of the same version',
      side(bumped('left', 'left@^1.0.0 = 1.0.0!: deep ^1.0.0')),
      ['a: left left@1.0.0 > left@1.0.0', 'c: left left@1.0.0 > left@1.0.0'],
    ],
    [
      'what a package asks for',
      side(bumped('left', 'left@^1.0.0 = 1.0.0')),
      ['a: left left@1.0.0 > left@1.0.0', 'c: left left@1.0.0 > left@1.0.0'],
    ],
    [
      'further below',
      side(bumped('deep', 'deep@^1.0.0 = 1.0.1')),
      ['a: left deep@1.0.0 > deep@1.0.1', 'b: deep deep@1.0.0 > deep@1.0.1', 'c: left deep@1.0.0 > deep@1.0.1'],
    ],
    ['in a circle', side(bumped('ring', 'ring@^1.0.0 = 1.0.1: tool ^1.0.0')), ['root: tool ring@1.0.0 > ring@1.0.1']],
    [
      'another range for the same package',
      side(bumped('left', 'left@^1.0.0, left@~1.0.0 = 1.0.0: deep ^1.0.0'), {
        'packages/a': { name: 'a', version: '1.0.0', dependencies: { left: '~1.0.0' } },
      }),
      [],
    ],
    [
      'a new dependency',
      side([...LINES, 'new@1 = 1.0.0'], { 'packages/a': { name: 'a', version: '1.0.0', dependencies: { left: '^1.0.0', new: '1' } } }),
      ['a: new null > new@1.0.0'],
    ],
    ['one that went', side(LINES, { 'packages/b': { name: 'b', dependencies: { a: '^1.0.0' } } }), ['b: deep deep@1.0.0 > null']],
    ['a workspace that becomes a package', side([...LINES, 'a@^1.0.0 = 1.2.0']), ['b: a null > a@1.2.0']],
    ['an entry that nobody uses, and that is new', side([...LINES, 'lost@1 = 1.0.0']), []],
  ])('%s', (_, head, changes) => {
    expect(changesOf(side(), head)).toEqual(changes);
  });

  test('of the hash of an archive whose address stays', () => {
    const withHash = (hash: string): ClassicSide => ({ ...side(), text: side().text.replace(/#a"\n/, `"\n  integrity sha512-${hash}\n`) });
    expect(changesOf(withHash('x'), withHash('y'))).toEqual(['a: left left@1.0.0 > left@1.0.0', 'c: left left@1.0.0 > left@1.0.0']);
  });

  test('of a name in two blocks, whichever of them changed', () => {
    const manifests = { 'packages/a': { name: 'a', dependencies: { two: '^1.0.0' }, devDependencies: { two: '^2.0.0' } } };
    const at = (one: string, other: string): ClassicSide => side([...LINES, `two@^1.0.0 = ${one}`, `two@^2.0.0 = ${other}`], manifests);
    for (const head of [at('1.0.1', '2.0.0'), at('1.0.0', '2.0.1')])
      expect(changesOf(at('1.0.0', '2.0.0'), head)).toEqual([expect.stringMatching(/^a: two /)]);
  });

  test.each<[title: string, lines: readonly string[], manifests: Manifests]>([
    ['a package asks for a workspace, which is not locked', [...LINES, 'ext@1 = 1.0.0: a ^1.0.0'], {}],
    ['a workspace asks for what is not locked', LINES, { 'packages/c': { name: 'c', dependencies: { nowhere: '1' } } }],
    ['a range is written otherwise than it is locked', LINES, { 'packages/c': { name: 'c', dependencies: { left: ' ^1.0.0' } } }],
  ])('not where %s', (_, lines, manifests) => {
    expect(changesOf(side(lines, manifests), side([...lines].reverse(), manifests))).toBe('LOCKFILE_UNKNOWN');
  });

  test('not where nobody can say who uses an entry that changed', () => {
    const lost = (version: string): ClassicSide => side([...LINES, `lost@1 = ${version}`]);
    expect(changesOf(lost('1.0.0'), lost('1.0.1'))).toBe('LOCKFILE_UNKNOWN');
  });

  test('not in a lockfile with the markers of a merge', () => {
    expect(changesOf(side(), { ...side(), text: `<<<<<<< ours\n${side().text}` })).toBe('LOCKFILE_UNREADABLE');
  });
});

/** Returns the packages of a workspace, followed step by step: slow and simple. */
function closureOf(lines: readonly string[], [name, range]: readonly [string, string], seen = new Set<string>()): string {
  const line = lines.find((one) => one.startsWith(`${name}@${range} = `));
  if (line === undefined || seen.has(line)) return '';
  seen.add(line);
  const asked = /: (.*)$/.exec(line)?.[1]?.split(', ') ?? [];
  return [line, ...asked.map((pair) => closureOf(lines, pair.split(' ') as [string, string], seen))].join('\n');
}

test('nobody is missed whose packages differ, in random lockfiles', () => {
  const names = ['p', 'q', 'r', 's'];
  const ranges = fc.constantFrom('1', '2');
  const pair = fc.tuple(fc.constantFrom(...names), ranges);
  const locks = fc.tuple(
    ...names.flatMap((name) =>
      ['1', '2'].map((range) =>
        fc.tuple(
          fc.constant(`${name}@${range}`),
          fc.constantFrom('1.0', '1.1'),
          fc.uniqueArray(pair, { maxLength: 2, selector: ([one]) => one }),
        ),
      ),
    ),
  );
  const lines = locks.map((all) =>
    all.map(
      ([key, version, asked]) => `${key} = ${version}${asked.length === 0 ? '' : `: ${asked.map((one) => one.join(' ')).join(', ')}`}`,
    ),
  );
  fc.assert(
    fc.property(lines, lines, fc.uniqueArray(pair, { maxLength: 3, selector: ([one]) => one }), (before, after, asked) => {
      const manifests = { 'packages/a': { name: 'a', dependencies: Object.fromEntries(asked) } };
      const found = diffClassicLocks(side(before, manifests), side(after, manifests));
      if (found.kind === 'unknown') return;
      const differs = asked.some((one) => closureOf(before, one) !== closureOf(after, one));
      expect([...found.changed.keys()].includes('packages/a' as never)).toBe(differs);
    }),
    { numRuns: cases(3000) },
  );
});

describe('links through packages', () => {
  const links = (lines: readonly string[], manifests: Manifests = {}): unknown => linksThroughClassic(side(lines, manifests));

  test('lead to a workspace that a package asks for, also through other packages', () => {
    const lines = ['left@^1.0.0 = 1.0.0: deep ^1.0.0', 'deep@^1.0.0 = 1.0.0: b ^1.0.0', 'tool@^1.0.0 = 1.0.0'];
    expect(links(lines)).toEqual([{ from: 'packages/a', to: 'packages/b', through: ['deep@1.0.0'] }]);
  });

  test('do not lead where the lockfile has a package of that name', () => {
    expect(links([...LINES, 'b@^1.0.0 = 1.0.0'].map((line) => (line.startsWith('deep') ? 'deep@^1.0.0 = 1.0.0: b ^1.0.0' : line)))).toEqual(
      [],
    );
  });

  test('end in a ring, and are none of a workspace to itself', () => {
    expect(links(LINES)).toEqual([]);
    expect(links(['left@^1.0.0 = 1.0.0: left ^1.0.0, a ^1.0.0'])).toEqual([]);
  });
});

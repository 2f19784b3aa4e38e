import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LockEntryParts, lockText, parseLock } from '../testing/lock-text.js';
import { diffLocks } from './diff.js';
import { firstEntry, isAsYarnWrites } from './entries.js';
import { excerptAround, excerptOf } from './excerpt.js';
import { buildLockGraph } from './graph.js';
import { indexLock } from './indexed.js';
import { linksThroughPackages, type PackageLink } from './links.js';
import { readLockMembers } from './members.js';
import { builtinExtensions, parsePackageExtensions } from './package-extensions.js';
import type { LockRules } from './references.js';

const PLAIN: LockRules = { resolutions: new Map(), extensions: [], catalogs: new Map() };

const SAMPLE = parseLock(`
  root: lint ^1
  app: a ^1
  other: c ^1
  user: app workspace:^
  a@^1 = 1.0.0: b ^1
  b@^1 = 1.0.0
  b@^2 = 2.0.0
  c@^1 = 1.0.0: d ^1
  d@^1 = 1.0.0
  lint@^1 = 1.0.0`);

/** The keys of the entries of the head that are in an excerpt. */
function keysOf(base: string, head: string, extensions: LockRules['extensions'] = []): readonly string[] | undefined {
  return excerptOf(base, head, { extensions })
    ?.head.match(/^"[^@]+/gm)
    ?.map((key) => key.slice(1));
}

describe('an excerpt', () => {
  const changed = SAMPLE.replace('resolution: "b@npm:1.0.0"', 'resolution: "b@npm:1.0.9"');

  test('holds what changed, all of its name, who reaches it, and the root', () => {
    expect(keysOf(SAMPLE, changed)).toEqual(['root', 'app', 'a', 'b', 'b']);
  });

  test('tells the names of what changed, came and went', () => {
    const head = changed.replace(/"d@[^"]+":\n(?: {2}[^\n]*\n)+\n/, '');
    expect([...(excerptOf(SAMPLE, head, { extensions: [] })?.changed ?? [])].sort()).toEqual(['b', 'd']);
  });

  test('holds what reaches it by an extension', () => {
    const extensions = parsePackageExtensions({ 'c@*': { dependencies: { b: '^1' } } });
    expect(keysOf(SAMPLE, changed, extensions)).toEqual(['root', 'app', 'other', 'a', 'b', 'b', 'c']);
  });

  test('holds a patch of it that has another name', () => {
    const patch =
      '\n"fork@patch:b@npm%3A1.0.0#~/b.patch":\n  version: 1.0.0\n  resolution: "fork@patch:b@npm%3A1.0.0#~/b.patch"\n  linkType: hard\n';
    expect(keysOf(`${SAMPLE}${patch}`, `${changed}${patch}`)).toEqual(['root', 'app', 'a', 'b', 'b', 'fork']);
  });

  test('of two that are the same holds the root alone', () => expect(keysOf(SAMPLE, SAMPLE)).toEqual(['root']));
});

describe('there is no excerpt', () => {
  const cases: Readonly<Record<string, (text: string) => string>> = {
    'if the entry of a workspace changed': (text) => text.replace('    c: "npm:^1"', '    c: "npm:^2"'),
    'if what is bound to a path changed': (text) =>
      `${text}\n"lib@link:./lib::locator=root%40workspace%3A.":\n  version: 0.0.0\n  resolution: "lib@link:./lib::locator=root%40workspace%3A."\n  linkType: soft\n`,
    'of a classic lockfile': () => '# yarn lockfile v1\n\n\na@^1:\n  version "1.0.0"\n',
    'of an empty file': () => '',
    'with Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
    'with escapes': (text) => text.replace('"c@npm:^1"', '"c@npm:\\u005e1"'),
    'where two entries have no empty line between': (text) => text.replace('\n\n"c@', '\n"c@'),
    'where a line is set in otherwise': (text) => text.replace('    c: "npm:^1"', '   c: "npm:^1"'),
    'where an entry has no resolution': (text) => text.replace('  resolution: "c@npm:1.0.0"\n', ''),
    'where an entry was cut off': (text) => text.slice(0, -20),
  };

  for (const [title, edit] of Object.entries(cases)) {
    test(title, () => {
      expect(edit(SAMPLE)).not.toBe(SAMPLE);
      expect(excerptOf(SAMPLE, edit(SAMPLE), { extensions: [] })).toBeUndefined();
      expect(excerptOf(edit(SAMPLE), SAMPLE, { extensions: [] })).toBeUndefined();
    });
  }
});

test('there is no excerpt of files with an entry in front of __metadata, which nobody would look into', () => {
  const front = SAMPLE.slice(SAMPLE.indexOf('"c@'), SAMPLE.indexOf('"d@'));
  const base = `${front}${SAMPLE.replace(front, '')}`;
  expect(excerptOf(base, base.replace('resolution: "d@npm:1.0.0"', 'resolution: "d@npm:1.0.9"'), { extensions: [] })).toBeUndefined();
});

/** How an entry asks for a package: by its number, and how. */
type Ask = readonly [number, 'plain' | 'second' | 'alias' | 'patch' | 'tag' | 'peer'];

interface Shape {
  readonly workspaces: readonly (readonly Ask[])[];
  readonly packages: readonly { readonly asks: readonly Ask[]; readonly second: boolean; readonly patched: boolean }[];
  /** From one package to another. */
  readonly extensions: readonly (readonly [number, number])[];
}

const COUNT = 8;
const number = fc.nat({ max: COUNT - 1 });
const asks = fc.array(fc.tuple(number, fc.constantFrom('plain', 'second', 'alias', 'patch', 'tag', 'peer')), { maxLength: 3 });

const shapes: fc.Arbitrary<Shape> = fc.record({
  workspaces: fc.array(asks, { minLength: 1, maxLength: 5 }),
  packages: fc.array(fc.record({ asks, second: fc.boolean(), patched: fc.boolean() }), { minLength: COUNT, maxLength: COUNT }),
  extensions: fc.array(fc.tuple(number, number), { maxLength: 2 }),
});

function lineOf([at, how]: Ask): readonly [string, string] {
  if (how === 'alias') return [`alias${at}`, `npm:p${at}@^1`];
  if (how === 'patch') return [`p${at}`, `patch:p${at}@npm%3A^1#~/p.patch`];
  return [`p${at}`, how === 'second' ? 'npm:^2' : how === 'tag' ? 'npm:next' : 'npm:^1'];
}

function dependenciesOf(all: readonly Ask[]): Readonly<Record<string, string>> {
  return Object.fromEntries(all.filter(([, how]) => how !== 'peer').map(lineOf));
}

function textOf({ workspaces, packages }: Shape, versions: readonly number[]): string {
  const members = workspaces.map((own, at): LockEntryParts => {
    const folder = at === 0 ? '.' : `packages/w${at}`;
    return { descriptors: [`w${at}@workspace:${folder}`], resolution: `w${at}@workspace:${folder}`, dependencies: dependenciesOf(own) };
  });
  const entries = packages.flatMap(({ asks: own, second, patched }, at): readonly LockEntryParts[] => {
    const dependencies = dependenciesOf(own);
    const version = versions[at] ?? 0;
    const patch = `p${at}@patch:p${at}@npm%3A^1#~/p.patch`;
    return [
      { descriptors: [`alias${at}@npm:p${at}@^1`, `p${at}@npm:^1`], resolution: `p${at}@npm:1.${version}.0`, dependencies },
      ...(second ? [{ descriptors: [`p${at}@npm:^2`], resolution: `p${at}@npm:2.0.0`, checksum: String(version) }] : []),
      ...(patched ? [{ descriptors: [patch], resolution: `${patch}::version=1.0.0&hash=1`, dependencies }] : []),
    ];
  });
  return withPeers(lockText([...members, ...entries]), workspaces);
}

function withPeers(text: string, workspaces: Shape['workspaces']): string {
  return workspaces.reduce((before, own, at) => {
    const lines = new Set(own.filter(([, how]) => how === 'peer').map(([peer]) => `    p${peer}: "*"\n`));
    const folder = at === 0 ? '.' : `packages/w${at}`;
    return lines.size === 0
      ? before
      : before.replace(`resolution: "w${at}@workspace:${folder}"\n`, `$&  peerDependencies:\n${[...lines].join('')}`);
  }, text);
}

test('a comparison of excerpts says what one of the whole says', () => {
  const versions = fc.array(fc.nat({ max: 1 }), { minLength: COUNT, maxLength: COUNT });
  fc.assert(
    fc.property(shapes, versions, versions, (shape, before, after) => {
      const [base, head] = [textOf(shape, before), textOf(shape, after)];
      const added = Object.fromEntries(shape.extensions.map(([from, to]) => [`p${from}@*`, { dependencies: { [`p${to}`]: '^1' } }]));
      const rules = { ...PLAIN, extensions: parsePackageExtensions(added) };
      const excerpt = excerptOf(base, head, { extensions: [...builtinExtensions(), ...rules.extensions] });
      const diff = (one: string, other: string) => diffLocks({ text: one, ...rules }, { text: other, ...rules });
      expect(excerpt && diff(excerpt.base, excerpt.head)).toEqual(diff(base, head));
    }),
    { numRuns: 1000 },
  );
});

test('the ways through packages from one workspace to another are those of the whole', () => {
  const ask = fc.tuple(number, fc.constantFrom('^1', '^2'));
  const owns = fc.record({ asks: fc.array(ask, { maxLength: 3 }), is: fc.constantFrom('package', 'workspace'), second: fc.boolean() });
  const packages = fc.array(owns, { minLength: COUNT, maxLength: COUNT });
  const extensions = fc.array(fc.tuple(number, number), { maxLength: 2 });
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 3 }), packages, extensions, fc.option(number), (root, all, added, resolved) => {
      // Whatever is asked for has an entry, unless a resolution leads elsewhere.
      const isResolved = (at: number): boolean => at === resolved && all[at]?.is === 'workspace';
      const rangeOf = ([at, range]: (typeof root)[number]): string => (all[at]?.second === true || isResolved(at) ? range : '^1');
      const asked = (asks: typeof root): string => asks.map((one) => `p${one[0]} ${rangeOf(one)}`).join(', ');
      const lines = all.flatMap(({ asks, is, second }, at) => [
        is === 'package'
          ? `p${at}@^1 = 1.0.0: ${asked(asks)}`
          : `p${at}@workspace:packages/p${at} ^1 = workspace:packages/p${at}: ${asked(asks)}`,
        ...(second ? [`p${at}@^2 = 2.0.0: ${asked(asks)}`] : []),
      ]);
      const text = parseLock([`root: ${asked(root)}`, ...lines].join('\n'));
      const rules = {
        ...PLAIN,
        extensions: parsePackageExtensions(
          Object.fromEntries(added.map(([from, to]) => [`p${from}@*`, { dependencies: { [`p${to}`]: '^1' } }])),
        ),
        resolutions: new Map(resolved === null || !isResolved(resolved) ? [] : [[`p${resolved}`, `workspace:packages/p${resolved}`]]),
      };
      // For workspaces that extensions give to packages nobody asks for an excerpt.
      const given = new Set<string>(added.map(([, to]) => `packages/p${to}`));
      const links = linksIn(text, rules).filter(({ to }) => !given.has(to));
      const lock = readLockMembers(text);
      if (lock.kind !== 'berry') throw new Error('unreadable');
      const { graph, source } = lock;
      const seeds = graph.members.filter(({ name }, place) => rules.resolutions.has(name) || source.edges.areAskedOutside([place]));
      const excerpt = excerptAround(new Set(seeds.map(({ name }) => name)), text, [...builtinExtensions(), ...rules.extensions]);
      const folders = new Set(seeds.map(({ path }) => path));
      expect(linksIn(excerpt ?? '', rules).filter(({ to }) => folders.has(to) && !given.has(to))).toEqual(links);
    }),
    { numRuns: 500 },
  );
});

function linksIn(text: string, rules: LockRules): readonly PackageLink[] {
  const index = indexLock(text);
  if (index.kind !== 'berry') throw new Error('unreadable');
  return linksThroughPackages(buildLockGraph(index, rules));
}

describe('what the scan of a head takes for written as Yarn writes it', () => {
  const isKnown = (text: string): boolean => {
    const lock = readLockMembers(text);
    return lock.kind === 'berry' && lock.source.isAsYarnWrites();
  };

  test('is what Yarn writes', () => expect(isKnown(SAMPLE)).toBe(true));

  test.each<[title: string, text: string]>([
    ['an empty line more', SAMPLE.replace('\n"b@', '\n\n"b@')],
    ['an empty line less', SAMPLE.replace('\n\n"b@', '\n"b@')],
    ['an empty line at the end', `${SAMPLE}\n`],
    ['no line end at the end', SAMPLE.slice(0, -1)],
    ['two resolutions in an entry', SAMPLE.replace('  resolution: "b@npm:1.0.0"\n', '$&$&')],
    ['an escape', SAMPLE.replace('b@npm:1.0.0', '\\u0062@npm:1.0.0')],
    ['three spaces', SAMPLE.replace('    d: "npm:^1"', '   d: "npm:^1"')],
    ['eight spaces', SAMPLE.replace('    d: "npm:^1"', '        d: "npm:^1"')],
    ['a comment in front of an entry', SAMPLE.replace('\n"b@', '\n# by hand\n"b@')],
    ['a key in its long form inside of an entry', SAMPLE.replace('    d: "npm:^1"', '    ? d\n    : "npm:^1"')],
  ])('not with %s', (_, text) => {
    expect(text === SAMPLE).toBe(false);
    expect(isKnown(text)).toBe(false);
  });

  test('is nothing that the look at each entry would not take for it', () => {
    const pieces = fc.constantFrom('\n', '\n\n', ' ', '  ', '    ', '"', '? ', ':', '\\', '\r', '\t', 'x', '  resolution: ', '#');
    const edits = fc.array(fc.tuple(fc.nat({ max: SAMPLE.length }), fc.nat({ max: 3 }), pieces), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(edits, (all) => {
        const text = all.reduce((before, [at, gone, piece]) => `${before.slice(0, at)}${piece}${before.slice(at + gone)}`, SAMPLE);
        const first = firstEntry(text);
        // Without a first entry there is no excerpt.
        if (first !== undefined && isKnown(text)) expect(isAsYarnWrites(text.slice(first))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

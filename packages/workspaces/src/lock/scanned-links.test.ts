import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ownerPlace } from '../members.js';
import { type LockEntryParts, lockText, parseLock } from '../testing/lock-text.js';
import type { BerryMembers } from './berry-members.js';
import { buildLockGraph } from './graph.js';
import { indexLock } from './indexed.js';
import { linksThroughPackages, type PackageLink } from './links.js';
import { brokenLockTexts, lockTexts } from './random-lock.fixture.js';
import { scanText } from './scan-text.fixture.js';
import { linksInScan } from './scanned-links.js';

// The authority is `linksThroughPackages` of the whole lockfile: what the scan answers has to be the same, and it may leave whatever it likes.

type Resolutions = ReadonlyMap<string, string>;
const NONE: Resolutions = new Map();

function linksOfWhole(text: string, resolutions: Resolutions): readonly PackageLink[] | undefined {
  const index = indexLock(text);
  return index.kind === 'berry'
    ? linksThroughPackages(buildLockGraph(index, { resolutions, extensions: [], catalogs: new Map() }))
    : undefined;
}

/** As the tool asks for them: of lockfiles that are written as Yarn writes them, and bind no path to a member. */
function scanOf(text: string): BerryMembers | undefined {
  const lock = scanText(text);
  if (lock === undefined || !lock.source.isAsYarnWrites()) return undefined;
  const root = lock.graph.byPath.get('');
  return lock.linked.some((folder) => ownerPlace(lock.graph, folder) !== root) ? undefined : lock;
}

/** Whether the scan has an answer for the members at some places; fails if it is not that of the whole. */
function compare(text: string, resolutions: Resolutions = NONE, every = 1): boolean {
  const lock = scanOf(text);
  const scan = lock?.source.scan;
  if (lock === undefined || scan === undefined) return false;
  const members = [...lock.graph.members.keys()].filter((place) => place % every === 0);
  const links = linksInScan(scan, { members, resolutions });
  const whole = linksOfWhole(text, resolutions);
  if (links === undefined || whole === undefined) return false;
  const paths = new Set(members.map((place) => lock.graph.members[place]?.path));
  expect(links).toEqual(whole.filter(({ to }) => paths.has(to)));
  return true;
}

/** How something is asked for: by its number, and how. */
type Ask = readonly [number, 'plain' | 'second' | 'old' | 'alias' | 'tag' | 'path' | 'nothing'];

interface Shape {
  readonly root: readonly Ask[];
  readonly packages: readonly {
    readonly is: 'package' | 'workspace';
    readonly asks: readonly Ask[];
    readonly peers: readonly number[];
    /** Whether there is another entry of the same name, with what that asks for. */
    readonly second: readonly Ask[] | null;
    readonly patched: 'by Yarn' | 'by path' | 'no';
    readonly isBound: boolean;
  }[];
  readonly resolutions: Resolutions;
  readonly order: readonly number[];
}

const COUNT = 7;
const number = fc.nat({ max: COUNT - 1 });
const asks = fc.array(fc.tuple(number, fc.constantFrom('plain', 'plain', 'plain', 'second', 'old', 'alias', 'tag', 'path', 'nothing')), {
  maxLength: 3,
});
const patterns = fc
  .tuple(fc.constantFrom('', 'p1/', 'p2@npm:1.0.0/', 'p3@workspace:packages/p3/', '**/'), number, fc.constantFrom('', '@npm:^1', '@^2'))
  .map(([from, at, range]) => `${from}p${at}${range}`);
const targets = fc
  .tuple(number, fc.constantFrom('workspace:packages/p', 'npm:^1', '^2', '1.0.0', 'link:../x', 'patch:p', 'npm:p'))
  .map(([at, to]) => (to.endsWith(':p') ? `${to}${at}@^1` : to.endsWith('/p') ? `${to}${at}` : to));
const shapes: fc.Arbitrary<Shape> = fc.record({
  root: asks,
  packages: fc.array(
    fc.record({
      is: fc.constantFrom('package', 'package', 'workspace'),
      asks,
      peers: fc.array(number, { maxLength: 2 }),
      second: fc.option(asks, { freq: 3 }),
      patched: fc.constantFrom('no', 'no', 'no', 'by Yarn', 'by path'),
      isBound: fc.nat({ max: 9 }).map((one) => one === 0),
    }),
    { minLength: COUNT, maxLength: COUNT },
  ),
  resolutions: fc.array(fc.tuple(patterns, targets), { maxLength: 3 }).chain((pairs) => fc.constantFrom<Resolutions>(NONE, new Map(pairs))),
  order: fc.array(fc.nat(), { minLength: 6 * COUNT, maxLength: 6 * COUNT }),
});

/** A lockfile in which every name has its entries in an order of its own. */
function textOf({ root, packages, order }: Shape): string {
  const dependenciesOf = (own: readonly Ask[]): Record<string, string> => Object.fromEntries(own.map(askFor));
  const entries = packages.flatMap(({ is, asks: own, second, patched, isBound }, at): readonly LockEntryParts[] => {
    const dependencies = dependenciesOf(own);
    const [name, folder] = [`p${at}`, `packages/p${at}`];
    const patch = `${name}@patch:${name}@npm%3A^1#${patched === 'by Yarn' ? 'optional!builtin<x>' : '~/p.patch'}`;
    const bound = ['root%40workspace%3A.', `${name}%40workspace%3Apackages%2F${name}`].map((by) => `${name}@link:../x::locator=${by}`);
    return [
      is === 'package'
        ? { descriptors: [`alias${at}@npm:${name}@^1`, `${name}@npm:^1`], resolution: `${name}@npm:1.0.0`, dependencies }
        : {
            descriptors: [`${name}@npm:^1`, `${name}@workspace:^`, `${name}@workspace:${folder}`],
            resolution: `${name}@workspace:${folder}`,
            dependencies,
          },
      ...(second === null
        ? []
        : [{ descriptors: [`${name}@^3`, `${name}@npm:^2`], resolution: `${name}@npm:2.0.0`, dependencies: dependenciesOf(second) }]),
      ...(patched === 'no' ? [] : [{ descriptors: [patch], resolution: `${patch}::version=1.0.0&hash=1`, dependencies }]),
      ...(isBound
        ? bound.map((one, place) => ({ descriptors: [one], resolution: one, dependencies: place === 0 ? {} : dependencies }))
        : []),
    ];
  });
  const rootEntry = { descriptors: ['root@workspace:.'], resolution: 'root@workspace:.', dependencies: dependenciesOf(root) };
  const ranked = [rootEntry, ...entries].map((entry, at) => [order[at] ?? 0, entry] as const).sort(([a], [b]) => a - b);
  return packages.reduce(withPeers, lockText(ranked.map(([, entry]) => entry)));
}

function askFor([at, how]: Ask): [name: string, range: string] {
  const ranges = {
    plain: 'npm:^1',
    second: 'npm:^2',
    old: '^3',
    tag: 'npm:next',
    path: 'link:../x',
    nothing: 'npm:^9',
    alias: `npm:p${at}@^1`,
  };
  return [how === 'alias' ? `alias${at}` : how === 'nothing' ? 'nobody' : `p${at}`, ranges[how]];
}

function withPeers(text: string, { peers }: Shape['packages'][number], at: number): string {
  const lines = [...new Set(peers)].map((peer) => `    p${peer}: "*"\n`).join('');
  const entry = new RegExp(`  resolution: "p${at}@npm:1.0.0"\n(?: {2}dependencies:\n(?: {4}.*\n)*)?`);
  return lines === '' ? text : text.replace(entry, `$&  peerDependencies:\n${lines}`);
}

describe('the links that a scan finds are those of the whole', () => {
  test('of random lockfiles, and there is an answer', () => {
    const seen = { linked: 0, resolved: 0 };
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 3 }), (shape, every) => {
        const text = textOf(shape);
        expect(compare(text, shape.resolutions, every)).toBe(true);
        const links = linksOfWhole(text, shape.resolutions);
        if (links?.length !== 0) seen.linked++;
        if (links?.length !== linksOfWhole(text, NONE)?.length) seen.resolved++;
      }),
      { numRuns: 500 },
    );
    expect(seen.linked).toBeGreaterThan(200);
    expect(seen.resolved).toBeGreaterThan(2);
  });

  test('of lockfiles that Yarn would hardly write, and of broken ones', () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.oneof(lockTexts, brokenLockTexts), (text) => {
        if (compare(text)) answered++;
      }),
      { numRuns: 500 },
    );
    expect(answered).toBeGreaterThan(10);
  });
});

/** `app` gets `lib` by way of `host`. */
const SAMPLE = parseLock(`
  root: other ^1
  app: host ^1
  lib@workspace:packages/lib ^1 = workspace:packages/lib
  host@^1 = 1.0.0: lib ^1
  other@^1 = 1.0.0: host ^2
  host@^2 = 2.0.0`);

function linksIn(text: string, resolutions: Resolutions = NONE): readonly string[] | undefined {
  const lock = scanOf(text);
  if (lock?.source.scan === undefined) throw new Error('unreadable');
  const links = linksInScan(lock.source.scan, { members: [...lock.graph.members.keys()], resolutions });
  return links?.map(({ from, to, through }) => `${from || '.'} -> ${to} by ${through.join(' > ')}`);
}

test('ranges that are not quoted are read, and ranges as Yarn 2 and 3 write them', () => {
  for (const range of ['^1', '"^1"', '"npm:^1"']) {
    const text = SAMPLE.replace('    lib: "npm:^1"', `    lib: ${range}`);
    expect(linksIn(text)).toEqual(['packages/app -> packages/lib by host@npm:1.0.0']);
  }
});

test('a resolution of the root leads where the lockfile alone does not', () => {
  expect(linksIn(SAMPLE, new Map([['host', '^1']]))).toEqual([
    '. -> packages/lib by other@npm:1.0.0 > host@npm:1.0.0',
    'packages/app -> packages/lib by host@npm:1.0.0',
  ]);
});

test('what a resolution binds to a path is seen from the root', () => {
  const bound = (by: string): string => `host@portal:../x::locator=${by}`;
  const text = `${SAMPLE}
${entryOf(bound('root%40workspace%3A.'))}
${entryOf(bound('app%40workspace%3Apackages%2Fapp')).replace('  linkType', '  dependencies:\n    lib: "npm:^1"\n  linkType')}`;
  expect(linksIn(text, new Map([['host', 'portal:../x']]))).toEqual([]);
});

test('of ways of the same length it takes the one that stands first, by whatever name', () => {
  const text = parseLock(`
    root: other ^1
    app: a ^1, z ^1
    lib@workspace:packages/lib ^1 = workspace:packages/lib
    host@^1 old@npm:host@^1 = 1.0.0: lib ^1
    a@^1 = 1.0.0: old npm:host@^1
    z@^1 = 1.0.0: host ^1
    other@^1 = 1.0.0`);
  const both = text.replace(/host@old@npm:host/, 'old@npm:host');
  expect(linksIn(both)).toEqual(['packages/app -> packages/lib by a@npm:1.0.0 > host@npm:1.0.0']);
});

describe('the scan leaves a lockfile', () => {
  const host = '  resolution: "host@npm:1.0.0"\n';
  test.each<[title: string, edit: (text: string) => string]>([
    ['with a dependency by a catalog', (text) => text.replace('    lib: "npm:^1"', '    lib: "catalog:"')],
    ['with more descriptors than there is room for', (text) => text.replace('"host@npm:^1"', `"host@npm:^1${many((n) => `, host@${n}`)}"`)],
    ['with more lines than there is room for', (text) => text.replace('    lib: "npm:^1"\n', `$&${many((n) => `    ${n}: 1\n`)}`)],
    ['with a patch of another name', (text) => `${text}\n${entryOf('fork@patch:host@npm%3A^1#~/x.patch')}`],
    ['with dependencies behind another field', (text) => text.replace(host, `$&  bin:\n    x: ./x\n`)],
    ['with a field behind the type of the link', (text) => text.replace('  linkType: hard\n', '$&  bin:\n    x: ./x\n')],
    ['with the same descriptor twice', (text) => `${text}\n${entryOf('x@npm:^1, host@npm:^1')}`],
    ['with a key that has two spaces', (text) => text.replace('"host@npm:^2"', '"host@npm:^2,  host@npm:^3"')],
    ['with a range that no text begins with', (text) => text.replace('    lib: "npm:^1"', '    lib: *')],
    ['with a range that ends in a comment', (text) => text.replace('    lib: "npm:^1"', '    lib: ^1 # x')],
    ['with a name that needs quotes', (text) => text.replaceAll('lib@', '@acme/lib@').replace('    lib:', '    @acme/lib:')],
    ['with a range of two parts', (text) => text.replace('"lib@npm:^1"', '"lib@npm:^1, <2"').replace('"npm:^1"', '"npm:^1, <2"')],
    ['with an entry in front of all', (text) => text.replace('__metadata', `${entryOf('x@npm:^1')}\n__metadata`)],
    ['with a version that is none', (text) => text.replace('  version: 8', '  version: x')],
    ['with a dependency without a name', (text) => text.replace('    lib: "npm:^1"', '    \n$&')],
  ])('%s', (_, edit) => {
    expect(edit(SAMPLE)).not.toBe(SAMPLE);
    expect(linksIn(edit(SAMPLE))).toBeUndefined();
  });

  test('where Yarn itself may add a member to what a package asks for', () => {
    const text = parseLock(`
      root: @playwright/test ^1
      jest-matcher-utils@workspace:packages/jest-matcher-utils ^26.4.2 = workspace:packages/jest-matcher-utils
      @playwright/test@^1 = 1.14.0`);
    expect(linksIn(text)).toBeUndefined();
    expect(linksIn(text.replace('^26.4.2', '^30.0.0'))).toEqual([]);
    expect(linksIn(text.replace('^26.4.2', '^30.0.0'), new Map([['@playwright/test/jest-matcher-utils', '30.0.0']]))).toBeUndefined();
  });

  test('when it is asked a second time', () => {
    const scan = scanOf(SAMPLE)?.source.scan;
    const question = { members: [0], resolutions: NONE };
    expect(scan && linksInScan(scan, question)).toEqual([]);
    expect(scan && linksInScan(scan, question)).toBeUndefined();
  });
});

function entryOf(key: string): string {
  const resolution = key.replace(/^.*, /, '').replace(/\^1$/, '1.0.0');
  return `"${key}":\n  version: 1.0.0\n  resolution: "${resolution}"\n  linkType: hard\n`;
}

function many(text: (number: number) => string): string {
  return Array.from({ length: 500 }, (_, number) => text(number)).join('');
}

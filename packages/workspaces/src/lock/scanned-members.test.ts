import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SpreadSeed, spreadFrom } from '../spread.js';
import { LOCK_HEAD, parseLock } from '../testing/lock-text.js';
import type { BerryMembers } from './berry-members.js';
import { readCarefully } from './careful-members.js';
import { readLockMembers } from './members.js';
import { asksFromOutside, isResolvedTo } from './outside.js';
import { brokenLockTexts, lockTexts } from './random-lock.fixture.js';
import { scanText } from './scan-text.fixture.js';

// The authority is `readCarefully`: what the scan answers has to be the same, and it may leave whatever it likes.

/** All that can be asked of members, some of it in the order of `first`. */
function answers(lock: BerryMembers, first: 'edges' | 'outside'): unknown {
  const { graph, linked, source } = lock;
  const outside = (): unknown => ({
    one: graph.members.map((member) => asksFromOutside(lock, [member])),
    odd: asksFromOutside(
      lock,
      graph.members.filter((_, place) => place % 2 === 1),
    ),
    resolved: graph.members
      .slice(0, 9)
      .map((member) => isResolvedTo(lock, [member], { 'package.json': resolutionOf(member.name), '.yarnrc.yml': '' })),
  });
  const before = first === 'outside' ? outside() : undefined;
  const some = [...graph.members.keys()].filter((place) => place % 2 === 0).reverse();
  const edges = { some: graph.edgesTo(some), all: graph.dependents };
  const walks = [some, some.slice(0, 1), []].map((places) => spreadFrom(graph, places.map(seed), { dev: 'transitive' }));
  return {
    members: graph.members,
    byPath: [...graph.byPath],
    linked,
    starts: graph.members.map((_, place) => source.blocks.startOf(place)),
    edges,
    walks,
    outside: before ?? outside(),
  };
}

function seed(place: number): SpreadSeed {
  return { place, reach: 'dependents' };
}

function resolutionOf(name: string): string {
  return JSON.stringify({ resolutions: { [name]: '1.0.0', 'react/own': 'workspace:p/lib' } });
}

/** Whether the scan has an answer; fails if it is not that of the careful reader. */
function compare(text: string, first: 'edges' | 'outside'): boolean {
  const scanned = scanText(text);
  if (scanned === undefined) return false;
  const careful = readCarefully(text);
  expect(careful.kind).toBe('berry');
  if (careful.kind === 'berry') expect(answers(scanned, first)).toEqual(answers(careful, first));
  return true;
}

const orders = fc.constantFrom('edges' as const, 'outside' as const);

/** `root`, which asks for each descriptor of `lib`, and two packages, one of which asks for another one. */
const SAMPLE = `${LOCK_HEAD}
"host@npm:^1":
  version: 1.0.0
  resolution: "host@npm:1.0.0"
  dependencies:
    lib: ^2.0.0
    "other": "npm:^1"
  linkType: hard

"lib@^1.0.0, lib@npm:, lib@npm:^1.0.0, lib@workspace:p/lib, lib@x@y":
  version: 0.0.0-use.local
  resolution: "lib@workspace:p/lib"
  dependencies:
    react: ^18
  bin:
    lib: ./lib.js
  linkType: soft

"other@npm:^1":
  version: 1.0.0
  resolution: "other@npm:1.0.0"
  linkType: hard

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    lib: ^1.0.0
    lib: "npm:"
    lib: "npm:^1.0.0"
    lib: x@y
  peerDependencies:
    lib: "*"
  linkType: soft
`;

const HOST = '    lib: ^2.0.0\n';
const ROOT = '    lib: ^1.0.0\n';
const BIN = '    lib: ./lib.js\n';

/** As many workspaces as asked for, each in as few bytes as can be. */
function tinyWorkspaces(count: number): string {
  const all = Array.from(
    { length: count },
    (_, at) => `"${at}@workspace:${at}":\n  resolution: "${at}@workspace:${at}"\n  linkType: soft\n`,
  );
  return `${SAMPLE}\n${all.join('\n')}`;
}

describe('the scan says what the careful reader says', () => {
  test('of random lockfiles, and answers', () => {
    fc.assert(
      fc.property(lockTexts, orders, (text, order) => expect(compare(text, order)).toBe(true)),
      { numRuns: 150 },
    );
  });

  test('of broken ones', () => {
    let answered = 0;
    fc.assert(
      fc.property(brokenLockTexts, orders, (text, order) => {
        if (compare(text, order)) answered++;
      }),
      { numRuns: 400 },
    );
    expect(answered).toBeGreaterThan(40);
  });

  test.each<[title: string, from: string, to: string]>([
    ['names no workspace behind a comment', '\n"other', '\n# x@workspace:y\n"other'],
    ['has the key of another package at a workspace', '"root@workspace:."', '"root@npm:."'],
    ['asks for a workspace in a package', HOST, '    lib: "npm:a@workspace:b"\n'],
    ['asks by an escape in a package', HOST, '    lib: "^1\\u002e0.0"\n'],
    ['asks by nothing in a package', HOST, '    lib: \n'],
    ['asks by a quote in a package', HOST, '    lib: "\n'],
    ['has a name half quoted in a package', HOST, '    "lib: ^1.0.0\n'],
    ['has a name half quoted in a package, at its end', HOST, '    lib": ^1.0.0\n'],
    ['has a descriptor in place of a name', HOST, '    lib@x: y\n'],
    ['has Windows line ends in a package', HOST, '    lib: "^2.0.0"\r\n'],
    ['has a line end of old in front of a conflict', '\n"other', '\n#\r<<<<<<< HEAD\n"other'],
    ['asks for less, so that a descriptor is left', '    lib: "npm:^1.0.0"\n', ''],
    ['has a conflict', '\n"other', '\n<<<<<<< HEAD\n"other'],
    ['asks by an escape that does not end', ROOT, '    react: "\\"\n'],
    ['has a quoted name with a colon', ROOT, '    "lib: x": "y"\n'],
    ['has a name half quoted, at its end', ROOT, '    lib": "x"\n'],
    ['has a catalog beside a peer', ROOT, '    lib: "catalog:"\n'],
    ['asks for nobody by a workspace range', ROOT, '    nobody: "workspace:^"\n'],
    ['has a workspace range where none belongs', BIN, '    nobody: "workspace:^"\n'],
    ['has fields without a name', '  bin:\n', '  \n  \n  bin:\n'],
    ['has a field twice and an empty line below it', BIN, `${BIN}    \n  bin:\n${BIN}`],
    ['has a version twice, one of them empty', '  version: 0.0.0-use.local\n  resolution: "root', '  version: \n  resolution: "root'],
    ['has a folder that is odd', 'p/lib"', '-p/lib"'],
    ['has a name that is only a sign', '"root@workspace:."', '"@@workspace:."'],
    ['has a byte of zero', '^1.0.0', '^1.0\0.0'],
    ['is not in ASCII', 'react', 'reäct'],
  ])('of one that %s', (_, from, to) => {
    const text = SAMPLE.replaceAll(from, to);
    expect(text).not.toBe(SAMPLE);
    compare(text, 'edges');
    compare(text, 'outside');
  });

  test('of every beginning of one', () => {
    const answered = Array.from(SAMPLE, (_, at) => compare(SAMPLE.slice(0, at), 'edges'));
    // With the last line end or without.
    expect(answered.filter(Boolean)).toHaveLength(1);
  });

  test.each<[title: string, text: string]>([
    ['a thousand workspaces', tinyWorkspaces(1000)],
    ['one that asks for very much', SAMPLE.replace(ROOT, '    a: b\n'.repeat(20_000) + ROOT)],
    ['one that asks for another very often', SAMPLE.replace(ROOT, ROOT.repeat(3000))],
    ['one by a catalog very often', SAMPLE.replace(ROOT, '    lib: "catalog:"\n'.repeat(2000))],
    ['one with very many descriptors', SAMPLE.replace('lib@npm:,', Array.from({ length: 5000 }, (_, at) => `lib@${at},`).join(' '))],
    ['one with a very long name', SAMPLE.replaceAll(/\broot\b/g, 'r'.repeat(10_000))],
  ])('of %s, and answers', (_, text) => {
    expect(compare(text, 'edges')).toBe(true);
  });
});

test('whatever Yarn writes is answered by the scan', () => {
  for (const text of [
    SAMPLE,
    SAMPLE.trimEnd(),
    `${SAMPLE}\n\n`,
    parseLock('root: a ^1\na@^1 = 1.0.0:'),
    SAMPLE.replace(/^("host.*"):$/m, '? $1\n:'),
  ])
    expect(compare(text, 'edges')).toBe(true);
});

test('where no WebAssembly can be run, the careful reader answers', () => {
  const { Module } = WebAssembly;
  try {
    WebAssembly.Module = class {
      constructor() {
        throw new Error('it is forbidden');
      }
    };
    expect(scanText(SAMPLE)).toBe(undefined);
    const lock = readLockMembers(SAMPLE);
    expect(lock.kind === 'berry' && answers(lock, 'edges')).toEqual(answers(readCarefully(SAMPLE) as BerryMembers, 'edges'));
  } finally {
    WebAssembly.Module = Module;
  }
  expect(scanText(SAMPLE)).not.toBe(undefined);
});

declare const WebAssembly: { Module: new () => object };

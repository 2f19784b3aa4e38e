import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import fc from 'fast-check';
import { parseBerry } from './berry.js';
import { indexLock, type LockIndex, type NoIndex } from './lock-index.js';
import { descriptorsOf, pairsOf, peersOf, versionOf } from './record.js';
import { LOCK_HEAD, parseLock } from './testing/lock-text.js';
import { brokenLockTexts, lockTexts } from './testing/random-lock.js';

// The reference is `parseBerry`, which is tested against Yarn's own parser.

const own = readFileSync(join(findProjectRoot(), 'yarn.lock'), 'utf8');

const odd = `${LOCK_HEAD}
? "a@npm:1, a@npm:2"
:
  resolution: "a@npm:2.0.0"
  version: 2.0.0
  bin:
    a: ./a.js
  linkType: HARD

b@npm:1:
  version: "1.0.0"
  resolution: "b@npm:1.0.0"
  dependencies:
    "c": ">= 1 < 2"
    d\\e: "say \\"x\\""
    "f\\u0067": 1
  conditions: (os=linux | os=darwin) & cpu=x64
  linkType: hard
# a comment

"@s/w@workspace:^ , @s/w@workspace:packages/w":
  version: 0.0.0-use.local
  resolution: "@s/w@workspace:packages/w"
  dependencies:
    $own: "link:./own"
  peerDependencies:
    react: ^16.8.0 || ^17.0.0-rc.1 || >=18
    x: ">=1"
  linkType: soft
`;

const sample = parseLock('root: a ^1\n@s/lib: a ^1, @s/b npm:b@^1\na@^1 ^1.1 = 1.0.0: @s/b npm:b@^1\n@s/b@npm:b@^1 = npm:b@1.0.0');

function seen(index: LockIndex | NoIndex): unknown {
  if (index.kind !== 'berry') return index;
  return index.records.map((record) => ({
    descriptors: descriptorsOf(record),
    resolution: record.resolution,
    version: versionOf(record),
    workspace: record.workspace,
    dependencies: [...new Map(pairsOf(record))],
    peers: [...new Map(peersOf(record))],
  }));
}

function expected(lockfile: ReturnType<typeof parseBerry>): unknown {
  if (lockfile.kind !== 'berry') return lockfile;
  return lockfile.entries.map(({ descriptors, resolution, version, workspace, dependencies, peerDependencies }) => ({
    descriptors,
    resolution,
    version,
    workspace,
    dependencies: [...dependencies],
    peers: [...peerDependencies],
  }));
}

describe('an index says what parseBerry says', () => {
  test.each([
    ['the lockfile of this project', own],
    ['what Yarn writes seldom or never', odd],
    ['Windows line ends', odd.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${odd}`],
    ['no line end at the end', odd.trimEnd()],
    ['an empty file', '\n'],
    ['Yarn 1', '# yarn lockfile v1\n\na@^1:\n  version "1.0.0"\n'],
    ['no metadata', sample.replace(/__metadata:\n.*\n.*\n/, '')],
    ['a conflict', `${sample}<<<<<<< HEAD\n`],
    ['a conflict that looks like a key', `${sample}<<<<<<< HEAD:\n  resolution: "a@npm:1"\n  linkType: hard\n`],
    ['a key that stands there twice', `${sample}\n${sample.slice(sample.indexOf('"a@'))}`],
    ['an entry without a resolution', sample.replace(/ {2}resolution: .*\n/, '')],
    ['a workspace outside of the project', sample.replaceAll('workspace:packages/@s/lib', 'workspace:../lib')],
  ])('of %s', (_, text) => {
    expect(seen(indexLock(text))).toEqual(expected(parseBerry(text)));
  });

  test('of any text that is nearly a lockfile, or it calls it unreadable', () => {
    const pieces = fc.constantFrom(
      '\n',
      '  ',
      ' ',
      '"',
      ':',
      ': ',
      '#',
      ' #',
      '\\',
      'x',
      '? ',
      '\t',
      '\r',
      '-',
      "'",
      '@',
      ',',
      '    y: 1\n',
      '  bin:\n',
      '<',
    );
    const edits = fc.array(fc.record({ at: fc.nat({ max: 2000 }), remove: fc.nat({ max: 3 }), add: pieces }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.constantFrom(sample, odd), edits, (text, all) => {
        const edited = all.reduce((before, { at, remove, add }) => {
          const place = at % before.length;
          return before.slice(0, place) + add + before.slice(place + remove);
        }, text);
        const index = indexLock(edited);
        const lockfile = parseBerry(edited);
        if (index.kind === 'unreadable' && lockfile.kind === 'berry') return;
        expect(seen(index)).toEqual(expected(lockfile));
      }),
      { numRuns: cases(3000) },
    );
  });
});

describe('with a similar index', () => {
  test('the answer is the same, and equal entries are the same objects', () => {
    const other = sample
      .replace('"a@npm:^1, a@npm:^1.1":', '"a@npm:^1, a@npm:^1.2":')
      .replace('\n"root@', '\n"new@npm:1":\n  resolution: "new@npm:1.0.0"\n  linkType: hard\n\n"root@');
    const head = indexLock(sample) as LockIndex;
    const base = indexLock(other, head) as LockIndex;
    expect(seen(base)).toEqual(seen(indexLock(other)));
    expect(base.own.map(({ key }) => key)).toEqual(['new@npm:1', 'a@npm:^1, a@npm:^1.2']);
    expect(base.records.filter((record) => head.records.includes(record))).toHaveLength(3);
  });

  test('a key that stands there twice is found', () => {
    const head = indexLock(sample) as LockIndex;
    const last = sample.slice(sample.lastIndexOf('\n"') + 1);
    expect(indexLock(`${sample}\n${last}`, head)).toEqual(parseBerry(`${sample}\n${last}`));
  });
});

describe('a random lockfile', () => {
  test.each([
    ['as Yarn writes it', lockTexts],
    ['changed by hand, or broken', brokenLockTexts],
  ])('%s is read as parseBerry reads it, or not at all', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const index = indexLock(text);
        const strict = parseBerry(text);
        if (index.kind !== 'berry') return;
        // An index keeps both lines of a repeated name.
        if (strict.kind === 'unreadable') expect(strict.reason).toMatch(/^line \d+ repeats "/);
        else expect(seen(index)).toEqual(expected(strict));
      }),
      { numRuns: cases(500) },
    );
  });
});

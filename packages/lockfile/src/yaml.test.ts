import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import parsers from '@yarnpkg/parsers';
import fc from 'fast-check';
import { indexLock, type LockIndex } from './lock-index.js';
import { descriptorsOf, pairsOf, peersOf } from './record.js';
import { parseLock } from './testing/lock-text.js';
import { brokenLockTexts, lockTexts } from './testing/random-lock.js';

// Yarn reads a lockfile as YAML, so our reader must agree with YAML. It reads a line in another notation as YAML does, or the file is
// unreadable and every workspace is tested.

type Asked = Readonly<Record<string, unknown>>;

/** Returns resolution and dependencies by key, as Yarn's YAML parser reads them. Throws if that parser does. */
function asYaml(text: string): unknown {
  const { __metadata, ...entries } = parsers.parseSyml(text) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(entries).map(([key, { resolution, dependencies, peerDependencies }]) => [
      key.split(/ *, */).join(', '),
      { resolution, dependencies: { ...(dependencies as Asked) }, peerDependencies: { ...(peerDependencies as Asked) } },
    ]),
  );
}

function asIndexed({ records }: LockIndex): unknown {
  return Object.fromEntries(
    records.map((record) => [
      descriptorsOf(record).join(', '),
      {
        resolution: record.resolution,
        dependencies: Object.fromEntries(pairsOf(record)),
        peerDependencies: Object.fromEntries(peersOf(record)),
      },
    ]),
  );
}

/** Returns where our reader disagrees with YAML; `undefined` if both agree, or ours calls the text unreadable. */
function disagreement(text: string): unknown {
  const index = indexLock(text);
  if (index.kind !== 'berry') return undefined;
  const ours = JSON.stringify(sorted(asIndexed(index)));
  let theirs: string;
  try {
    theirs = JSON.stringify(sorted(asYaml(text)));
  } catch (error) {
    return { text, ours, theirs: String(error) };
  }
  return ours === theirs ? undefined : { text, ours, theirs };
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

const sample = parseLock('root: a ^1\n@s/lib: a ^1, @s/b npm:b@^1\na@^1 ^1.1 = 1.0.0: @s/b npm:b@^1\n@s/b@npm:b@^1 = npm:b@1.0.0');
const own = readFileSync(join(findProjectRoot(), 'yarn.lock'), 'utf8');

describe('a line that Yarn would not write is read as YAML has it, or makes the lockfile unreadable:', () => {
  test.each([
    '  dependencies: ',
    '  dependencies :',
    '  "dependencies":',
    "  'dependencies':",
    '  dependencies: &x',
    '  dependencies: # of the root',
    '  ? dependencies\n  :',
    '  dependencies: !!map',
    '   dependencies:',
    '\tdependencies:',
    '  dependencies: |',
    '  dependencies:\r',
    '  Dependencies:',
  ])('%j', (line) => {
    for (const text of [sample, own]) expect(disagreement(text.replace('  dependencies:', line))).toBeUndefined();
  });

  test.each([
    '    a: npm:^1',
    "    a: 'npm:^1'",
    '    \'a\': "npm:^1"',
    '    a : "npm:^1"',
    '    "a" : "npm:^1"',
    '    a: "npm:^1" # why',
    '    a: &x "npm:^1"',
    '    a: *x',
    '    a: !!str "npm:^1"',
    '    a: >\n      npm:^1',
    '    a: [npm:^1]',
    '    {a: "npm:^1"}',
    '    ? a\n    : "npm:^1"',
    '    <<: *x',
    '     a: "npm:^1"',
    '    a: "npm:\\x5e1"',
    '    "\\u0061": "npm:^1"',
    '    a: "npm:^1"\n    a: "npm:^2"',
    '    a:',
    '    a: ~',
    '    a: 0x1',
  ])('%j', (line) => {
    expect(disagreement(sample.replace('    a: "npm:^1"', line))).toBeUndefined();
  });

  test.each([
    'dependencies: {a: "npm:^1"}',
    'dependencies: {"a": "npm:^1"}',
    'dependencies: { a: npm:^1 }',
    'dependencies: []',
    'dependencies: null',
  ])('%j', (line) => {
    expect(disagreement(sample.replace('dependencies:\n    a: "npm:^1"', line))).toBeUndefined();
  });

  test.each(['---\n', '--- # x\n', '%YAML 1.2\n---\n', '\uFEFF', '- a\n', '{}\n', '"x": &y\n', '...\n'])('%j at the start', (start) => {
    expect(disagreement(start + sample)).toBeUndefined();
  });

  test.each(['...\n', '---\na: 1\n', '  more: x\n', '? x\n', '"k@npm:1": *x\n', '&x k:\n  resolution: "k@npm:1"\n  linkType: hard\n'])(
    '%j at the end',
    (end) => {
      expect(disagreement(sample + end)).toBeUndefined();
      expect(disagreement(`${sample}\n${end}`)).toBeUndefined();
    },
  );
});

const RUNS = cases(2000);

const pieces = fc.constantFrom(
  ...[
    '\n',
    ' ',
    '  ',
    '"',
    "'",
    ':',
    ': ',
    ' :',
    '#',
    ' #',
    '&x ',
    '*x',
    '!',
    '? ',
    '- ',
    '|',
    '>',
    '{',
    '}',
    '[',
    ']',
    ',',
    '\\',
    '%',
    '@',
    '`',
  ],
  ...[
    '\t',
    '\r',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '~',
    '<<: ',
    '---\n',
    '...\n',
    'x',
    '0',
    '=',
    '    y: 1\n',
    '  dependencies:\n',
    '  "dependencies":\n',
  ],
);

test('any text that is nearly a lockfile', () => {
  const edits = fc.array(fc.record({ at: fc.nat(), remove: fc.nat({ max: 4 }), add: fc.oneof(pieces, fc.constant('')) }), {
    minLength: 1,
    maxLength: 3,
  });
  const texts = fc.oneof(fc.constant(sample), lockTexts, brokenLockTexts);
  fc.assert(
    fc.property(texts, edits, (text, all) => {
      const edited = all.reduce((before, { at, remove, add }) => {
        const place = at % (before.length + 1);
        return before.slice(0, place) + add + before.slice(place + remove);
      }, text);
      expect(disagreement(edited)).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
});

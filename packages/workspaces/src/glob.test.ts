import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import picomatch, { type PicomatchOptions } from 'picomatch';
import { compileGlob, compileGlobs, type PathTest } from './glob.js';

const NAME = fc.oneof(
  fc.constantFrom('a', 'b', '.a', 'ab', 'a.js', 'a.test.js', 'src', '.github', '[id]', 'A'),
  fc.stringMatching(/^[ab.]{0,3}[ab]$/),
);
const PATH = fc.array(NAME, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
const PART = fc.constantFrom(
  '*',
  '**',
  'a',
  'b',
  '.a',
  'a*',
  '*a',
  '*.js',
  '*.*',
  '*.test.*',
  '.*',
  '?',
  'a?',
  '[ab]',
  '[!a]*',
  '{a,b}',
  '{a,b}*',
  '*.{js,ts}',
  '*{a,b}*',
  'src',
  '{a,b/c}',
  '@(a|b)',
  '!(a)',
  '+(a|b)',
  '?(a)b',
  '{1..3}',
  '\\*',
  '\\[id\\]',
  '.github',
  '**a',
  'a**',
);
const GLOB = fc
  .tuple(fc.constantFrom('', '', './', '!'), fc.array(PART, { minLength: 1, maxLength: 4 }))
  .map(([start, parts]) => start + parts.join('/'));

describe('it agrees with picomatch', () => {
  test.each<[string, PicomatchOptions]>([
    ['as for rules', { dot: true, windows: false }],
    ['as for workspaces', { dot: false, posix: true, strictSlashes: false }],
    ['as for names of workflows', { nocase: true, dot: true }],
    ['as for owners', { dot: true, nobrace: true, noextglob: true, nonegate: true }],
  ])('%s', (_, options) => {
    fc.assert(
      fc.property(GLOB, PATH, (glob, path) => {
        const test = compileGlob(glob, options);
        const expression = picomatch.makeRe(glob, options);
        // A folder is looked for with a slash behind it, too.
        const matches = (one: PathTest): boolean => one(path) || (!glob.startsWith('!') && one(`${path}/`));
        if (test !== undefined) expect([glob, path, matches(test)]).toEqual([glob, path, matches((one) => expression.test(one))]);
      }),
      { numRuns: cases(3000) },
    );
  });
});

const LONG = 'a'.repeat(255);

/** Patterns that take picomatch, or the expansion of braces, time or memory without end. */
const EXPLODING = [
  `${'*a'.repeat(40)}b`,
  '{a,b}'.repeat(40),
  '{a,aa}'.repeat(40),
  '{1..99999999}',
  `${'{1..9}'.repeat(9)}`,
  `${'[a]+'.repeat(20)}b`,
  '(a+)+b',
  '(a|aa)+b',
  `${'+(a|aa)'.repeat(20)}b`,
  `${'(a)?'.repeat(40)}b`,
  'a'.repeat(5000),
];

describe('no pattern takes time without end', () => {
  test.each(EXPLODING)('%.30s is compared quickly or not at all', (glob) => {
    const test = compileGlob(glob);
    const paths = [LONG, `${LONG}/${LONG}`, 'a/'.repeat(1000)];
    if (test !== undefined) for (const path of paths) expect([true, false]).toContain(test(path));
    expect(compileGlobs(['x', glob]) === undefined).toBe(test === undefined);
  });

  test('neither do folders, nor names with as many stars as are allowed', () => {
    const folders = compileGlob(`${'**/a/'.repeat(100)}b`);
    expect(folders?.('a/'.repeat(2000))).toBe(false);
    const stars = compileGlob(`${'*a*a*ab/'.repeat(5)}x`);
    expect(stars?.(`${LONG}/`.repeat(5))).toBe(false);
  });

  test('limits leave what people write', () => {
    const usual = [
      'packages/*/src/**/*.{test,spec}.{ts,tsx,js,jsx}',
      '**/__tests__/**/*.*',
      '{apps,packages/*}/**',
      '*-*-*.js',
      '+(apps|packages)/*',
    ];
    expect(usual.filter((glob) => compileGlob(glob) === undefined)).toEqual([]);
  });
});

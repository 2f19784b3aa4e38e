import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { fixtureOf, textOf, withTexts, wordsOf } from './carry-over.fixture.js';
import { carryOver } from './carry-over.js';
import { AttributeRules, type AttributeState, macrosIn } from './git-attributes.js';
import { attributesBelow } from './inherit.js';

let repo: TempRepo;
beforeAll(() => {
  repo = TempRepo.create();
});
afterAll(() => repo.dispose());

const name = fc.constantFrom('a', 'b', 'lib', 'a.js', 'b.png', 'x y');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const piece = fc.constantFrom('a', 'lib', '*', '**', '*.js', 'a*', '?', '[ab]', '"x y"');
const pattern = fc
  .tuple(fc.constantFrom('', '/'), fc.array(piece, { minLength: 1, maxLength: 2 }), fc.constantFrom('', '/', '/**'))
  .map(([start, pieces, end]) => `${start}${pieces.join('/')}${end}`)
  .filter((one) => !one.includes('"') || /^"[^"]*"$/.test(one));
const state = fc.constantFrom('text', '-text', '!text', 'text=auto', 'eol=lf', 'filter=lfs', '-filter', 'binary', '!eol', 'mine');
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(pattern, fc.array(state, { minLength: 1, maxLength: 2 })).map(([one, states]) => [one, ...states].join(' ')),
  },
  fc.constantFrom('', '# words', '[attr]mine text', '[attr]mine -text eol=crlf', '[attr]mine filter=lfs binary', '!a text'),
);
const file = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));

const ATTRIBUTES = ['text', 'eol', 'filter'];

function sayState(value: AttributeState): string {
  if (value === undefined) return 'unspecified';
  return typeof value === 'string' ? value : value ? 'set' : 'unset';
}

test('what is said of a file is what git says, with a .gitattributes above another', () => {
  fc.assert(
    fc.property(file, file, fc.uniqueArray(path, { minLength: 1, maxLength: 8 }), (root, inner, some) => {
      const paths = [...some, ...some.map((one) => `lib/${one}`)];
      repo.write({ '.gitattributes': root, 'lib/.gitattributes': inner });
      const output = repo.gitWithInput(`${paths.join('\0')}\0`, 'check-attr', '-z', '--stdin', ...ATTRIBUTES).split('\0');
      const rules = new AttributeRules({
        paths: [],
        read: (one) => ({ '.gitattributes': root, 'lib/.gitattributes': inner })[one as string],
      });
      const ours = paths.flatMap((one) =>
        ATTRIBUTES.flatMap((attribute) => [one, attribute, sayState(rules.stateOf(attribute, one as RepoPath).state)]),
      );
      expect(ours).toEqual(output.slice(0, ours.length));
    }),
    { numRuns: 80 },
  );
});

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;

describe('what a rule above the package would change keeps its bytes', () => {
  test.each([
    ['a filter', '*.png filter=lfs -text\n', { 'a.png': 'x' }, '/packages/x/a.png -filter'],
    ['line ends', '*.js text eol=lf\n', { 'a b.js': 'a\r\n', 'b.js': 'b\n' }, '"/packages/x/a\\\\ b.js" -text'],
    ['an encoding', '*.txt working-tree-encoding=UTF-16\n', { 'a.txt': 'a' }, '/packages/x/a.txt -working-tree-encoding'],
    ['a keyword', '*.js ident\n', { 'a.js': '// $Id: 12 $\n', 'b.js': '$Id$' }, '/packages/x/a.js -ident'],
    ['line ends by their name alone', '# all\n* eol=lf\n', { 'a.js': 'a\r\n' }, '/packages/x/a.js -text'],
    ['a script', '* text eol=crlf\n', { 'run.sh': 'a\n', 'b.js': 'b\n' }, '/packages/x/run.sh eol=lf'],
    ['a program, where git finds out what is text', '* text=auto eol=crlf\n', { bin: '#!/bin/sh\n' }, '/packages/x/bin eol=lf'],
  ])('%s', (_, attributes, own, exception) => {
    const fixture = fixtureOf({ '.gitattributes': attributes }, own);
    const { edits, findings } = carryOver(fixture);
    expect(textOf(edits, '.gitattributes')).toBe(`${attributes}\n# begin @acme/x (migrate-repo)\n${exception}\n# end @acme/x\n`);
    expect(wordsOf(...findings.map(({ done }) => done))).toContain('Files keep their stored bytes');
    expect(carryOver(withTexts(fixture, edits)).edits).toEqual(new Map());
  });

  test('binary files with one extension need one line, also in a folder between', () => {
    const fixture = fixtureOf({ 'packages/.gitattributes': '* text\n' }, {});
    const images = ['a.ico', 'b.ico', 'sub/c.ico'].map((name) => `packages/x/${name}` as RepoPath);
    const files = { ...fixture.files, paths: [...fixture.files.paths, ...images].sort() };
    const { edits } = carryOver({ ...fixture, files });
    expect(textOf(edits, 'packages/.gitattributes')).toContain('\n/x/**/*.ico -text\n');
  });

  test.each([
    [
      'what the package says of it too',
      '*.png filter=lfs\n',
      { '.gitattributes': '*.png filter=lfs\n', 'a.png': POINTER },
      /^It stores files/,
    ],
    ['what none of its files is stored with', '*.png filter=lfs\n', { '.gitattributes': '*.png filter=lfs\n', 'a.js': 'x' }, /^$/],
    ['what the package makes an exception of', '*.png filter=lfs\n', { '.gitattributes': '*.png -filter\n', 'a.png': 'x' }, /^$/],
    ['what git finds out by itself', '* text=auto\n', { 'a.js': 'a\r\n' }, /^$/],
    ['what is stored as it should be', '* text eol=crlf\n', { 'a.js': 'a\n' }, /^$/],
    ['a script that is no text', '* -text eol=crlf\n', { 'a.sh': 'a\n' }, /^$/],
    ['a script that the package has so too', '* text eol=crlf\n', { '.gitattributes': '*.sh eol=crlf\n', 'a.sh': 'a\n' }, /^$/],
  ])('%s is not', (_, attributes, own, decided) => {
    const { edits, findings } = carryOver(fixtureOf({ '.gitattributes': attributes }, own));
    expect(wordsOf(...findings.flatMap(({ remarks }) => remarks))).toMatch(decided);
    expect(edits.has('.gitattributes' as RepoPath)).toBe(false);
  });

  test('attributes of a former root come along, and pointers of Git LFS stay pointers', () => {
    const text = '[attr]big filter=crypt\n*.bin big\n"/packages/*/a b" text\n/packages/a x\ndocs/* y\n';
    const attributes = attributesBelow(text, 'packages/a', macrosIn(text));
    const formerRoot = { inherited: new Set<RepoPath>(), ignored: [], attributes, settings: [] };
    const root = { '.gitattributes': '*.psd filter=lfs\n*.bin filter=lfs\n' };
    const fixture = fixtureOf(root, { 'a.psd': POINTER, 'b.psd': 'plain', 'a.bin': 'x' }, { importedPackage: { formerRoot } });
    const { edits, findings } = carryOver(fixture);
    const lines = ['/packages/x/**/*.bin filter=crypt big', '"/packages/x/a b" text', '/packages/x/b.psd -filter'];
    expect(textOf(edits, '.gitattributes')?.split('\n').slice(4, -2)).toEqual(lines);
    expect(wordsOf(...findings.flatMap(({ remarks }) => remarks))).toMatch(/^It uses filters, which every clone must set up. \(crypt\)$/);
    expect(carryOver(withTexts(fixture, edits)).edits).toEqual(new Map());
  });

  test('git itself takes such files for changed when it reads them', () => {
    const clone = TempRepo.create();
    clone.write({ 'x/a.js': 'a\r\n', 'x/b.js': 'b\r\n' });
    clone.git('-c', 'core.autocrlf=false', 'add', '.');
    clone.git('commit', '-q', '-m', 'As it came');
    clone.write({ '.gitattributes': 'a.js text\nb.js text=auto\n' });
    clone.git('add', '.gitattributes');
    clone.git('commit', '-q', '-m', 'Rules');
    // As long as the index has the files, git only compares their times.
    clone.git('rm', '-q', '-r', '--cached', 'x');
    clone.git('reset', '-q');
    expect(clone.git('status', '--porcelain').trim()).toBe('M x/a.js');
    clone.dispose();
  });
});

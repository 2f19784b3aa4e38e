import { describe, expect, test } from '@jest/globals';
import { cases } from '@tributary/test-repo/cases';
import fc from 'fast-check';
import { fixtureOf, textOf } from './carry-over.fixture.js';
import { carryOver } from './carry-over.js';
import { ownersOf } from './code-owners.fixture.js';
import { parseOwnersLine } from './rules/code-owners.js';

const NAMES = ['a', 'b', 'docs', 'a.js', 'b.md', 'x y', 'packages'];
const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const piece = fc.constantFrom('a', 'b', 'docs', '*', '**', '*.js', 'a*', '?', 'x\\ y', 'packages');
const pattern = fc
  .tuple(fc.constantFrom('', '/'), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '/'))
  .map(([start, pieces, end]) => `${start}${pieces.join('/')}${end}`);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(pattern, fc.constantFrom('', ' @one', ' @two @acme/three', ' @one # why')).map(([one, owners]) => one + owners),
  },
  fc.constantFrom('', '# a comment', '  ', '/', '* ', '\t# another', '# end @acme/x', '# begin @acme/x (migrate-repo)'),
);
const owners = fc.array(line, { maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`);
// The monorepo's folder in its repository.
const project = fc.constantFrom('', 'mono', 'a/b');
// What stands between both marks belongs to migrate-repo.
const ofRoot = owners.filter((text) => !text.includes('# end'));

/** Returns the owners that a file of the package has in the monorepo: its own ones, or those of the root. */
function wantedOwners(own: string, root: string, { file, place }: { readonly file: string; readonly place: string }): readonly string[] {
  const lines = own.split('\n').filter((one) => parseOwnersLine(one) !== undefined);
  // Lines before the first owner take nothing away in the package.
  const first = lines.findIndex((one) => (parseOwnersLine(one)?.owners.length ?? 0) > 0);
  const used = first === -1 ? [] : lines.slice(first);
  const all = used.map((one) => `${parseOwnersLine(one)?.pattern} @any`).join('\n');
  return ownersOf(all, file).length > 0 ? ownersOf(used.join('\n'), file) : ownersOf(root, `${place}packages/x/${file}`);
}

test('every file has the owner it had, in the package and outside of it, whatever the patterns', () => {
  fc.assert(
    fc.property(
      owners,
      fc.option(ofRoot, { nil: undefined }),
      fc.array(path, { minLength: 1, maxLength: 12 }),
      project,
      (own, root, files, folder) => {
        const outside = root === undefined ? {} : { '.github/CODEOWNERS': root };
        // GitHub does not read a file in this folder, so it gives nobody ownership.
        const ofProject = folder === '' ? {} : { CODEOWNERS: '* @unread\n' };
        const fixture = fixtureOf(ofProject, { CODEOWNERS: own }, { project: folder, outside });
        const after = textOf(carryOver(fixture).edits, '.github/CODEOWNERS') ?? '';
        const place = folder === '' ? '' : `${folder}/`;
        for (const file of files) {
          expect([file, ownersOf(after, `${place}packages/x/${file}`)]).toEqual([file, wantedOwners(own, root ?? '', { file, place })]);
          for (const elsewhere of [`${place}packages/y/${file}`, `packages/y/${file}`, file])
            if (!elsewhere.startsWith(`${place}packages/x/`))
              expect([elsewhere, ownersOf(after, elsewhere)]).toEqual([elsewhere, ownersOf(root ?? '', elsewhere)]);
        }
      },
    ),
    { numRuns: cases(400) },
  );
});

describe("GitHub's patterns, as the matcher of this test reads them", () => {
  test.each([
    ['*', 'a/b/c.js', true],
    ['*.js', 'a/b.js', true],
    ['docs/*', 'docs/a.md', true],
    ['docs/*', 'docs/build/a.md', false],
    ['apps/', 'x/apps/y/z', true],
    ['apps/', 'apps', false],
    ['/docs/', 'docs/a/b', true],
    ['/docs/', 'x/docs/a', false],
    ['**/logs', 'build/logs/a', true],
    ['**/logs', 'logs', true],
    ['/scripts', 'scripts/a', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['/', 'a', false],
  ])('%s and %s: %s', (one, file, isMatched) => {
    expect(ownersOf(`${one} @me\n`, file)).toEqual(isMatched ? ['@me'] : []);
  });

  test('the last line that matches counts, also one without an owner', () => {
    expect(ownersOf('* @one\n/a/ @two\n/a/b\n', 'a/b')).toEqual([]);
  });
});

test.each([
  ['*.js @a @b', { pattern: '*.js', owners: ['@a', '@b'], comment: '' }],
  ['  docs/   ada@mail.example   # the words', { pattern: 'docs/', owners: ['ada@mail.example'], comment: ' # the words' }],
  ['/a\\ b @c', { pattern: '/a\\ b', owners: ['@c'], comment: '' }],
  ['/none', { pattern: '/none', owners: [], comment: '' }],
  ['# text', undefined],
  ['', undefined],
])('%j is read', (text, wanted) => {
  expect(parseOwnersLine(text)).toEqual(wanted);
});

describe('the file that counts', () => {
  test('is that in .github, then that at the top, then that in docs', () => {
    const carried = (files: Record<string, string>): string => textOf(carryOver(fixtureOf({}, files)).edits, '.github/CODEOWNERS') ?? '';
    expect(carried({ '.github/CODEOWNERS': '* @a', CODEOWNERS: '* @b', 'docs/CODEOWNERS': '* @c' })).toContain('/packages/x/ @a\n');
    expect(carried({ CODEOWNERS: '* @b', 'docs/CODEOWNERS': '* @c' })).toContain('/packages/x/ @b\n');
    expect(carried({ 'docs/CODEOWNERS': '* @c' })).toContain('/packages/x/ @c\n');
  });

  test('is the one that the root has, wherever it is', () => {
    const { edits } = carryOver(fixtureOf({ 'docs/CODEOWNERS': '* @root' }, { CODEOWNERS: '* @a' }));
    expect(textOf(edits, 'docs/CODEOWNERS')).toBe('* @root\n\n# begin @acme/x (migrate-repo)\n/packages/x/ @a\n# end @acme/x\n');
  });

  test('stays where it is if it has sections, which only GitLab knows', () => {
    const { edits, findings } = carryOver(fixtureOf({}, { CODEOWNERS: '[Docs][2] @a\n*.md\n^[Code]\n*.js @b\n' }));
    expect(edits.size).toBe(0);
    expect(findings.find(({ file }) => file === 'CODEOWNERS')?.remarks).toMatchObject([{ detail: '[Docs], ^[Code]' }]);
  });
});

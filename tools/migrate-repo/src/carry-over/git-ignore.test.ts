import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { cases } from '@tributary/test-repo/cases';
import { GitClock, runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import fc from 'fast-check';
import { IgnoreRules } from './git-ignore.js';
import { ignoreLines } from './rules/ignore-files.js';

const clock = new GitClock();
let folder: TempFolder;
beforeAll(() => {
  folder = new TempFolder();
  runHermeticGit(['init', '-q'], { folder: folder.path, clock });
});
afterAll(() => folder.dispose());

const NAMES = ['a', 'b', 'lib', 'a.js', 'x y', '!n', '#h', 'ab'];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const piece = fc.constantFrom(
  'a',
  'b',
  'lib',
  '*',
  '**',
  '*.js',
  'a*',
  '?',
  '[ab]',
  '[!a]*',
  'x\\ y',
  '\\!n',
  '\\#h',
  '[a-c]?',
  '[[:alpha:]]',
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '!'),
    fc.constantFrom('', '/'),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/', ' ', '/**'),
  )
  .map(([sign, start, pieces, end]) => `${sign}${start}${pieces.join('/')}${end}`);
const lines = fc
  .array(fc.oneof({ weight: 8, arbitrary: pattern }, fc.constantFrom('', '# words', '[', '\\', '!', '/')), { maxLength: 6 })
  .map((all) => all.join('\n'));

function hidden(files: Readonly<Record<string, string>>, paths: readonly string[]): readonly string[] {
  const rules = new IgnoreRules({ paths: [], read: (file) => files[file] });
  return paths.filter((one) => rules.hides(one as RepoPath) !== undefined);
}

test('what is hidden is what git says, with a .gitignore above another', () => {
  fc.assert(
    fc.property(lines, lines, fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), (root, inner, some) => {
      // A path that is the folder of another one cannot be checked as a file.
      const all = ['lib/inner', ...some.map((one) => `lib/${one}`), ...some];
      const paths = [...new Set(all)].filter((one) => !all.some((other) => other.startsWith(`${one}/`)));
      // git exits with 1 if nothing is hidden.
      paths.push('hidden');
      const withHidden = `${root}\n/hidden`;
      folder.write('.gitignore', withHidden);
      folder.write('lib/.gitignore', inner);
      const output = runHermeticGit(['-c', 'core.ignoreCase=false', 'check-ignore', '--no-index', '-z', '-v', '-n', '--stdin'], {
        folder: folder.path,
        clock,
        input: paths.map((one) => `${one}\0`).join(''),
      });
      const fields = output.toString().split('\0');
      const byGit = paths.filter((_, index) => fields[index * 4 + 2] !== '' && fields[index * 4 + 2]?.startsWith('!') === false);
      expect(hidden({ '.gitignore': withHidden, 'lib/.gitignore': inner }, paths)).toEqual(byGit);
    }),
    { numRuns: 60 },
  );
});

test('a file of patterns hides the same below a folder when it is written for the root', () => {
  fc.assert(
    fc.property(lines, fc.array(path, { minLength: 1, maxLength: 12 }), (text, paths) => {
      const moved = ignoreLines(text, 'packages/x y' as RepoPath).join('\n');
      const below = paths.map((one) => `packages/x y/${one}`);
      const before = hidden({ '.gitignore': text }, paths).map((one) => `packages/x y/${one}`);
      expect(hidden({ '.gitignore': moved }, below)).toEqual(before);
      expect(
        hidden(
          { '.gitignore': moved },
          paths.map((one) => `packages/z/${one}`),
        ),
      ).toEqual([]);
    }),
    { numRuns: cases(300) },
  );
});

import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { readFileList, withSlashes } from './file-list.js';

const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());

function read(text: string | Uint8Array, source = 'list'): readonly string[] {
  folder.write('list', text);
  return readFileList(source, { cwd: folder.path, top: folder.path }).map(({ path }) => path);
}

describe('names are read', () => {
  test.each<[title: string, text: string, names: readonly string[]]>([
    ['one a line', 'a/x\nb\n', ['a/x', 'b']],
    ['without a line break at the end', 'a/x\nb', ['a/x', 'b']],
    ['with Windows line ends', 'a/x\r\nb\r\n', ['a/x', 'b']],
    ['ended by NUL, with any line break in them', 'a\nb\0c\0', ['a\nb', 'c']],
    ['each once, in their order', 'b\na\nb\n', ['b', 'a']],
    ['without blank lines', '\na\n\n  \nb\n', ['a', 'b']],
    ['none of nothing', '', []],
    ['without ./ in front', './a\n././b\n', ['a', 'b']],
    ['with blanks, signs and letters of any kind', 'a b\nü\n-x\n#x\na"b\n', ['a b', 'ü', '-x', '#x', 'a"b']],
    ['outside of the repository', '../x\n', ['../x']],
  ])('%s', (_, text, names) => {
    expect(read(text)).toEqual(names);
  });

  test('behind a byte order mark', () => {
    expect(read('\uFEFFa/x\n')).toEqual(['a/x']);
  });

  test('as PowerShell writes what git prints', () => {
    expect(read(Buffer.from('\uFEFFa/x\r\n\u00fc\r\n', 'utf16le'))).toEqual(['a/x', '\u00fc']);
  });

  test('with the separator of Windows there alone', () => {
    expect(withSlashes('packages\\a\\x', '\\')).toBe('packages/a/x');
    expect(withSlashes('packages\\a\\x', '/')).toBe('packages\\a\\x');
  });

  test('absolute ones count from the top of the repository', () => {
    expect(read(`${folder.join('packages/a/x')}\n/elsewhere/x\n`)[0]).toBe('packages/a/x');
    expect(read('/elsewhere/x\n')[0]).toMatch(/^(\.\.\/)+elsewhere\/x$/);
  });

  test('each counts as a modified file, for nobody knows what became of it', () => {
    folder.write('list', 'a');
    const [file] = readFileList(folder.join('list'), { cwd: folder.path, top: undefined });
    expect(file).toEqual({ path: 'a', status: 'modified', kind: 'file' });
  });

  test('as git prints them', () => {
    const repo = cleanUp.add(TempRepo.create());
    const names = ['a b', 'c\td', 'e\nf', 'ü', 'g"h'];
    repo.commit('x', { files: Object.fromEntries(names.map((name) => [`p/${name}`, 'x'])) });
    const listed = repo.gitBytes('ls-tree', '-r', '-z', '--name-only', 'HEAD');
    expect(read(listed).toSorted()).toEqual(names.map((name) => `p/${name}`).sort());
  });
});

describe('it cannot be read', () => {
  const unreadable = (message: unknown): unknown => expect.objectContaining({ code: 'FILE_LIST_UNREADABLE', message });
  test('if it is not there, or a folder', () => {
    expect(() => read('', 'gone')).toThrow(unreadable('The list of changed files cannot be read from gone.') as Error);
    expect(() => read('', '.')).toThrow(unreadable('The list of changed files cannot be read from ..') as Error);
  });

  test('if git has quoted a name: nobody would find it', () => {
    expect(() => read('a\n"p/\\303\\274"\n')).toThrow(
      unreadable('The name "p/\\303\\274" is quoted, as git writes unusual characters.') as Error,
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import { packedTest } from './packed.js';

const FILES = ['package.json', 'README.md', 'a.js', 'b.mjs', 'dist/i.js', 'dist/x/y.js', 'lib/z.js', 'recipes/tie.ts'];

function packed(manifest: object, texts: Readonly<Record<string, string>> = {}): string[] {
  return FILES.filter(packedTest({ manifest: manifest as Record<string, unknown>, read: (file) => texts[file] })).slice(2);
}

describe('the files that npm packs', () => {
  test.each<[files: string[], expected: string[]]>([
    [['dist'], ['dist/i.js', 'dist/x/y.js']],
    [
      ['./dist/', 'lib/*.js'],
      ['dist/i.js', 'dist/x/y.js', 'lib/z.js'],
    ],
    [['/dist/**', '!dist/x'], ['dist/i.js']],
    [['*.js'], ['a.js']],
    [['**/*.js'], ['a.js', 'dist/i.js', 'dist/x/y.js', 'lib/z.js']],
    [['.'], FILES.slice(2)],
    [[], []],
  ])('files %j', (files, expected) => expect(packed({ files })).toEqual(expected));

  test('what the manifest names is packed always', () => {
    expect(packed({ files: ['dist/i.js'], main: './a.js', bin: { b: 'b.mjs' } })).toEqual(['a.js', 'b.mjs', 'dist/i.js']);
  });

  test('without "files", .npmignore decides, else .gitignore', () => {
    expect(packed({}, { '.npmignore': 'recipes\n/lib/\n', '.gitignore': 'dist\n' })).toEqual(['a.js', 'b.mjs', 'dist/i.js', 'dist/x/y.js']);
    expect(packed({}, { '.gitignore': 'dist/*\n!dist/x\n*.mjs\n' })).toEqual(['a.js', 'dist/x/y.js', 'lib/z.js', 'recipes/tie.ts']);
    expect(packed({})).toEqual(FILES.slice(2));
    const long = '**/a/**/b/**/c/**';
    expect(packed({}, { '.npmignore': `${long}\n` })).toEqual(FILES.slice(2));
    expect(packed({}, { '.npmignore': `*.js\nrecipes\n!${long}\nlib\n` })).toEqual(FILES.slice(2).filter((file) => file !== 'lib/z.js'));
  });
});

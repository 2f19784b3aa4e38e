import { describe, expect, test } from '@jest/globals';
import { parseManifest } from '@tributary/workspaces/manifest';
import { changesetOf, ignoredBelow, ownersBelow, patternBelow, scriptsAbove, settingsAbove, unlessInManifest } from './inherit.js';

describe('patterns of the files above packages/a', () => {
  test.each([
    ['dist', 'dist'],
    ['*.log', '*.log'],
    ['build/', 'build/'],
    ['**/tmp', '**/tmp'],
    ['/packages/*/dist', '/dist'],
    ['packages/a/src/*.js', '/src/*.js'],
    ['/packages/**/lib/', '**/lib/'],
    ['/packages/', '*'],
    ['/packages/a', '*'],
    ['/packages/a/*', '*'],
    ['/packages/[ab]/x', '/x'],
    ['/packages/b/dist', undefined],
    ['/dist', undefined],
    ['docs/api', undefined],
  ])('%s is %s', (pattern, below) => {
    expect(patternBelow(pattern, 'packages/a')).toBe(below);
  });

  test('.gitignore keeps its order and its exceptions, without what concerns others', () => {
    const text = '# built\nnode_modules\n/dist\ndist\n!packages/a/dist/keep\n/packages/\r\n\npackages/b/out\n';
    expect(ignoredBelow(text, 'packages/a')).toEqual(['node_modules', 'dist', '!/dist/keep']);
  });

  test('CODEOWNERS keeps lines that match a file, in order', () => {
    const text = '* @all\n*.go @go\n/packages/a/ @team-a # ours\n/packages/b/ @team-b\n/packages/*/src/ @src\n/packages/a/package.json\n';
    const files = new Set(['package.json', 'src/i.js']);
    expect(ownersBelow(text, 'packages/a', files)).toBe('* @team-a # ours\n/src/ @src\n/package.json\n');
    expect(ownersBelow('/packages/b/ @team-b\n[Docs]\n', 'packages/a', files)).toBe('');
    // A last star does not reach into folders.
    const stars = '* @all\n/* @root\n/packages/* @none\n/packages/a/* @top\n/packages/*/src/* @src\n/packages/**/* @deep\n';
    expect(ownersBelow(stars, 'packages/a', files)).toBe('* @all\n/* @top\n/src/* @src\n**/* @deep\n');
  });
});

test('a changeset is kept with what it says of the package', () => {
  const text = '---\n"@big/a": minor\n"@big/b": major\n---\n\nA new thing.\n';
  expect(changesetOf(text, '@big/a')).toBe('---\n"@big/a": minor\n---\n\nA new thing.\n');
  expect([changesetOf(text, '@big/c'), changesetOf('no front', '@big/a'), changesetOf('---\n---\n', '@big/a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('settings that tools found above are named, unless the package has its own', () => {
  const texts = new Map(['babel.config.js', '.eslintrc.json', '.prettierrc', 'jest.config.js'].map((file) => [file, '']));
  const root = parseManifest('{"browserslist":["defaults"]}', 'package.json');
  expect(settingsAbove(texts, root, new Set(['.eslintrc.js']))).toEqual([
    'babel.config.js',
    '"browserslist" of package.json',
    '.prettierrc',
  ]);
  const settings = ['.prettierrc', 'prettier.config.js', '"prettier" of package.json', '.swcrc'];
  expect(unlessInManifest(settings, { prettier: '@acme/prettier' })).toEqual(['.swcrc']);
});

test('a line of CODEOWNERS that takes too long to compare may match', () => {
  const text = '**/a/**/b/**/c/**/d @team\n';
  expect(ownersBelow(text, 'packages/a', new Set(['package.json']))).toBe(text);
});

test('settings of TypeScript are found by its files alone', () => {
  const texts = new Map([['tsconfig.json' as never, '{}']]);
  expect(settingsAbove(texts, undefined, new Set(['src/a.ts']))).toEqual(['tsconfig.json']);
  expect(settingsAbove(texts, undefined, new Set(['src/a.js']))).toEqual([]);
  expect(settingsAbove(texts, undefined, new Set(['src/a.ts', 'tsconfig.json']))).toEqual([]);
});

describe('scripts of a former root', () => {
  const above = (scripts: object, manifest: Readonly<Record<string, unknown>> = {}, ...files: readonly string[]): readonly string[] =>
    scriptsAbove(parseManifest(JSON.stringify({ name: 'root', scripts }), 'package.json'), { files: new Set(files), manifest });
  const SCRIPTS = { build: 'preconstruct build', test: 'vitest', lint: 'eslint .' };
  const BUILT = { main: 'dist/a.js' };

  test('are named where the package needs one, and has none of the name', () => {
    expect(above(SCRIPTS, BUILT, 'src/a.ts', 'src/a.test.ts')).toEqual(['"build": "preconstruct build"', '"test": "vitest"']);
  });

  test.each<[why: string, scripts: object, manifest: Readonly<Record<string, unknown>>, files: readonly string[]]>([
    ['its entry point is there', SCRIPTS, BUILT, ['dist/a.js']],
    ['it has no entry point', SCRIPTS, {}, ['src/a.ts']],
    ['it has no code for tests', SCRIPTS, {}, ['test/a.json', 'src/a.js']],
    ['it has its own', SCRIPTS, { ...BUILT, scripts: { build: 'tsc', test: 'tap' } }, ['a.test.js']],
    ['it is built when it is packed', SCRIPTS, { ...BUILT, scripts: { prepack: 'tsc' } }, []],
    ['the root has none', {}, BUILT, ['a.test.js']],
    ...['turbo run build', 'lerna run build', 'yarn workspaces foreach run build', 'npm run build -ws', 'npm run build --workspaces'].map(
      (build) => [`the root runs ${build}`, { build }, BUILT, []] as [string, object, object & Record<string, unknown>, string[]],
    ),
    ['the root runs pnpm -r', { build: 'pnpm -r build', test: 'pnpm --filter ./packages/* test' }, BUILT, ['a.test.js']],
  ])('but not if %s', (_why, scripts, manifest, files) => {
    expect(above(scripts, manifest, ...files)).toEqual([]);
  });
});

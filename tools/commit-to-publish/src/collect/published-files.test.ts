import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { saidOfFiles } from './entry-files.js';
import { publishedTest } from './published-files.js';

interface Case {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly npmignore?: string;
  readonly there: readonly string[];
}

function published({ manifest, npmignore, there }: Case): readonly string[] {
  const isPublished = publishedTest({ ...saidOfFiles(manifest), npmignore }, (path) => there.includes(path));
  return there.filter(isPublished);
}

const TREE = [
  '.github/workflows/ci.yml',
  'docs/guide.md',
  'lib/index.js',
  'lib/parse.js',
  'lib/parse.test.js',
  'lib/notes.md',
  'test/all.js',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'package.json',
  'yarn.lock',
  'webpack.config.js',
];

const SHIPPING: readonly (readonly [title: string, said: Omit<Case, 'there'>])[] = [
  ['a folder', { manifest: { main: 'lib/index.js', files: ['lib'] } }],
  ['a folder with a slash and a dot', { manifest: { main: './lib', files: ['./lib/'] } }],
  ['patterns, and what is taken out of them', { manifest: { main: 'lib/index', files: ['lib/**/*.js', '!lib/**/*.test.js'] } }],
  ['an entry that no pattern names', { manifest: { main: 'lib/index.js', files: ['docs'] } }],
  ['all', { manifest: { main: 'lib/index.js', files: ['*'] } }],
  ['.npmignore', { manifest: { main: 'lib/index.js' }, npmignore: '# ours\ntest\n*.test.js\n/docs/\n.github\nwebpack.*\n' }],
  ['.npmignore, and what it takes back', { manifest: { main: 'lib/index.js' }, npmignore: '*.md\n!lib/*.md\n' }],
];

test('what a package that ships its sources publishes is what npm packs', () => {
  const home = mkdtempSync(join(tmpdir(), 'packed-'));
  for (const [at, [, { manifest, npmignore }]] of SHIPPING.entries()) {
    const named = { name: `p${at}`, version: '1.0.0', ...manifest };
    const texts = { ...Object.fromEntries(TREE.map((path) => [path, 'x'])), 'package.json': JSON.stringify(named) };
    for (const [path, text] of Object.entries({ ...texts, ...(npmignore === undefined ? {} : { '.npmignore': npmignore }) })) {
      mkdirSync(dirname(join(home, `p${at}`, path)), { recursive: true });
      writeFileSync(join(home, `p${at}`, path), text);
    }
  }
  const folders = SHIPPING.map((_, at) => `./p${at}`);
  const printed = execFileSync('npm', ['pack', ...folders, '--dry-run', '--json', '--ignore-scripts'], { cwd: home, stdio: 'pipe' });
  rmSync(home, { recursive: true });
  const packed = Object.values(JSON.parse(printed.toString()) as Record<string, { name: string; files: readonly { path: string }[] }>);
  for (const [at, [title, said]] of SHIPPING.entries()) {
    const files = packed.find(({ name }) => name === `p${at}`)?.files ?? [];
    expect([title, [...published({ ...said, there: TREE })].sort()]).toEqual([title, files.map(({ path }) => path).sort()]);
  }
});

const SOURCE = ['lib/index.js', 'lib/parse.js', 'yarn.lock', 'webpack.config.js'];

test.each<[title: string, manifest: Case['manifest'], there: readonly string[]]>([
  ['its entry is built', { main: 'dist/index.js', files: ['dist'] }, TREE],
  ['one of its entries is built', { main: 'build/index.js', module: 'lib/index.js', files: ['lib', 'build'] }, TREE],
  ['what is built is committed', { main: 'dist/index.js', files: ['dist'] }, [...TREE, 'dist/index.js']],
  ['no entry is there', { files: ['lib'] }, TREE],
  ['nothing says what it publishes', { main: 'lib/index.js' }, TREE],
  ['a field of another type', { main: 7, files: 'lib', bin: null, exports: [] }, TREE],
])('of others all but tests, docs and CI counts: %s', (_, manifest, there) => {
  const found = published({ manifest, there });
  expect(found.filter((path) => path.startsWith('dist'))).toEqual(there.filter((path) => path.startsWith('dist')));
  expect(found.filter((path) => !path.startsWith('dist'))).toEqual([
    'lib/index.js',
    'lib/parse.js',
    'lib/notes.md',
    'package.json',
    ...SOURCE.slice(2),
  ]);
});

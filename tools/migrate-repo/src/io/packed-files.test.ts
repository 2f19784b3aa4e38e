import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { listPackedFiles } from './packed-files.js';
import { listYarnPackedFiles } from './yarn-packed-files.js';

let scratch: TempFolder;
beforeEach(() => {
  scratch = new TempFolder();
});
afterEach(() => scratch.dispose());

type Texts = Readonly<Record<string, string>>;

const YARN = { program: process.execPath, args: [quickYarn(findProjectRoot())], packageManager: undefined };

async function yarnPack(texts: Texts, as: 'alone' | 'workspace', folders: readonly string[]): Promise<Record<string, readonly string[]>> {
  const files = { paths: Object.keys(texts).sort() as RepoPath[], read: (path: RepoPath) => texts[path] };
  return Object.fromEntries(await listYarnPackedFiles({ files, as, folders: folders as RepoPath[], scratch: scratch.path }, YARN));
}

async function pack(texts: Texts, as: 'alone' | 'workspace', folders: readonly string[]): Promise<Record<string, readonly string[]>> {
  const files = { paths: Object.keys(texts).sort() as RepoPath[], read: (path: RepoPath) => texts[path] };
  return Object.fromEntries(await listPackedFiles({ files, as, folders: folders as RepoPath[], scratch: scratch.path }));
}

const MONOREPO: Texts = {
  'package.json': '{"name":"mono","private":true,"workspaces":["packages/*"]}',
  '.gitignore': 'lib/\n',
  'packages/a/package.json': '{"name":"@acme/a","scripts":{"prepack":"exit 1"},"publishConfig":{"registry":"https://host.example"}}',
  'packages/a/.npmignore': 'test\n',
  'packages/a/lib/a.js': '',
  'packages/a/index.js': 'x',
  'packages/a/test/a.js': '',
  'packages/a/test/package.json': 'none',
  'packages/a/yarn.lock': '',
  'packages/a/.travis.yml': '',
  'packages/b/package.json':
    '{"name":"b","version":"1.0.0","files":["lib"],"workspaces":["sub"],"dependencies":{"ms":"^2.0.0"},"overrides":{"ms":"2.1.0"}}',
  'packages/b/lib/b.js': '',
  'packages/b/index.js': '',
  'packages/c/package.json': 'not asked for',
};

test('alone: the ignore file and the list of a package count, a lockfile never comes along, and no script is run', async () => {
  expect(await pack(MONOREPO, 'alone', ['packages/a', 'packages/b'])).toEqual({
    'packages/a': ['.travis.yml', 'index.js', 'lib/a.js', 'package.json'],
    'packages/b': ['lib/b.js', 'package.json'],
  });
});

test('in a workspace: an ignore file of the root hides what has no list', async () => {
  expect(await pack(MONOREPO, 'workspace', ['packages/a', 'packages/b'])).toEqual({
    'packages/a': ['.travis.yml', 'index.js', 'package.json'],
    'packages/b': ['lib/b.js', 'package.json'],
  });
});

test('Yarn goes by rules of its own: nothing above the package counts, and its own settings and release stay out', async () => {
  const texts = {
    ...MONOREPO,
    'packages/a/.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.0.0.cjs\nplugins: [./evil.cjs]\n',
    'packages/a/.yarn/releases/yarn-4.0.0.cjs': '',
  };
  const a = ['.travis.yml', 'index.js', 'lib/a.js', 'package.json'];
  expect(await yarnPack(texts, 'alone', ['packages/a'])).toEqual({ 'packages/a': a });
  expect(await yarnPack(MONOREPO, 'workspace', ['packages/a', 'packages/b'])).toEqual({
    'packages/a': a,
    'packages/b': ['lib/b.js', 'package.json'],
  });
});

test('no package, no call', async () => {
  expect(await pack(MONOREPO, 'alone', [])).toEqual({});
});

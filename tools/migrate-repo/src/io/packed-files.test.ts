import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { listPackedFiles } from './packed-files.js';

let scratch: TempFolder;
beforeEach(() => {
  scratch = new TempFolder();
});
afterEach(() => scratch.dispose());

type Texts = Readonly<Record<string, string>>;

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

test('no package, no call', async () => {
  expect(await pack(MONOREPO, 'alone', [])).toEqual({});
});

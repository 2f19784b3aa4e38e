import { expect, test } from '@jest/globals';
import type { ListedFile } from '@tributary/git/parse';
import { planCleanUp } from './clean-up.js';

const remove = (...paths: string[]): string[] =>
  planCleanUp(paths.map((path): ListedFile => ({ mode: '100644', id: '1'.repeat(40) as ListedFile['id'], size: 1, path }))).map(
    ({ path }) => path,
  );

test.each([
  'yarn.lock',
  'package-lock.json',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnp.js',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.pnp.data.json',
  'pnpm-workspace.yaml',
  '.yarn/install-state.gz',
  '.yarn/build-state.yml',
])('%s does not come along', (path) => {
  expect(remove(path)).toEqual([path]);
});

test.each([
  'package.json',
  '.npmrc',
  '.gitignore',
  '.npmignore',
  '.nvmrc',
  'npm-shrinkwrap.json',
  'yarn.lock.md',
  'my-yarn.lock',
  'test/yarn.lock',
  'example/.yarnrc.yml',
  'example/.yarn/releases/yarn.cjs',
  '.yarn/patches/p.patch',
  '.yarn/versions/a.yml',
  '.yarn/releases-notes.md',
  '.yarnrc.yml.bak',
  '.pnp.md',
  'a/.pnp.cjs',
  '.yarn.lock',
])('%s comes along', (path) => {
  expect(remove(path)).toEqual([]);
});

test('a folder goes as one, however many files it has and whatever they are called', () => {
  const cache = Array.from({ length: 2000 }, (_, at) => `.yarn/cache/p-${at}.zip`);
  expect(
    remove(...cache, '.yarn/cache/b\\s.zip', '.yarn/cache/\xff.zip', '.yarn/releases/yarn.cjs', '.yarn/plugins/@yarnpkg/x.cjs'),
  ).toEqual(['.yarn/cache', '.yarn/plugins', '.yarn/releases']);
});

test('a link in place of such a folder goes too', () => {
  expect(remove('.yarn/cache')).toEqual(['.yarn/cache']);
});

test('what goes is ordered by path, whatever the order given, and each has its reason', () => {
  const paths = ['yarn.lock', '.yarnrc.yml', '.pnp.cjs', 'package-lock.json'];
  expect(remove(...paths)).toEqual([...paths].sort());
  expect(remove(...paths.reverse())).toEqual([...paths].sort());
  for (const { reason } of planCleanUp(paths.map((path) => ({ mode: '100644', id: '1'.repeat(40) as ListedFile['id'], size: 1, path }))))
    expect(reason).toMatch(/^\S.{10,}[^.]$/);
});

import { expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { inherit } from './former-root.js';

test('settings of a workspace of pnpm that are no map are inherited as they are', () => {
  const texts = new Map<RepoPath, string>([
    ['package.json' as RepoPath, '{ "workspaces": ["packages/*"] }'],
    ['pnpm-workspace.yaml' as RepoPath, 'plain\n'],
  ]);
  const { files } = inherit({ folder: 'packages/a' as RepoPath, texts }, 'a', new Set());
  expect(files).toEqual(new Map([['pnpm-workspace.yaml', 'plain\n']]));
});

test('files of git, and versions of tools unless the package has its own, are inherited', () => {
  const names = ['.git-blame-ignore-revs', '.mailmap', '.node-version', '.nvmrc', '.tool-versions'];
  const texts = new Map([...names, 'README.md'].map((name) => [name as RepoPath, name]));
  const inheritedBy = (...own: string[]) =>
    [...inherit({ folder: 'packages/a' as RepoPath, texts }, 'a', new Set(own)).files.keys()].sort();
  expect(inheritedBy()).toEqual(names);
  expect(inheritedBy('.nvmrc', '.mailmap')).toEqual(['.git-blame-ignore-revs']);
});

test('the other workspaces of the root are known by name, with the versions that can be published', () => {
  const manifest = (name: string, more: object = {}): string => JSON.stringify({ name, version: '1.2.0', ...more });
  const texts = new Map<RepoPath, string>(
    Object.entries({
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/a/package.json': manifest('a', { dependencies: { b: 'workspace:^' } }),
      'packages/b/package.json': manifest('b'),
      'packages/conf/package.json': manifest('conf', { private: true }),
      'packages/late/package.json': manifest('late', { version: '0.0.0-development' }),
      'packages/b/fixtures/package.json': manifest('fixture'),
    }).map(([path, text]) => [path as RepoPath, text]),
  );
  const { siblings } = inherit({ folder: 'packages/a' as RepoPath, texts }, 'a', new Set());
  expect([...siblings].map(([name, { folder, version }]) => [name, folder, version])).toEqual([
    ['a', 'packages/a', '1.2.0'],
    ['b', 'packages/b', '1.2.0'],
    ['conf', 'packages/conf', undefined],
    ['late', 'packages/late', undefined],
  ]);
});

test('patches that entries of the root or of the package name are inherited', () => {
  const texts = new Map<RepoPath, string>([
    ['package.json' as RepoPath, '{ "workspaces": ["packages/*"], "resolutions": { "b": "patch:b@npm%3A1.0.0#~/.yarn/patches/b.patch" } }'],
    ['packages/a/package.json' as RepoPath, '{ "dependencies": { "c": "patch:c@npm%3A1.0.0#~/.yarn/patches/c.patch" } }'],
    ...['b', 'c', 'd'].map((name) => [`.yarn/patches/${name}.patch` as RepoPath, name] as const),
  ]);
  const { files } = inherit({ folder: 'packages/a' as RepoPath, texts }, 'a', new Set());
  expect([...files.keys()]).toEqual(['.yarn/patches/b.patch', '.yarn/patches/c.patch']);
});

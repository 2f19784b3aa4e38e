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

test('patches that entries of the root or of the package name are inherited', () => {
  const texts = new Map<RepoPath, string>([
    ['package.json' as RepoPath, '{ "workspaces": ["packages/*"], "resolutions": { "b": "patch:b@npm%3A1.0.0#~/.yarn/patches/b.patch" } }'],
    ['packages/a/package.json' as RepoPath, '{ "dependencies": { "c": "patch:c@npm%3A1.0.0#~/.yarn/patches/c.patch" } }'],
    ...['b', 'c', 'd'].map((name) => [`.yarn/patches/${name}.patch` as RepoPath, name] as const),
  ]);
  const { files } = inherit({ folder: 'packages/a' as RepoPath, texts }, 'a', new Set());
  expect([...files.keys()]).toEqual(['.yarn/patches/b.patch', '.yarn/patches/c.patch']);
});

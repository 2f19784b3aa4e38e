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

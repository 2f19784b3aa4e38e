import { expect, test } from '@jest/globals';
import { branchRef, parseWorkspaceName } from '@tributary/model/ids';
import { syncBranch } from './sync-branch.js';

test.each([
  ['left-pad', undefined, 'sync/left-pad'],
  ['@acme/ui', undefined, 'sync/@acme/ui'],
  ['left-pad', 'release-1', 'release/left-pad-1'],
  ['left-pad', 'release/1.x', 'release/left-pad-1.x'],
  ['@acme/ui', 'releases/2', 'releases/@acme/ui-2'],
  ['left-pad', 'next', 'sync/left-pad-next'],
  ['left-pad', 'feature/a', 'sync/left-pad-feature-a'],
])('%s with %s is on %s', (name, sourceBranch, branch) => {
  expect(syncBranch(parseWorkspaceName(name), sourceBranch)).toBe(branch);
  expect(branchRef(branch)).toBe(`refs/heads/${branch}`);
});

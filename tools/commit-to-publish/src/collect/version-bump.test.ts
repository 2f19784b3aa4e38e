import { expect, test } from '@jest/globals';
import { isVersionBump } from './changes.js';
import type { MainLineStep } from './layout.js';

function step(subject: string, more: { readonly bumps?: boolean; readonly isOnlyVersions?: boolean } = {}): MainLineStep {
  const commit = { subject } as MainLineStep['commit'];
  const { bumps = true, isOnlyVersions = false } = more;
  const none = new Set<string>();
  const touches = { touched: none, unpublished: none };
  return { commit, ...touches, bumps: new Map(bumps ? [['core', '1.2.3']] : []), appeared: none, isOnlyVersions, layout: new Map() };
}

test.each([
  '1.2.3',
  'v1.2.3',
  'Release 1.2.3',
  'release: v1.2.3',
  'chore(release): 1.2.3 [skip ci]',
  'chore: release @acme/core@1.2.3 (#12)',
  'Bump version to 1.2.3.',
  'core@1.2.3, ui@2.0.0-next.1',
  'Publish',
  'Version Packages (#7)',
  'v1.2.3 (acme/ui#12)',
])('a commit that sets a version and says "%s" is no change', (subject) => {
  expect(isVersionBump(step(subject), false)).toBe(true);
  expect(isVersionBump(step(subject, { bumps: false }), false)).toBe(false);
});

test.each(['Update', 'Fix #12', 'Upgrade left-pad to 1.2.3', 'Add a release button', 'Support node 18.0.0 and publish', ''])(
  'a commit that says "%s" is one, unless it does nothing but set versions',
  (subject) => {
    expect(isVersionBump(step(subject), true)).toBe(false);
    expect(isVersionBump(step(subject, { isOnlyVersions: true }), false)).toBe(true);
  },
);

test('where no manifest has the version, a tag on a commit that says it is enough', () => {
  expect(isVersionBump(step('v1.2.3', { bumps: false }), true)).toBe(true);
  expect(isVersionBump(step('Fix it', { bumps: false }), true)).toBe(false);
});

import { expect, test } from '@jest/globals';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { isVersionBump } from './changes.js';
import type { MainLineStep } from './layout.js';
import { sameButVersions } from './members.js';

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

test.each([
  ['a version', { name: 'ui', version: '1.0.0', main: 'a.js' }, { name: 'ui', version: '1.0.1', main: 'a.js' }, true],
  ['its removal', { name: 'ui', version: '1.0.0', main: 'a.js' }, { name: 'ui', main: 'a.js' }, true],
  ['its return', { name: 'ui', main: 'a.js' }, { name: 'ui', version: '1.0.1', main: 'a.js' }, true],
  ['a range of its own', { name: 'ui', peerDependencies: { core: '1' } }, { name: 'ui', peerDependencies: { core: '2' } }, true],
  ['a first dependency of its own', { name: 'ui', main: 'a.js' }, { name: 'ui', dependencies: { core: '1' }, main: 'a.js' }, false],
  ['no dependency of its own any more', { dependencies: { core: '1', left: '1' } }, { dependencies: { left: '1' } }, false],
  ['a range of others', { name: 'ui', dependencies: { left: '1' } }, { name: 'ui', dependencies: { left: '2' } }, false],
  ['another field', { name: 'ui', version: '1.0.0', main: 'a.js' }, { name: 'ui', version: '1.0.1', main: 'b.js' }, false],
])('of a manifest, %s alone or not: the same but for versions', (_, old, fresh, isSame) => {
  const read = (manifest: object): Manifest => parseManifest(JSON.stringify(manifest), 'package.json');
  expect(sameButVersions(read(old), read(fresh), (name) => name === 'core')).toBe(isSame);
});

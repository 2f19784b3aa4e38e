import { describe, expect, test } from '@jest/globals';
import { findDrift } from './drift.js';
import { MONOREPO, MONOREPO_MANIFESTS, REPOSITORIES, SOURCE_FOLDERS } from './organisation.js';
import { releasesOf, replay } from './replay.js';
import { type Story, TRUNK } from './story.js';
import { thirdPartyPackages } from './third-party.js';

const manifests = [...REPOSITORIES.map((story) => replay(story).manifest), ...MONOREPO_MANIFESTS];
const events = REPOSITORIES.flatMap((story) => story.events);
const files = events.flatMap((event) => (event.kind === 'commit' ? Object.entries(event.files ?? {}) : []));

test('two repositories for each package manager', () => {
  expect(REPOSITORIES.map(({ manager }) => manager).sort()).toEqual(['Yarn 1', 'Yarn 1', 'Yarn 4', 'Yarn 4', 'npm', 'npm']);
});

test('their histories hold what is hard to move', () => {
  expect(events.some((event) => event.kind === 'merge' && event.branches.length > 1)).toBe(true);
  expect(events.some((event) => event.kind === 'commit' && event.signature === 'looks-signed')).toBe(true);
  expect(new Set(events.flatMap((event) => (event.kind === 'tag' ? [event.message === undefined] : [])))).toEqual(new Set([true, false]));
  expect(files.some(([path]) => /[^\x20-\x7e]/.test(path))).toBe(true);
  expect(files.some(([, content]) => typeof content === 'string' && content.includes('\r\n'))).toBe(true);
  expect(files.some(([, content]) => typeof content === 'object' && content !== null && 'executable' in content)).toBe(true);
  expect(files.some(([path]) => path.startsWith('.yarn/releases/'))).toBe(true);
});

test('several of their dependencies have drifted', () => {
  expect(findDrift(manifests).length).toBeGreaterThan(3);
});

test('whatever they depend on is served by the local registry or is one of them', () => {
  const served = new Set([...thirdPartyPackages().map(({ manifest }) => manifest.name), ...manifests.map(({ name }) => name)]);
  const asked = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...(dependencies as object), ...(devDependencies as object) }),
  );
  expect(asked.filter((name) => !served.has(name))).toEqual([]);
});

test('the monorepo names all of them as sources, and its app needs all of them', () => {
  expect(Object.keys(SOURCE_FOLDERS)).toHaveLength(REPOSITORIES.length);
  expect(Object.keys(MONOREPO_MANIFESTS[0]?.dependencies as object)).toEqual(expect.arrayContaining(Object.keys(SOURCE_FOLDERS)));
});

describe.each([...REPOSITORIES, MONOREPO].map((story) => [story.folder, story] as const))('%s', (_folder, story) => {
  test('keeps to the trunk, and touches the manifest on one line of history at a time', () => {
    expect(branchesWithManifest(story)).toEqual([]);
  });

  test('has released its last version', () => {
    if (story !== MONOREPO) expect(releasesOf(story).at(-1)?.manifest.version).toBe(replay(story).manifest.version);
  });
});

/** Returns what `replay` cannot detect: commits to the manifest while another branch with a changed manifest is not merged. */
function branchesWithManifest(story: Story): string[] {
  let here = TRUNK;
  const changed = new Set<string>();
  return story.events.flatMap((event) => {
    if (event.kind === 'branch' || event.kind === 'switch') here = event.name;
    if (event.kind === 'merge') for (const branch of event.branches) changed.delete(branch);
    if (event.kind !== 'commit' || event.manifest === undefined) return [];
    const conflicts = [...changed].filter((branch) => branch !== here);
    if (here !== TRUNK) changed.add(here);
    return conflicts.map((branch) => `${event.message}: ${branch} is not merged`);
  });
}

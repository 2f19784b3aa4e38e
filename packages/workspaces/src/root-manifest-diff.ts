import type { AllReason } from '@tributary/model/changeset';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from './manifest.js';
import { changedKeys, isSameValue, type KeyOrder } from './same-value.js';
import type { TaskKind } from './task-kinds.js';

/** The effects of a change of the root package.json. Lists are sorted, without duplicates. */
export interface RootManifestDiff {
  /** `ROOT_MANIFEST_CHANGED` if a changed key can change any workspace's tests. */
  readonly all: AllReason | undefined;
  /** Keys that affect only the root workspace and its dependents. */
  readonly rootItself: readonly string[];
  /** Whether the globs differ; then the workspaces must be discovered again on both sides. */
  readonly workspaces: 'changed' | 'same';
  /** Changed keys of `resolutions`. */
  readonly resolutions: readonly string[];
  /** Names whose entry in one of the four dependency blocks changed. */
  readonly dependencies: readonly string[];
  /**
   * Names of changed scripts. A changed script by itself selects nothing. But a workspace can call a script of the root, with `yarn run -T`
   * or, if its name has a colon, like its own scripts.
   */
  readonly scripts: readonly string[];
  /** Keys that select nothing. */
  readonly ignored: readonly string[];
}

/**
 * Compares two root manifests key by key. An unknown key selects every workspace. The order of keys is free except where tools use the
 * first match. `version` selects nothing: comparing the graphs shows the edges that it adds or removes.
 */
export function diffRootManifests(base: Manifest, head: Manifest, kind: TaskKind = 'test'): RootManifestDiff {
  const nobody = NOBODY[kind];
  const changed = changedKeys(base.raw, head.raw, keyOrder);
  const rest = changed.filter((key) => !READ_APART.has(key) && !nobody.has(key) && !ROOT_ITSELF.has(key));
  const scripts = keysOf(base, head, 'scripts');
  const onInstall = scripts.filter((name) => INSTALL_SCRIPTS.has(name));
  const forAll = [...rest, ...onInstall.map((name) => `scripts.${name}`)].sort();
  return {
    all:
      forAll.length === 0 ? undefined : { code: 'ROOT_MANIFEST_CHANGED', reason: `${forAll.join(', ')} in the root package.json changed.` },
    rootItself: changed.filter((key) => ROOT_ITSELF.has(key)),
    workspaces: changed.includes('workspaces') ? 'changed' : 'same',
    resolutions: diffResolutions(base, head),
    dependencies: [...new Set(DEPENDENCY_BLOCKS.flatMap((block) => keysOf(base, head, block)))].sort(),
    scripts: scripts.filter((name) => !onInstall.includes(name)),
    ignored: changed.filter((key) => nobody.has(key)),
  };
}

const DEPENDENCY_BLOCKS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Keys with their own field in the result. */
const READ_APART: ReadonlySet<string> = new Set([...DEPENDENCY_BLOCKS, 'workspaces', 'resolutions', 'scripts']);

/** Scripts of the root that Yarn runs on every install, such as `patch-package`; they can change what every workspace gets. */
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set(['preinstall', 'install', 'postinstall']);

/** Keys that describe the project. */
const WORDS: readonly string[] = [
  '$schema',
  '//',
  'author',
  'bugs',
  'contributors',
  'description',
  'homepage',
  'keywords',
  'license',
  'licenses',
  'maintainers',
  'private',
  'repository',
  'version',
  'collective',
  'funding',
];

/** Tools that run on a commit or a release. */
const COMMIT_TOOLS: readonly string[] = [
  'auto',
  'changelog',
  'commitlint',
  'np',
  'release',
  'release-it',
  'standard-version',
  'gitHooks',
  'husky',
  'lint-staged',
  'pre-commit',
  'pre-push',
  'simple-git-hooks',
];

const LINTERS: readonly string[] = ['eslintConfig', 'eslintIgnore', 'prettier', 'remarkConfig', 'stylelint', 'xo'];

/** Keys that tasks of a kind ignore. */
const NOBODY: Readonly<Record<TaskKind, ReadonlySet<string>>> = {
  test: new Set([...WORDS, ...COMMIT_TOOLS, ...LINTERS]),
  build: new Set([...WORDS, ...COMMIT_TOOLS, ...LINTERS]),
  lint: new Set([...WORDS, ...COMMIT_TOOLS]),
  format: new Set([...WORDS, ...COMMIT_TOOLS]),
  other: new Set(WORDS),
};

/** Returns whether a manifest key is prose for people, or a setting of a tool that tasks of a kind do not run. */
export function countsForNobody(key: string, kind: TaskKind): boolean {
  return NOBODY[kind].has(key);
}

/**
 * Keys that define the root for packages that import or unpack it. `name`: dependents by the old name are in the base, those by the new
 * name in the head. Not included: `type`, which decides how every configuration file beside it is read, and `imports`.
 */
const ROOT_ITSELF: ReadonlySet<string> = new Set([
  'name',
  'main',
  'module',
  'exports',
  'bin',
  'man',
  'directories',
  'files',
  'types',
  'typings',
  'typesVersions',
  'publishConfig',
  'browser',
  'esnext',
  'jsdelivr',
  'react-native',
  'sideEffects',
  'source',
  'style',
  'umd:main',
  'unpkg',
]);

/** Keys whose order is known not to matter. In `exports`, in the tables of `jest`, and possibly in an unknown key, the first match wins. */
const FREE_ORDER: ReadonlySet<string> = new Set([
  ...READ_APART,
  ...NOBODY.test,
  'bin',
  'dependenciesMeta',
  'devEngines',
  'directories',
  'engines',
  'installConfig',
  'peerDependenciesMeta',
  'volta',
]);

function keyOrder(key: string): KeyOrder {
  return FREE_ORDER.has(key) ? 'is free' : 'counts';
}

/**
 * Returns the changed keys of `resolutions`; all of them if only their order differs, because Yarn uses the first match for a dependency.
 */
function diffResolutions(base: Manifest, head: Manifest): readonly string[] {
  const changed = keysOf(base, head, 'resolutions');
  const [before, after] = [base.raw['resolutions'], head.raw['resolutions']];
  if (changed.length > 0 || isSameValue(before, after, 'counts')) return changed;
  return isPlainObject(after) ? Object.keys(after).sort() : [];
}

/** Returns the keys inside a block whose values differ. */
function keysOf(base: Manifest, head: Manifest, block: string): readonly string[] {
  return changedKeys(base.raw[block], head.raw[block], () => 'is free');
}

import type { AllReason } from '@tributary/model/changeset';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from './manifest.js';
import { changedKeys, isSameValue, type KeyOrder } from './same-value.js';
import type { TaskKind } from './task-kinds.js';

/** What a change of the root package.json means. Lists are sorted and hold each name once. */
export interface RootManifestDiff {
  /** `ROOT_MANIFEST_CHANGED`, where a key changed that can change what anybody's tests do. */
  readonly all: AllReason | undefined;
  /** Keys that affect the root workspace and its dependents, and nobody else. */
  readonly rootItself: readonly string[];
  /** Whether the globs differ; who is a workspace is then to be found out anew on both sides. */
  readonly workspaces: 'changed' | 'same';
  /** Keys of `resolutions` that changed. */
  readonly resolutions: readonly string[];
  /** Names whose entry in one of the four blocks of dependencies changed. */
  readonly dependencies: readonly string[];
  /**
   * Names of changed scripts. By themselves they affect nobody; but a workspace can call a script of the root, with `yarn run -T` or,
   * where its name has a colon, like one of its own.
   */
  readonly scripts: readonly string[];
  /** Keys that affect nobody. */
  readonly ignored: readonly string[];
}

/**
 * Compares two root manifests key by key. A key that is not known here counts for all. The order of keys is free except where tools
 * read the first that matches. `version` counts for nobody: an edge that it makes or breaks is seen by comparing the graphs.
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

/** Keys with a place of their own in the answer. */
const READ_APART: ReadonlySet<string> = new Set([...DEPENDENCY_BLOCKS, 'workspaces', 'resolutions', 'scripts']);

/** What Yarn runs in the root on every install, `patch-package` for one; they can change what everybody gets. */
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set(['preinstall', 'install', 'postinstall']);

/** Words about the project. */
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

/** Whether tasks of a kind do not read a key. */
export function isUnreadKey(key: string, kind: TaskKind): boolean {
  return NOBODY[kind].has(key);
}

/** Keys that tasks of a kind do not read. */
const NOBODY: Readonly<Record<TaskKind, ReadonlySet<string>>> = {
  test: new Set([...WORDS, ...COMMIT_TOOLS, 'prettier']),
  build: new Set([...WORDS, ...COMMIT_TOOLS, 'prettier']),
  lint: new Set([...WORDS, ...COMMIT_TOOLS]),
  format: new Set([...WORDS, ...COMMIT_TOOLS]),
  other: new Set(WORDS),
};

/** Whether a key of a manifest holds words for people, or settings of tools that tasks of a kind do not run. */
export function countsForNobody(key: string, kind: TaskKind): boolean {
  return NOBODY[kind].has(key);
}

/**
 * How the root looks to those who import or unpack it. `name`: who asked for the old name does so in the base, who asks for the new one
 * in the head. Not here: `type`, which decides how every configuration file beside it is read, and `imports`.
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

/** Known not to be read in order. In `exports`, in the tables of `jest`, and for all we know in an unknown key, the first match wins. */
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

/** All of them where only their order differs: of two that match the same dependency, Yarn takes the first. */
function diffResolutions(base: Manifest, head: Manifest): readonly string[] {
  const changed = keysOf(base, head, 'resolutions');
  const [before, after] = [base.raw['resolutions'], head.raw['resolutions']];
  if (changed.length > 0 || isSameValue(before, after, 'counts')) return changed;
  return isPlainObject(after) ? Object.keys(after).sort() : [];
}

/** The keys inside of a block whose values differ. */
function keysOf(base: Manifest, head: Manifest, block: string): readonly string[] {
  return changedKeys(base.raw[block], head.raw[block], () => 'is free');
}

import { findFilesWith } from '@tributary/git/grep';
import { indexLock, type LockIndex } from '@tributary/lockfile/lock-index';
import { pairsOf, peersOf } from '@tributary/lockfile/record';
import { differingRanges } from '@tributary/workspaces/lock/agreement';
import { type ChangedPackages, changedPackages } from '@tributary/workspaces/lock/changed-packages';
import { diffRootManifests } from '@tributary/workspaces/root-manifest-diff';
import { findInstallUser } from '../io/install-scripts.js';
import { type RootTexts, readRootTexts } from '../io/reading.js';
import { findActing } from '../observe/acting-packages.js';
import type { PackagesSince } from '../observe/judge-packages.js';
import { dependencySubject } from '../root-uses/subject.js';
import type { Use } from '../root-uses/uses.js';
import type { RootRules } from '../snapshot.js';
import { findUsers, type SearchScene } from './find-users.js';
import type { AffectedInputs } from './inputs.js';
import { readRootRules } from './root-rules.js';

/** Of the head. */
type Scene = Pick<AffectedInputs, 'texts' | 'files'> & Omit<SearchScene, 'rootManifest'> & Parameters<typeof findInstallUser>[1];

/**
 * Compares what is installed at the commit of an observation and at the head. It is known only for Yarn's linker `node-modules`, if nothing but
 * dependencies of the root manifest changed, and if no changed package acts without being read. Throws `GIT_FAILED`.
 */
export async function comparePackages(commit: string, scene: Scene): Promise<PackagesSince> {
  const texts = await readRootTexts(scene.git, commit, scene.place.project);
  const sides = await Promise.all([texts, scene.texts].map((one) => readSide(one, scene)));
  const [base, head] = sides;
  if (base === undefined || head === undefined) return { unknown: 'it is unknown what package.json and yarn.lock install' };
  const cause = manifestCause(base, head, scene) ?? (await hoistingCause([commit, scene.headTree], scene));
  if (cause !== undefined) return { unknown: cause };
  const packages = changedPackages(base, head);
  if ('unknown' in packages) return packages;
  const acting = findActing(packages) ?? (await findEarlyUse(packages, { ...scene, rootManifest: head.rootManifest }));
  return acting === undefined ? { packages } : { unknown: acting };
}

interface Side extends RootRules {
  readonly index: LockIndex;
  readonly resolutions: ReadonlyMap<string, string>;
  readonly catalogs: RootRules['settings']['catalogs'];
}

/** Returns `undefined` if it is unknown what is installed, and where. */
async function readSide(texts: RootTexts, { files }: Scene): Promise<Side | undefined> {
  const settings = texts['.yarnrc.yml'] ?? '';
  const index = indexLock(texts['yarn.lock'] ?? '');
  if (index.kind !== 'berry' || !/^nodeLinker:\s*(["']?)node-modules\1\s*$/m.test(settings) || /hoistingLimits/i.test(settings))
    return undefined;
  const rules = await readRootRules(texts, files);
  if ('all' in rules) return undefined;
  return { ...rules, index, resolutions: rules.rootManifest.resolutions, catalogs: rules.settings.catalogs };
}

function manifestCause(base: Side, head: Side, { kind }: Scene): string | undefined {
  const { all, rootItself, workspaces, resolutions, scripts } = diffRootManifests(base.rootManifest, head.rootManifest, kind);
  if (all !== undefined || rootItself.length + resolutions.length + scripts.length > 0 || workspaces === 'changed')
    return 'package.json changed in more than its dependencies';
  if (base.texts['.yarnrc.yml'] !== head.texts['.yarnrc.yml']) return '.yarnrc.yml changed, which acts without being read';
  if (metadataOf(base) !== metadataOf(head)) return 'yarn.lock was written by another version of Yarn';
  return [base, head].every(isCurrent) ? undefined : 'yarn.lock is older than package.json';
}

function metadataOf({ texts }: Side): string {
  return /^__metadata:\n(?: .*\n)*/m.exec(texts['yarn.lock'] ?? '')?.[0] ?? '';
}

function isCurrent({ index, rootManifest }: Side): boolean {
  const root = index.records.find(({ workspace }) => workspace === '');
  if (root === undefined) return false;
  const locked = { dependencies: new Map(pairsOf(root)), peerDependencies: new Map(peersOf(root)) };
  return differingRanges(rootManifest, locked).length === 0;
}

/** A workspace may keep its packages to itself, or have no link to itself. */
async function hoistingCause(trees: readonly string[], { git, place }: Scene): Promise<string | undefined> {
  for (const tree of trees) {
    const searched = { words: ['hoistingLimits', 'selfReferences'], project: place.project, within: ['package.json', '**/package.json'] };
    const { files, unreadable } = await findFilesWith(git, tree, searched);
    const [first] = [...files, ...unreadable];
    if (first !== undefined) return `${first} may limit where packages are installed`;
  }
  return undefined;
}

/** Returns what may use a changed package before the tests: an installation, a CI file that takes part, or a command for all workspaces. */
async function findEarlyUse({ leading }: ChangedPackages, scene: Scene & SearchScene): Promise<string | undefined> {
  const installs = await findInstallUser(leading, scene);
  if (installs !== undefined) return `a script of ${installs} may use a package that changed while dependencies are installed`;
  const { dependencies, devDependencies, optionalDependencies } = scene.rootManifest;
  const direct = new Set([dependencies, devDependencies, optionalDependencies].flatMap((block) => [...block.keys()]));
  const subjects = [...leading].filter(([name]) => direct.has(name)).map(([name, binaries]) => dependencySubject(name, binaries));
  const early: Use[] = [];
  const users = await findUsers(scene, subjects, (use) => {
    if (use.bearing.kind === 'pipeline' || use.bearing.kind === 'command') early.push(use);
    return early.length > 0;
  });
  if (early[0] !== undefined) return `${early[0].what} may use a package that changed before the tests`;
  return users.some(({ isPartial }) => isPartial) ? 'it is unknown what uses the packages that changed' : undefined;
}

import type { AllReason } from '@tributary/model/changeset';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockChange } from '@tributary/workspaces/lock/diff';
import type { RootManifestDiff } from '@tributary/workspaces/root-manifest-diff';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import { describeResolution } from '../describe.js';

interface RootQuestion {
  readonly joined: ChangedGraph;
  readonly base: DependencyGraph;
  readonly manifest: RootManifestDiff;
  readonly settings: SettingsDiff;
  /** The changed resolutions of the root's own dependencies. */
  readonly lock: readonly LockChange[];
  readonly resolutions: 'known' | 'unknown';
}

/** Returns the changed dependencies of the root that every workspace can use, without workspaces. Each once. */
export function sharedDependencies(question: RootQuestion): readonly string[] {
  const member = question.joined.graph.byPath.get('');
  if (member === undefined) return [];
  const isWorkspace = buildIsWorkspace(question, member);
  const asked = question.manifest.dependencies.filter((name) => !isWorkspace(name));
  const resolved = question.lock.filter((change) => !isBetweenWorkspaces(change)).map(({ dependency }) => dependency);
  return [...new Set([...resolved, ...asked])];
}

interface RootReasons {
  readonly found: readonly FoundReason[];
  readonly all: AllReason | undefined;
}

/**
 * Returns the effect of a change in the root package.json or its resolutions. Every workspace can use what the root installs without
 * declaring it, and a tool may load it by a name that nobody wrote, so a changed root dependency selects all. `shared`: one that no table
 * and no user knows to be the root's own.
 */
export function findRootReasons(question: RootQuestion & { readonly shared: string | undefined }): RootReasons {
  const { joined, manifest, lock, shared } = question;
  const member = joined.graph.byPath.get('');
  if (member === undefined) return { found: [], all: undefined };
  const found: FoundReason[] = [
    ...manifest.rootItself.map((key) => setting(member, key)),
    ...manifest.dependencies.map((name) => setting(member, `dependencies.${name}`)),
    ...lock.map(({ dependency, entry, from, to }) => ({
      member,
      reach: 'dependents' as const,
      reason: { kind: 'lockfile' as const, dependency, entry, from, to },
    })),
  ];
  return { found, all: shared === undefined ? unseenReason(question) : sharedReason(question, shared) };
}

/** Also for a changed range whose resolution did not change: the lockfile may be stale. */
function sharedReason({ lock }: RootQuestion, name: string): AllReason {
  const change = lock.find(({ dependency }) => dependency === name);
  const reason =
    change === undefined
      ? `The range of ${name} changed in the root package.json, and every workspace can use it.`
      : `The root depends on ${name}, which every workspace can use: ${describeResolution(change)}.`;
  return { code: 'ROOT_DEPENDENCY_CHANGED', reason, subject: name };
}

/** Returns the reason to select all if no lockfile says what these entries lead to. */
function unseenReason({ manifest, settings, resolutions }: RootQuestion): AllReason | undefined {
  if (resolutions === 'known') return undefined;
  const [resolution] = manifest.resolutions;
  if (resolution !== undefined)
    return { code: 'ROOT_MANIFEST_CHANGED', reason: `resolutions.${resolution} changed, and no lockfile shows which workspaces use it.` };
  const name = settings.catalogs[0]?.name ?? settings.packageExtensions[0];
  if (name === undefined) return undefined;
  return {
    code: 'YARN_SETTING_CHANGED',
    reason: `The settings of ${name} changed in .yarnrc.yml, and no lockfile shows which workspaces use it.`,
  };
}

/**
 * Returns a function that tells whether a name leads the root to a workspace. If it does not, the registry may have a package with the name
 * of one.
 */
function buildIsWorkspace({ joined, base }: RootQuestion, root: number): (name: string) => boolean {
  const { graph, memberOfBase } = joined;
  const members = new Map<string, number>();
  for (const [at, { name }] of base.members.entries()) members.set(name, memberOfBase[at] ?? -1);
  for (const [at, { name }] of graph.members.entries()) members.set(name, at);
  return (name) => (graph.dependents[members.get(name) ?? -1] ?? []).some(({ from, through }) => from === root && through === undefined);
}

/** The graph covers such changes. */
function isBetweenWorkspaces({ from, to }: LockChange): boolean {
  return [from, to].every((locator) => locator === null || locator.includes('@workspace:'));
}

function setting(member: number, key: string): FoundReason {
  return { member, reach: 'dependents', reason: { kind: 'setting', file: 'package.json', key } };
}

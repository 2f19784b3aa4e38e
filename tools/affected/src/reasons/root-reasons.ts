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
  /** What the root's own dependencies resolve to, where that changed. */
  readonly lock: readonly LockChange[];
  readonly resolutions: 'known' | 'unknown';
  /** Whether a dependency of the root counts for the root alone. */
  readonly isRootOnly: (name: string) => boolean;
}

interface RootReasons {
  readonly found: readonly FoundReason[];
  readonly all: AllReason | undefined;
}

/**
 * What a change of the root package.json, and of what its dependencies resolve to, means. Every workspace can use what the root installs
 * without naming it, so a changed dependency of the root counts for all; unless it is known for one that only the root uses.
 */
export function findRootReasons(question: RootQuestion): RootReasons {
  const { joined, manifest, lock, isRootOnly } = question;
  const place = joined.graph.byPath.get('');
  if (place === undefined) return { found: [], all: undefined };
  const isWorkspace = buildIsWorkspace(question, place);
  const asked = manifest.dependencies.find((name) => !isRootOnly(name) && !isWorkspace(name));
  const resolved = lock.find((change) => !isRootOnly(change.dependency) && !isBetweenWorkspaces(change));
  const found: FoundReason[] = [
    ...manifest.rootItself.map((key) => setting(place, key)),
    ...manifest.dependencies.map((name) => setting(place, `dependencies.${name}`)),
    ...lock.map(({ dependency, entry, from, to }) => ({
      place,
      reach: 'dependents' as const,
      reason: { kind: 'lockfile' as const, dependency, entry, from, to },
    })),
  ];
  return {
    found,
    all: resolved !== undefined ? sharedReason(resolved) : asked !== undefined ? askedReason(asked) : unseenReason(question),
  };
}

/** Whatever the lockfile says: it may not have caught up. */
function askedReason(name: string): AllReason {
  return {
    code: 'ROOT_DEPENDENCY_CHANGED',
    reason: `The range of ${name} changed in the root package.json, and every workspace can use it.`,
  };
}

/** Without a lockfile nobody knows what these lead to. */
function unseenReason({ manifest, settings, resolutions }: RootQuestion): AllReason | undefined {
  if (resolutions === 'known') return undefined;
  const [resolution] = manifest.resolutions;
  if (resolution !== undefined)
    return { code: 'ROOT_MANIFEST_CHANGED', reason: `resolutions.${resolution} changed, and no lockfile says whom that concerns.` };
  const name = settings.catalogs[0]?.name ?? settings.packageExtensions[0];
  if (name === undefined) return undefined;
  return { code: 'YARN_SETTING_CHANGED', reason: `.yarnrc.yml says something else of ${name}, and no lockfile says whom that concerns.` };
}

/** Whether the root gets a workspace under a name. Where it does not, the package of the registry may have the name of one. */
function buildIsWorkspace({ joined, base }: RootQuestion, root: number): (name: string) => boolean {
  const { graph, placeOfBase } = joined;
  const places = new Map<string, number>();
  for (const [at, { name }] of base.members.entries()) places.set(name, placeOfBase[at] ?? -1);
  for (const [at, { name }] of graph.members.entries()) places.set(name, at);
  return (name) => (graph.dependents[places.get(name) ?? -1] ?? []).some(({ from, through }) => from === root && through === undefined);
}

/** What comes of such a change is for the graph to say. */
function isBetweenWorkspaces({ from, to }: LockChange): boolean {
  return [from, to].every((locator) => locator === null || locator.includes('@workspace:'));
}

function setting(place: number, key: string): FoundReason {
  return { place, reach: 'dependents', reason: { kind: 'setting', file: 'package.json', key } };
}

function sharedReason({ dependency, from, to }: LockChange): AllReason {
  const what = describeResolution({ from, to });
  return { code: 'ROOT_DEPENDENCY_CHANGED', reason: `The root depends on ${dependency}, which every workspace can use: ${what}.` };
}

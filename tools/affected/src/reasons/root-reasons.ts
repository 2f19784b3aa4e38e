import type { AllReason } from '@tributary/model/changeset';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockChange } from '@tributary/workspaces/lock/diff';
import type { RootManifestDiff } from '@tributary/workspaces/root-manifest-diff';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import { describeResolution } from '../describe.js';
import type { RootUsers } from '../root-uses/uses.js';

interface RootQuestion {
  readonly joined: ChangedGraph;
  readonly base: DependencyGraph;
  readonly manifest: RootManifestDiff;
  readonly settings: SettingsDiff;
  /** What the root's own dependencies resolve to, where that changed. */
  readonly lock: readonly LockChange[];
  readonly resolutions: 'known' | 'unknown';
}

/** The dependencies of the root that changed and that every workspace may use; none that is a workspace. Each once. */
export function sharedDependencies(question: RootQuestion): readonly string[] {
  const place = question.joined.graph.byPath.get('');
  if (place === undefined) return [];
  const isWorkspace = buildIsWorkspace(question, place);
  const asked = question.manifest.dependencies.filter((name) => !isWorkspace(name));
  const resolved = question.lock.filter((change) => !isBetweenWorkspaces(change)).map(({ dependency }) => dependency);
  return [...new Set([...resolved, ...asked])];
}

interface RootReasons {
  readonly found: readonly FoundReason[];
  readonly all: AllReason | undefined;
}

/**
 * What a change of the root package.json, and of what its dependencies resolve to, means. Every workspace can use what the root installs
 * without naming it, so a changed dependency of the root counts for all; unless it is known for one that only the root uses.
 */
export function findRootReasons(question: RootQuestion & { readonly users: RootUsers }): RootReasons {
  const { joined, manifest, lock, users } = question;
  const place = joined.graph.byPath.get('');
  if (place === undefined) return { found: [], all: undefined };
  const found: FoundReason[] = [
    ...manifest.rootItself.map((key) => setting(place, key)),
    ...manifest.dependencies.map((name) => setting(place, `dependencies.${name}`, users.notes.get(name))),
    ...lock.map(({ dependency, entry, from, to }) => ({
      place,
      reach: 'dependents' as const,
      reason: { kind: 'lockfile' as const, dependency, entry, from, to, ...withNote(users.notes.get(dependency)) },
    })),
  ];
  return { found, all: users.shared === undefined ? unseenReason(question) : sharedReason(question, users.shared) };
}

/** Of a range that changed, whatever the lockfile says: it may not have caught up. */
function sharedReason({ lock }: RootQuestion, { name, evidence }: NonNullable<RootUsers['shared']>): AllReason {
  const change = lock.find(({ dependency }) => dependency === name);
  const reason =
    change === undefined
      ? `The range of ${name} changed in the root package.json, and every workspace can use it (${evidence}).`
      : `The root depends on ${name}, which every workspace can use (${evidence}): ${describeResolution(change)}.`;
  return { code: 'ROOT_DEPENDENCY_CHANGED', reason, subject: name };
}

/** Without a lockfile nobody knows what these lead to. */
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

function setting(place: number, key: string, note?: string): FoundReason {
  return { place, reach: 'dependents', reason: { kind: 'setting', file: 'package.json', key, ...withNote(note) } };
}

function withNote(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

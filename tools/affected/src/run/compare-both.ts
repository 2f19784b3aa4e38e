import { joinGraphs } from '@tributary/workspaces/join-graphs';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { diffRootManifests } from '@tributary/workspaces/root-manifest-diff';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import { lockGraphOf } from '../reasons/lock-graph.js';
import { findLockReasons } from '../reasons/lock-reasons.js';
import { findRootReasons } from '../reasons/root-reasons.js';
import type { Snapshot } from '../snapshot.js';
import type { SidesCompared } from './compare-sides.js';
import type { AffectedInputs } from './inputs.js';

/** Compares two commits whose graphs, lockfiles or root files may differ. */
export async function compareBoth(
  { files, config }: Pick<AffectedInputs, 'files' | 'config'>,
  { base, head }: { readonly base: Snapshot; readonly head: Snapshot },
): Promise<SidesCompared> {
  const lockGraph = lazyLockGraph(head);
  // Of the base's links through packages none is needed: where one is gone, what the workspace resolves to has changed.
  const joined = joinGraphs(base.graph, head.graph);
  const settings = await compareSettings(base, head);
  const manifest = diffRootManifests(base.rootManifest, head.rootManifest);
  const changed = new Set<string>(files.map(({ path }) => path));
  const lock = findLockReasons({ base, head, joined, files, lockGraph });
  const root = findRootReasons({
    joined,
    base: base.graph,
    manifest,
    settings,
    lock: lock.root,
    resolutions: lock.resolutions,
    rootOnly: config.rootOnlyDependencies,
  });
  return {
    joined,
    base: base.graph,
    found: [...lock.found, ...root.found],
    answered: new Set([...['yarn.lock', 'package.json', '.yarnrc.yml'].filter((file) => changed.has(file)), ...lock.answered]),
    linked: [...base.linked, ...head.linked],
    before: base.texts,
    lockGraph,
    all: settings.all ?? manifest.all ?? lock.all ?? root.all,
  };
}

async function compareSettings(base: Snapshot, head: Snapshot): Promise<SettingsDiff> {
  if (base.texts['.yarnrc.yml'] === head.texts['.yarnrc.yml']) return { all: undefined, catalogs: [], packageExtensions: [], ignored: [] };
  const { diffYarnSettings } = await import('@tributary/workspaces/yarn-settings');
  return diffYarnSettings(base.settings, head.settings);
}

/** Builds the graph of the head's lockfile once, when it is first needed. */
function lazyLockGraph(head: Snapshot): () => LockGraph | undefined {
  let known: { readonly graph: LockGraph | undefined } | undefined;
  return () => {
    known ??= { graph: lockGraphOf(head) };
    return known.graph;
  };
}

import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { diffRootManifests } from '@tributary/workspaces/root-manifest-diff';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import { lockGraphOf } from '../reasons/lock-graph.js';
import { findLockReasons } from '../reasons/lock-reasons.js';
import { findRootReasons } from '../reasons/root-reasons.js';
import type { Snapshot } from '../snapshot.js';
import { PACKAGE_FILES, type RootFilesCompared } from './compare-sides.js';
import type { AffectedInputs } from './inputs.js';

/** Compares the lockfiles, root manifests and settings of two commits, and looks for those who use a patch that changed. */
export async function compareRootFiles(
  { files, config, taskKind = 'test' }: Pick<AffectedInputs, 'files' | 'config' | 'taskKind'>,
  { base, head }: { readonly base: Snapshot; readonly head: Snapshot },
  joined: ChangedGraph,
): Promise<RootFilesCompared> {
  const lockGraph = lazyLockGraph(head);
  const settings = await compareSettings(base, head);
  const manifest = diffRootManifests(base.rootManifest, head.rootManifest, taskKind);
  const changed = new Set<string>(files.map(({ path }) => path));
  const lock = findLockReasons({ base, head, joined, files, lockGraph });
  const root = findRootReasons({
    joined,
    base: base.graph,
    manifest,
    settings,
    lock: lock.root,
    resolutions: lock.resolutions,
    isRootOnly: manifest.dependencies.length + lock.root.length === 0 ? () => false : await loadRootOnly(config, taskKind),
  });
  return {
    found: [...lock.found, ...root.found],
    answered: new Set([...PACKAGE_FILES.filter((file) => changed.has(file)), ...lock.answered]),
    lockGraph,
    all: settings.all ?? manifest.all ?? lock.all ?? root.all,
  };
}

/** Mostly nothing of the root changed, and nobody is asked about. */
async function loadRootOnly({ rootOnlyDependencies }: AffectedInputs['config'], kind: TaskKind): Promise<(name: string) => boolean> {
  const { buildRootOnly } = await import('@tributary/workspaces/root-dependencies');
  return buildRootOnly(rootOnlyDependencies, kind);
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

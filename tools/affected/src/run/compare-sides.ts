import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import type { FoundReason } from '@tributary/workspaces/affected';
import { type JoinedGraph, joinGraphs, unchangedGraph } from '@tributary/workspaces/joined-graph';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import type { MemberGraph } from '@tributary/workspaces/members';
import { diffRootManifests } from '@tributary/workspaces/root-manifest-diff';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import type { RootTexts } from '../io/reading.js';
import { lockGraphOf } from '../reasons/lock-graph.js';
import { findLockReasons } from '../reasons/lock-reasons.js';
import { findRootReasons } from '../reasons/root-reasons.js';
import type { Snapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import type { Sides } from './read-sides.js';

/** What the two commits tell together. */
export interface SidesCompared {
  readonly joined: JoinedGraph;
  readonly base: MemberGraph;
  readonly found: readonly FoundReason[];
  readonly answered: ReadonlySet<string>;
  readonly linked: readonly RepoFolder[];
  /** The texts of the base; `undefined` where it is the same. */
  readonly before: RootTexts | undefined;
  readonly all: AllReason | undefined;
}

/** Compares the two sides. `lockGraph` is that of the head. */
export async function compareSides(
  inputs: Pick<AffectedInputs, 'files' | 'config'>,
  sides: Exclude<Sides, { kind: 'all' }>,
  lockGraph: () => LockGraph | undefined,
): Promise<SidesCompared> {
  if (sides.kind === 'both') return compareBoth(inputs, sides, lockGraph);
  const { graph, linked } = sides.head;
  return { joined: unchangedGraph(graph), base: graph, found: [], answered: new Set(), linked, before: undefined, all: undefined };
}

/** The same with another graph of the head: one that has more edges. */
export function withHeadGraph(compared: SidesCompared, sides: Sides, graph: MemberGraph): SidesCompared {
  if (sides.kind === 'both') return { ...compared, joined: joinGraphs(sides.base.graph, graph) };
  return { ...compared, joined: unchangedGraph(graph), base: graph };
}

async function compareBoth(
  { files, config }: Pick<AffectedInputs, 'files' | 'config'>,
  { base, head }: { readonly base: Snapshot; readonly head: Snapshot },
  lockGraph: () => LockGraph | undefined,
): Promise<SidesCompared> {
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
    all: settings.all ?? manifest.all ?? lock.all ?? root.all,
  };
}

async function compareSettings(base: Snapshot, head: Snapshot): Promise<SettingsDiff> {
  if (base.texts['.yarnrc.yml'] === head.texts['.yarnrc.yml']) return { all: undefined, catalogs: [], packageExtensions: [], ignored: [] };
  const { diffYarnSettings } = await import('@tributary/workspaces/yarn-settings');
  return diffYarnSettings(base.settings, head.settings);
}

/** Builds the graph of the head's lockfile once, when it is first needed. */
export function lazyLockGraph(head: Snapshot): () => LockGraph | undefined {
  let known: { readonly graph: LockGraph | undefined } | undefined;
  return () => {
    known ??= { graph: lockGraphOf(head) };
    return known.graph;
  };
}

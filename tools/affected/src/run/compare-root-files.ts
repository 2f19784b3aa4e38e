import { readNamedBlobs } from '@tributary/git/objects';
import type { AllReason } from '@tributary/model/changeset';
import type { FoundReason } from '@tributary/workspaces/affected';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { LockGraph } from '@tributary/workspaces/lock/graph';
import { diffRootManifests } from '@tributary/workspaces/root-manifest-diff';
import { findScriptCallers, withScriptCallers } from '@tributary/workspaces/root-scripts';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import { lockGraphOf } from '../reasons/lock-graph.js';
import { findLockReasons } from '../reasons/lock-reasons.js';
import { findRootReasons, sharedDependencies } from '../reasons/root-reasons.js';
import type { Snapshot } from '../snapshot.js';
import { type ComparedInputs, PACKAGE_FILES, type RootFilesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';

/** Compares the lockfiles, root manifests and settings of two commits, and finds the users of changed patches. */
export async function compareRootFiles(
  inputs: ComparedInputs,
  { base, head }: { readonly base: Snapshot; readonly head: Snapshot },
  joined: ChangedGraph,
): Promise<RootFilesCompared> {
  const { files, taskKind = 'test' } = inputs;
  const lockGraph = lazyLockGraph(head);
  const settings = await compareSettings(base, head);
  const manifest = diffRootManifests(base.rootManifest, head.rootManifest, taskKind);
  const changed = new Set<string>(files.map(({ path }) => path));
  const lock = findLockReasons({ base, head, joined, files, lockGraph });
  const question = { joined, base: base.graph, manifest, settings, lock: lock.root, resolutions: lock.resolutions };
  const root = findRootReasons({ ...question, shared: await findShared(inputs, sharedDependencies(question)) });
  return {
    found: [...lock.found, ...root.found, ...scriptReasons(manifest.scripts, { base, head }, joined)],
    answered: new Set([...PACKAGE_FILES.filter((file) => changed.has(file)), ...lock.answered]),
    lockGraph,
    // That every workspace can use a package comes last.
    all: settings.all ?? manifest.all ?? lock.all ?? (await rootTaskReason(inputs, manifest.scripts, [base, head])) ?? root.all,
  };
}

/** A task that depends on a root task, by a turbo.json of the root or of a workspace, runs that script first. */
async function rootTaskReason(
  { git }: Pick<AffectedInputs, 'git'>,
  changed: readonly string[],
  sides: readonly Snapshot[],
): Promise<AllReason | undefined> {
  if (changed.length === 0) return undefined;
  const own = sides.flatMap(({ project }) => project?.tracked(/\/turbo\.jsonc?$/) ?? []).map(({ id }) => id);
  const texts = (await readNamedBlobs(git, [...new Set<string>(own)])).map((blob) => blob?.toString('utf8') ?? '');
  const root = sides.flatMap(({ texts: { 'turbo.json': json, 'turbo.jsonc': jsonc } }) => [json ?? '', jsonc ?? '']);
  const all = [...root, ...texts].join('\n');
  const scripts = withScriptCallers(
    changed,
    sides.map(({ rootManifest }) => rootManifest),
  );
  // As a key, it only defines the task.
  const script = scripts.find((name) =>
    all
      .split(`"//#${name}"`)
      .slice(1)
      .some((rest) => !/^\s*:/.test(rest)),
  );
  if (script === undefined) return undefined;
  const reason = `The script ${script} of the root package.json changed, and tasks of turbo.json depend on it (//#${script}).`;
  return { code: 'ROOT_MANIFEST_CHANGED', reason };
}

/** Returns the workspaces whose scripts call a changed root script. If one changed, the manifests of the head have been read. */
function scriptReasons(
  changed: readonly string[],
  { base, head }: { readonly base: Snapshot; readonly head: Snapshot },
  { graph }: ChangedGraph,
): readonly FoundReason[] {
  if (changed.length === 0) return [];
  const manifests = { base: base.rootManifest, head: head.rootManifest, workspaces: head.project?.workspaces ?? [] };
  return findScriptCallers(changed, manifests).flatMap(({ workspace, script }): readonly FoundReason[] => {
    const member = graph.byPath.get(workspace.path);
    const reason = { kind: 'setting', file: 'package.json', key: `scripts.${script}` } as const;
    return member === undefined ? [] : [{ member, reach: 'dependents', reason }];
  });
}

/** Returns the first of some root dependencies that workspaces may use: neither the table nor tributary.json knows it as the root's own. */
async function findShared({ config, taskKind }: ComparedInputs, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const { buildRootOnly } = await import('@tributary/workspaces/root-dependencies');
  const isRootOnly = buildRootOnly(config.rootOnlyDependencies, taskKind);
  return names.find((name) => !isRootOnly(name));
}

async function compareSettings(base: Snapshot, head: Snapshot): Promise<SettingsDiff> {
  if (base.texts['.yarnrc.yml'] === head.texts['.yarnrc.yml']) return { all: undefined, catalogs: [], packageExtensions: [], ignored: [] };
  const { diffYarnSettings } = await import('@tributary/workspaces/yarn-settings');
  return diffYarnSettings(base.settings, head.settings);
}

/** Returns a function that builds the head's lock graph once, on demand. */
function lazyLockGraph(head: Snapshot): () => LockGraph | undefined {
  let known: { readonly graph: LockGraph | undefined } | undefined;
  return () => {
    known ??= { graph: lockGraphOf(head) };
    return known.graph;
  };
}

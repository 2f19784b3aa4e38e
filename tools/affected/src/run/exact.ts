import type { AllReason } from '@tributary/model/changeset';
import type { CommitId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { type AffectedQuestion, decideAffected, type FoundReason } from '@tributary/workspaces/affected';
import { type JoinedGraph, joinGraphs, unchangedGraph } from '@tributary/workspaces/joined-graph';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import type { MemberGraph } from '@tributary/workspaces/members';
import { diffRootManifests, type RootManifestDiff } from '@tributary/workspaces/root-manifest-diff';
import { liesInUnlisted } from '@tributary/workspaces/unlisted';
import type { SettingsDiff } from '@tributary/workspaces/yarn-settings';
import { isManifest, needsExactReading } from '../changed-files.js';
import { ROOT_FILES, type RootTexts, readRootTexts } from '../io/reading.js';
import { readRootTextsWithoutGit } from '../io/reading-without-git.js';
import { findLockReasons } from '../reasons/lock-reasons.js';
import { lockGraphOf } from '../reasons/lock-side.js';
import { withPackageLinks } from '../reasons/package-links.js';
import { findRootReasons } from '../reasons/root-reasons.js';
import type { GraphSource, Side, Unreadable } from '../side.js';
import { loadRules } from './config.js';
import { readBase, readSide } from './side.js';
import type { Decision, Situation } from './situation.js';

/**
 * Decides where the graph may have changed, or cannot be read from the lockfile alone: reads both commits and compares them. Whatever
 * cannot be read or compared makes the answer "all", with the reason. Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME` and
 * `TARGET_NOT_A_MONOREPO` for the head alone, where nobody else would say it.
 */
export async function decideExactly(situation: Situation): Promise<Decision> {
  const decision = await decideFrom(situation);
  // Who "all" are is for the manifests to say: the lockfile may not know the newest of them, and then nobody would test it.
  if (decision.answer.all === null || situation.graphSource === 'manifests') return decision;
  const head = await readSide(situation, situation.headTree, { texts: situation.texts, source: 'manifests' });
  return 'all' in head ? decision : decideAll(head.graph, situation, decision.answer.all);
}

async function decideFrom(situation: Situation): Promise<Decision> {
  const { files, texts, headTree, mergeBase } = situation;
  const head = await readSide(situation, headTree, { texts, source: sourceOf(situation, texts) });
  if ('all' in head) return decideAll(await readUnderDuress(situation), situation, head.all);
  if (head.workspaces === undefined && liesInUnlisted(files, texts['package.json'], head.graph))
    return decideFrom({ ...situation, graphSource: 'manifests' });
  if (situation.all !== undefined) return decideAll(head.graph, situation, situation.all);
  // There are dependencies that only the lockfile knows.
  if (head.lockProblem !== undefined) return decideAll(head.graph, situation, unreadableLock(head.lockProblem));
  if (files.some(({ path }) => path === 'tributary.json')) return decideAll(head.graph, situation, CONFIG_CHANGED);
  if (!needsExactReading(files)) return decideBy(situation, head, unchanged(head));
  if (mergeBase === null) return decideAll(head.graph, situation, baseNotHere(situation));
  const base = await readBaseOf(situation, mergeBase);
  if ('all' in base) return decideAll(head.graph, situation, base.all);
  if (base.lockProblem !== undefined) return decideAll(head.graph, situation, unreadableLock(base.lockProblem));
  // No manifest changed, so a lockfile that names other workspaces than before was cut off or mended by hand: the manifests know better.
  if (head.workspaces === undefined && !haveSameMembers(base, head)) return decideFrom({ ...situation, graphSource: 'manifests' });
  return decideBy(situation, head, await compareSides(situation, base, head));
}

async function readBaseOf(situation: Situation, mergeBase: CommitId): Promise<Side | Unreadable> {
  const { git, place } = situation;
  const texts = readRootTextsWithoutGit(place, mergeBase) ?? (await readRootTexts(git, mergeBase, place.project));
  return readBase(situation, mergeBase, { texts, source: sourceOf(situation, texts) });
}

function unreadableLock(problem: string): AllReason {
  return { code: 'LOCKFILE_UNREADABLE', reason: `yarn.lock cannot be read: ${problem}.` };
}

function haveSameMembers(base: Side, head: Side): boolean {
  const { byPath } = head.graph;
  return byPath.size === base.graph.byPath.size && base.graph.members.every(({ path }) => byPath.has(path));
}

const CONFIG_CHANGED: AllReason = {
  code: 'CONFIG_CHANGED',
  reason: 'tributary.json changed: the rules of the change itself must not decide what is tested.',
};

/** The lockfile gives the graph unless a manifest or a setting changed, which it may not have caught up with. */
function sourceOf({ files, config, graphSource }: Situation, texts: RootTexts): GraphSource {
  if (graphSource === 'manifests' || texts['yarn.lock'] === undefined || config.dev === 'terminal') return 'manifests';
  return files.some(({ path }) => isManifest(path) || path === '.yarnrc.yml') ? 'manifests' : 'lockfile';
}

/** The workspaces for an answer that is "all" anyway, where a setting cannot be read, or manifests that lie in a submodule. */
async function readUnderDuress(situation: Situation): Promise<MemberGraph> {
  const texts = { ...situation.texts, '.yarnrc.yml': undefined };
  const side = await readSide(situation, situation.headTree, { texts, source: 'manifests' });
  if (!('all' in side)) return side.graph;
  const lock = readLockMembers(situation.texts['yarn.lock'] ?? '');
  if (lock.kind !== 'berry') throw new Error(`the workspaces could not be read: ${side.all.reason}`);
  return lock.graph;
}

function baseNotHere({ files }: Situation): AllReason {
  const file = files.find(({ path, kind }) => needsExactReading([{ path, kind, status: 'modified' }]))?.path ?? '';
  return { code: 'BASE_UNKNOWN', reason: `${file} changed, and what it was before is not in this clone.` };
}

/** What both sides say together. */
interface Comparison {
  readonly joined: JoinedGraph;
  readonly base: MemberGraph;
  readonly found: readonly FoundReason[];
  readonly answered: ReadonlySet<string>;
  readonly linked: readonly RepoFolder[];
  /** The texts of the base; `undefined` where it is the same. */
  readonly before: RootTexts | undefined;
  readonly all: AllReason | undefined;
}

function unchanged(head: Side): Comparison {
  const graph = withPackageLinks(head, lockGraphOf(head));
  return {
    joined: unchangedGraph(graph),
    base: graph,
    found: [],
    answered: new Set(),
    linked: head.linked,
    before: undefined,
    all: undefined,
  };
}

async function compareSides({ files, config }: Situation, base: Side, head: Side): Promise<Comparison> {
  const lockGraph = lockGraphOf(head);
  // Of the base's links through packages none is needed: where one is gone, what the workspace resolves to has changed.
  const joined = joinGraphs(base.graph, withPackageLinks(head, lockGraph));
  const settings = await compareSettings(base, head);
  const manifest: RootManifestDiff = diffRootManifests(base.rootManifest, head.rootManifest);
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

async function compareSettings(base: Side, head: Side): Promise<SettingsDiff> {
  if (base.texts['.yarnrc.yml'] === head.texts['.yarnrc.yml']) return { all: undefined, catalogs: [], packageExtensions: [], ignored: [] };
  const { diffYarnSettings } = await import('@tributary/workspaces/yarn-settings');
  return diffYarnSettings(base.settings, head.settings);
}

async function decideBy(situation: Situation, head: Side, comparison: Comparison): Promise<Decision> {
  const { files, config } = situation;
  const known = { ...comparison, files, rules: await loadRules(situation, comparison.linked, comparison.before), always: config.always };
  if (config.dev === 'transitive') return answered({ ...known, policy: { dev: config.dev } });
  const { terminalPolicy, namePassed } = await import('./terminal-policy.js');
  const policy = await terminalPolicy(situation, head);
  const decision = answered({ ...known, policy });
  return { ...decision, warnings: namePassed(decision.answer, policy) };
}

async function decideAll(graph: MemberGraph, situation: Situation, all: AllReason): Promise<Decision> {
  const { files, config } = situation;
  const known = { joined: unchangedGraph(graph), base: graph, found: [], answered: new Set<string>(ROOT_FILES), all };
  // The files are asked about all the same, for the list of those that no rule claims.
  return answered({ ...known, files, rules: await loadRules(situation, []), always: config.always, policy: { dev: 'transitive' } });
}

function answered(question: AffectedQuestion): Decision {
  return { question, answer: decideAffected(question) };
}

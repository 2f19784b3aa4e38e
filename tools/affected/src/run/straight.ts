import { changedFile, HEAD, parseRevision, type Revision } from '@tributary/git/changeset';
import { type Git, plumbing } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { type AffectedQuestion, decideAffected, type FoundReason } from '@tributary/workspaces/affected';
import { mayHoldMore } from '@tributary/workspaces/deeper-patterns';
import { unchangedGraph } from '@tributary/workspaces/joined-graph';
import type { BerryMembers } from '@tributary/workspaces/lock/berry-members';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { asksFromOutside, isNamedInExtensions, isResolvedTo } from '@tributary/workspaces/lock/outside';
import { type MemberGraph, ownerPlace } from '@tributary/workspaces/members';
import { needsExactReading, seenFromProject } from '../changed-files.js';
import { locate, type Place } from '../io/locate.js';
import { ROOT_FILES, type RootTexts, readRootTexts, startReading } from '../io/reading.js';
import { type Read, readRootTextsWithoutGit, readWithoutGit } from '../io/reading-without-git.js';
import { type AffectedResult, buildResult } from '../result.js';
import { loadRules, readConfig } from './config.js';
import type { AffectedRequest } from './request.js';
import type { Decision, Situation } from './situation.js';

/** The answer where nothing has to be looked for or fetched; `undefined` where it has. For the start of the program alone. */
export async function answerStraight(request: AffectedRequest): Promise<AffectedResult | undefined> {
  const situation = await gatherStraight(request);
  return situation === undefined ? undefined : decide(situation);
}

export async function decide(situation: Situation): Promise<AffectedResult> {
  const { answer, warnings = [] } = await decideSituation(situation);
  return buildResult(answer, { ...situation, warnings: [...situation.warnings, ...warnings] });
}

/** Decides on what was gathered: from the lockfile of the head where that is enough, else from both commits. Throws as `decideExactly`. */
export async function decideSituation(situation: Situation): Promise<Decision> {
  const quick = await decideQuickly(situation);
  if (quick !== undefined) return quick;
  const { decideExactly } = await import('./exact.js');
  return decideExactly(situation);
}

/** The common case: a base that was given, and one merge base with it. `undefined` for everything else. */
export async function gatherStraight(request: AffectedRequest): Promise<Situation | undefined> {
  const { base, head, filesFrom, pullRequest, uncommitted } = request;
  if (base === undefined || filesFrom !== undefined || pullRequest !== undefined || uncommitted === 'with') return undefined;
  return readStraight(locate(request.cwd), { base: parseRevision(base), head: head === undefined ? HEAD : parseRevision(head) });
}

/** `undefined` if a commit is missing, or if there is not exactly one merge base. */
export async function readStraight(
  place: Place,
  commits: { readonly base: Revision; readonly head: Revision },
): Promise<Situation | undefined> {
  const git = plumbing(place.gitDir);
  const read = readWithoutGit(place, commits) ?? (await readByGit(git, place, commits));
  const mergeBase = read?.comparison.mergeBases[0];
  if (read === undefined || mergeBase === undefined) return undefined;
  const { comparison, changes, texts, laidLock } = read;
  const { base, head } = comparison;
  const files = seenFromProject(changes.map(changedFile), place.project);
  const found = { git, place, base, head, headTree: head, mergeBase, files, all: undefined, texts, laidLock, warnings: [] };
  return { ...found, config: await readConfig(texts) };
}

async function readByGit(git: Git, place: Place, commits: { readonly base: Revision; readonly head: Revision }): Promise<Read | undefined> {
  const reading = startReading(git, place, commits);
  const [comparison, changes] = await Promise.all([reading.comparison, reading.changes]);
  if (comparison === undefined || changes === undefined || comparison.mergeBases.length !== 1) return undefined;
  return { comparison, changes, texts: await reading.texts };
}

/** Rules for files of workspaces too; the built-in ones are for the rest. Looking for the words is quicker than reading the file. */
function hasRulesForAll({ config, texts }: Situation): boolean {
  return config.rules.length > 0 || /"global(?:Dependencies)?"/.test(`${texts['turbo.json'] ?? ''}${texts['turbo.jsonc'] ?? ''}`);
}

async function mayLieInUnlisted({ files, texts, git, headTree, place }: Situation, graph: MemberGraph): Promise<boolean> {
  const { unlistedFolders } = await import('@tributary/workspaces/unlisted');
  const folders = unlistedFolders(files, texts['package.json'], graph);
  // Patterns such as `packages/**` cover every folder; the workspaces among them hold a manifest. One that went would be among the changes.
  const names = folders.map((folder) => `${headTree}:${place.project === '' ? '' : `${place.project}/`}${folder}/package.json`);
  return (await resolveNames(git, names)).some((found) => found !== undefined);
}

async function decideByManifests(situation: Situation): Promise<Decision> {
  const { decideExactly } = await import('./exact.js');
  return decideExactly({ ...situation, graphSource: 'manifests' });
}

interface LockChange {
  readonly found: readonly FoundReason[];
  readonly answered: ReadonlySet<string>;
}

const NO_LOCK_CHANGE: LockChange = { found: [], answered: new Set() };

/** `undefined` also where another root file differs. */
async function readLockChange(situation: Situation, members: BerryMembers): Promise<LockChange | undefined> {
  const before = await readTextsBefore(situation);
  if (before === undefined || ROOT_FILES.some((file) => file !== 'yarn.lock' && before[file] !== situation.texts[file])) return undefined;
  const { findLockChange } = await import('./lock-change.js');
  const change = await findLockChange(situation, { before: before['yarn.lock'] ?? '', members });
  return change && { found: change.found, answered: new Set(['yarn.lock', ...change.answered]) };
}

async function readTextsBefore({ git, place, mergeBase }: Situation): Promise<RootTexts | undefined> {
  if (mergeBase === null) return undefined;
  return readRootTextsWithoutGit(place, mergeBase) ?? (await readRootTexts(git, mergeBase, place.project));
}

/** For a change that leaves the graph as it is: the lockfile of the head, and what changed in it. `undefined` where more must be read. */
async function decideQuickly(situation: Situation): Promise<Decision | undefined> {
  const { files, texts, config, all } = situation;
  const lock = situation.laidLock ?? texts['yarn.lock'];
  const others = files.filter(({ path }) => path !== 'yarn.lock');
  if (all !== undefined || lock === undefined || config.dev === 'terminal' || needsExactReading(others)) return undefined;
  if (others.some(({ path }) => path === 'tributary.json')) return undefined;
  const members = readLockMembers(lock);
  if (members.kind !== 'berry') return undefined;
  const { graph } = members;
  const lockChange = others.length < files.length ? await readLockChange(situation, members) : NO_LOCK_CHANGE;
  if (lockChange === undefined) return undefined;
  const root = graph.byPath.get('');
  const hasOutside = others.some(({ path }) => path.startsWith('../') || ownerPlace(graph, path) === root);
  const question: AffectedQuestion = {
    joined: unchangedGraph(graph),
    base: graph,
    files,
    answered: lockChange.answered,
    rules: hasOutside || hasRulesForAll(situation) ? await loadRules(situation, members.linked) : () => undefined,
    found: lockChange.found,
    always: config.always,
    policy: { dev: 'transitive' },
    all,
  };
  const answer = decideAffected(question);
  const owners = new Set(others.map(({ path }) => graph.members[ownerPlace(graph, path) ?? -1]?.path));
  const mayBeUnlisted = hasOutside || mayHoldMore(texts['package.json'], [...owners]);
  if (answer.all !== null || (mayBeUnlisted && (await mayLieInUnlisted(situation, graph)))) return decideByManifests(situation);
  return decideThroughPackages(situation, members, { question, answer });
}

/** Third-party packages may lead from one workspace to another. `undefined` where the whole lockfile must be read to know it. */
async function decideThroughPackages(situation: Situation, members: BerryMembers, decision: Decision): Promise<Decision | undefined> {
  const { texts } = situation;
  const { members: found } = decision.answer;
  if (isNamedInExtensions(texts['.yarnrc.yml'], found)) return undefined;
  if (!asksFromOutside(members, found) && !isResolvedTo(members, found, texts)) return decision;
  const { findLinkedGraph } = await import('./linked-graph.js');
  const graph = await findLinkedGraph(situation, members, found);
  if (graph === undefined || graph === members.graph) return graph && decision;
  const question = { ...decision.question, joined: unchangedGraph(graph), base: graph };
  const answer = decideAffected(question);
  return isNamedInExtensions(texts['.yarnrc.yml'], answer.members) ? undefined : { question, answer };
}

import type { AllReason } from '@tributary/model/changeset';
import { type AffectedAnswer, type AffectedQuestion, decideAffected, spreadingMembers } from '@tributary/workspaces/affected';
import { type DependencyEdge, type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { moveEdge, unchangedGraph, withMoreEdges } from '@tributary/workspaces/join-graphs';
import type { EdgeSides } from '@tributary/workspaces/reading-edges';
import { isComparedByValue } from '../changed-files.js';
import { ROOT_FILES } from '../io/reading.js';
import { mayLeadThroughPackages } from '../reasons/may-lead.js';
import type { Snapshot } from '../snapshot.js';
import { compareSides, unchanged } from './compare-sides.js';
import type { SidesCompared } from './compared.js';
import { loadRules } from './config.js';
import type { ReferencesFollowed } from './follow-references.js';
import type { AffectedInputs } from './inputs.js';
import { haveSameMembers, readSides, type SidesOrAll, type SidesRead } from './read-sides.js';

/** An answer with its question. */
export interface AffectedDecision {
  readonly question: AffectedQuestion;
  readonly answer: AffectedAnswer;
  readonly warnings: readonly string[];
  /** The head, as far as it was read; `undefined` if it was unreadable. */
  readonly head: Snapshot | undefined;
}

/**
 * Decides which workspaces a change can affect: it reads both commits as far as needed, compares them, and asks `decideAffected`. Anything
 * unreadable or not comparable selects every workspace, with the reason. Throws the errors of `readSides`.
 */
export async function decide(given: AffectedInputs): Promise<AffectedDecision> {
  const edges = await edgeSidesOf(given);
  const inputs: Inputs = { ...given, edges, all: given.all ?? (edges === undefined ? CONFIG_CHANGED : undefined) };
  const sides = await readSides(inputs);
  const decision = sides.kind === 'all' ? await askForAll(inputs, sides, new Set()) : await askFurther(inputs, sides);
  const named = decision.answer.all === null ? decision : await nameAll(inputs, sides, decision);
  const { warnings } = decision;
  return { ...named, warnings: named.head?.project?.hasLockfile === false ? [...warnings, NO_LOCKFILE] : warnings };
}

const NO_LOCKFILE = 'There is no lockfile, so the resolutions of third-party packages are unknown.';

/**
 * Asks, and asks again if third-party packages may lead further. Nearly every change is answered at once, without reading the whole lockfile.
 */
async function askFurther(inputs: Inputs, sides: SidesRead): Promise<AffectedDecision> {
  const { head } = sides;
  const plain = await compareSides(inputs, sides);
  const first = await ask(inputs, head, plain);
  // The sources of the workspaces are read only if they may change the answer.
  if (inputs.files.length === 0 || (isForAll(first) && !mayNarrow(first))) return first;
  const { followReferences } = await import('./follow-references.js');
  const followed = await followReferences(inputs, sides, plain);
  return { ...(await askFollowed(inputs, sides, followed)), warnings: followed.warnings };
}

async function askFollowed(inputs: Inputs, sides: SidesRead, { compared, whyForAll }: ReferencesFollowed): Promise<AffectedDecision> {
  const { head } = sides;
  const direct = await ask(inputs, head, compared);
  const whole =
    isForAll(direct) || !mayLeadThroughPackages(head, direct.answer.members)
      ? compared
      : withMore(compared, await linksOf(sides, compared));
  const decision = whole === compared ? direct : await ask(inputs, head, whole);
  if (isForAll(decision)) return decision;
  const all = rootWorkspaces(whole.joined.graph, decision)
    .map(whyForAll)
    .find((reason) => reason !== undefined);
  return all === undefined ? decision : ask(inputs, head, { ...whole, all });
}

function isForAll({ answer }: AffectedDecision): boolean {
  return answer.all !== null;
}

/** Whether references may tell who reads the file because of which everybody is selected, or what in it changed. */
function mayNarrow({ answer: { all } }: AffectedDecision): boolean {
  return all?.code === 'FILE_UNCLAIMED' || (all?.code === 'RULE' && isComparedByValue(all.subject ?? ''));
}

function withMore(compared: SidesCompared, edges: readonly DependencyEdge[]): SidesCompared {
  return { ...compared, joined: withMoreEdges(compared.joined, edges) };
}

/** Returns the edges that lead through third-party packages. */
async function linksOf(sides: SidesRead, { joined, lockGraph }: SidesCompared): Promise<readonly DependencyEdge[]> {
  const { packageLinks } = await import('../reasons/lock-graph.js');
  const links = packageLinks(sides.head, lockGraph?.());
  if (sides.kind === 'unchanged' || haveSameMembers(sides.base, sides.head)) return links;
  // If a workspace was removed and the lockfile is older, only the base knows who got it through packages.
  return [...links, ...packageLinks(sides.base).map((edge) => moveEdge(edge, joined.memberOfBase))];
}

/** Returns, by index, the selected workspaces that the root itself depends on, so that every workspace can resolve them from the root. */
function rootWorkspaces(graph: DependencyGraph, { question }: AffectedDecision): readonly number[] {
  const root = graph.byPath.get('');
  return [...spreadingMembers(question)].filter((member) =>
    graph.dependents[member]?.some(({ from, field, through }) => from === root && field !== 'read' && through === undefined),
  );
}

/** With `affected.edges` of both commits; `undefined` if every workspace is selected for another reason. */
type Inputs = AffectedInputs & { readonly edges: EdgeSides | undefined };

const CONFIG_CHANGED: AllReason = {
  code: 'CONFIG_CHANGED',
  reason: 'tributary.json changed: a change must not be judged by its own rules.',
};

/** Returns `undefined` if more than the edges of tributary.json changed. */
async function edgeSidesOf(inputs: AffectedInputs): Promise<EdgeSides | undefined> {
  const { edges } = inputs.config;
  if (!inputs.files.some(({ path }) => path === 'tributary.json')) return { base: edges, head: edges };
  const { readEdgeSides } = await import('./edges.js');
  return readEdgeSides(inputs);
}

/** Returns early in nearly all cases: there are no edges, and tributary.json is unchanged. */
async function withEdges(inputs: Inputs, compared: SidesCompared): Promise<SidesCompared> {
  const { edges = { base: {}, head: {} }, files } = inputs;
  if (Object.keys(edges.head).length === 0 && !files.some(({ path }) => path === 'tributary.json')) return compared;
  const { followEdges } = await import('./edges.js');
  return followEdges(compared, edges, inputs);
}

async function ask(inputs: Inputs, head: Snapshot, plain: SidesCompared): Promise<AffectedDecision> {
  const { files, config } = inputs;
  const compared = await withEdges(inputs, plain);
  const rules = await rulesFor(inputs, compared, head.graph);
  return answered(head, { ...compared, files, rules, always: config.always });
}

/**
 * Loads rules only if a file may match one. Nearly all built-in rules are for files outside workspaces, and files answered by content need
 * only the user's rules.
 */
async function rulesFor(
  inputs: AffectedInputs,
  { linked, before, answered }: Pick<SidesCompared, 'linked' | 'before' | 'answered'>,
  graph: DependencyGraph,
): Promise<FileRules> {
  const { files, config, texts } = inputs;
  const root = graph.byPath.get('');
  const isOutside = (path: string): boolean => path.startsWith('../') || owningMember(graph, path) === root;
  const hasOutside = files.some(({ path }) => !answered.has(path) && isOutside(path));
  const turbo = [before, texts].map((side) => `${side?.['turbo.json'] ?? ''}${side?.['turbo.jsonc'] ?? ''}`).join('');
  const forWorkspaces = config.rules.length > 0 || /"global(?:Dependencies)?"/.test(turbo);
  return hasOutside || forWorkspaces ? loadRules(inputs, linked, before) : () => undefined;
}

/** `content`: files whose content was examined. The files are passed for the list of unclaimed ones. */
async function askForAll(
  inputs: Inputs,
  { all, graph, head }: { readonly all: AllReason; readonly graph: DependencyGraph; readonly head: Snapshot | undefined },
  content: ReadonlySet<string>,
): Promise<AffectedDecision> {
  const { files, config } = inputs;
  const same = { joined: unchangedGraph(graph), base: graph, found: [], answered: new Set<string>([...ROOT_FILES, ...content]) };
  const rules = await loadRules(inputs, []);
  return answered(head, { ...same, all, files, rules, always: config.always });
}

/** Reads the manifests to list all workspaces: the lockfile may not know the newest, which would then not be tested. */
async function nameAll(inputs: Inputs, sides: SidesOrAll, decision: AffectedDecision): Promise<AffectedDecision> {
  const { answer, head, question } = decision;
  if (answer.all === null || head === undefined) return decision;
  const { withManifests } = await import('./read-manifests.js');
  const whole = head.project === undefined ? await withManifests(inputs, inputs.headTree, head) : head;
  if ('all' in whole) return decision;
  const { answered: known, all, whyUnclaimed } = question;
  if (sides.kind !== 'unchanged') return askForAll(inputs, { all: answer.all, graph: whole.graph, head: whole }, known);
  return ask(inputs, whole, { ...unchanged(whole), answered: known, all, ...(whyUnclaimed && { whyUnclaimed }) });
}

function answered(head: Snapshot | undefined, question: AffectedQuestion): AffectedDecision {
  return { question, answer: decideAffected(question), warnings: [], head };
}

import type { AllReason } from '@tributary/model/changeset';
import { type AffectedAnswer, type AffectedQuestion, decideAffected } from '@tributary/workspaces/affected';
import { buildGraph, type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { unchangedGraph } from '@tributary/workspaces/join-graphs';
import type { EdgeSides } from '@tributary/workspaces/reading-edges';
import { ROOT_FILES, turboText } from '../io/reading.js';
import { mayLeadThroughPackages } from '../reasons/may-lead.js';
import type { Snapshot } from '../snapshot.js';
import { compareSides, type SidesCompared, unchanged, withHeadGraph } from './compare-sides.js';
import { loadRules } from './config.js';
import type { AffectedInputs } from './inputs.js';
import { haveSameMembers, readSides, type Sides } from './read-sides.js';

/** An answer with its question, so that the question can be asked again under another policy. */
export interface Decision {
  readonly question: AffectedQuestion;
  readonly answer: AffectedAnswer;
  readonly warnings: readonly string[];
  /** The head, as far as it was read; `undefined` if it was unreadable. */
  readonly head: Snapshot | undefined;
}

/**
 * Decides which workspaces a change can affect: it reads both commits as far as needed, compares them, and calls `decideAffected`. Anything
 * unreadable or not comparable selects every workspace, with the reason. Throws the errors of `readSides`.
 */
export async function decide(inputs: AffectedInputs): Promise<Decision> {
  const decision = await decideOn(inputs);
  return decision.head?.project?.hasLockfile === false ? { ...decision, warnings: [...decision.warnings, NO_LOCKFILE] } : decision;
}

const NO_LOCKFILE = 'There is no lockfile, so the resolutions of third-party packages are unknown.';

async function decideOn(given: AffectedInputs): Promise<Decision> {
  const edges = await edgeSidesOf(given);
  const inputs: Inputs = { ...given, edges, all: given.all ?? (edges === undefined ? CONFIG_CHANGED : undefined) };
  const sides = await readSides(inputs);
  if (sides.kind === 'all') return nameAll(inputs, sides, await decideAll(inputs, sides));
  return decideFrom(inputs, sides, await compareSides(inputs, sides));
}

async function decideFrom(inputs: Inputs, sides: Exclude<Sides, { kind: 'all' }>, compared: SidesCompared): Promise<Decision> {
  const { head } = sides;
  const plain = await decideBy(inputs, head, compared);
  if (plain.answer.all !== null || !mayLeadThroughPackages(head, plain.answer.members))
    return throughRoot(inputs, sides, { decision: plain, head, compared });
  const { withPackageLinks } = await import('../reasons/lock-graph.js');
  const graph = withPackageLinks(head, compared.lockGraph?.());
  // If a workspace was removed and the lockfile is older, only the base knows who got it through packages.
  const isGone = sides.kind === 'both' && !haveSameMembers(sides.base, head);
  const known = isGone ? { ...sides, base: { ...sides.base, graph: withPackageLinks(sides.base) } } : sides;
  const linked = withHeadGraph(compared, known, graph);
  return throughRoot(inputs, sides, { decision: await decideBy(inputs, head, linked), head: { ...head, graph }, compared: linked });
}

/** Adds the users of selected workspaces that only the root declares, until there are no more. */
async function throughRoot(
  inputs: Inputs,
  sides: Exclude<Sides, { kind: 'all' }>,
  { decision, head, compared }: { readonly decision: Decision; readonly head: Snapshot; readonly compared: SidesCompared },
  asked: ReadonlySet<number> = new Set(),
): Promise<Decision> {
  const { joined } = compared;
  const open = decision.answer.all === null ? rootWorkspaces(joined.graph, decision.answer).filter((place) => !asked.has(place)) : [];
  if (open.length === 0) return nameAll(inputs, sides, decision);
  const { usersThroughRoot } = await import('./root-workspaces.js');
  const users = await usersThroughRoot(inputs, head, { places: open, before: compared });
  if (users.kind === 'all') return nameAll(inputs, sides, await decideBy(inputs, head, { ...compared, all: users.all }));
  const graph = buildGraph(head.graph.members, [...head.graph.edges, ...users.edges]);
  const further = withHeadGraph(compared, sides, graph);
  const next = { decision: await decideBy(inputs, head, further), head: { ...head, graph }, compared: further };
  return throughRoot(inputs, sides, next, new Set([...asked, ...open]));
}

/** Returns, by index, the selected workspaces that the root itself depends on, so that every workspace can resolve them from the root. */
function rootWorkspaces(graph: DependencyGraph, { members }: AffectedAnswer): readonly number[] {
  const root = graph.byPath.get('');
  const places = members.map(({ path }) => graph.byPath.get(path)).filter((place) => place !== undefined);
  return places.filter((place) => graph.dependents[place]?.some(({ from, through }) => from === root && through === undefined));
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

/** `"dependsOn": ["b#gen"]` in turbo.json. */
const NAMES_TASK_OF_WORKSPACE = /"dependsOn"[^\]]*#/;

/** Returns early in nearly all cases: there are no edges, and tributary.json is unchanged. */
async function withEdges(inputs: Inputs, compared: SidesCompared): Promise<SidesCompared> {
  const { edges = { base: {}, head: {} }, files, texts } = inputs;
  const isIdle = Object.keys(edges.head).length === 0 && !files.some(({ path }) => path === 'tributary.json');
  if (isIdle && !NAMES_TASK_OF_WORKSPACE.test(turboText(texts) ?? '')) return compared;
  const { followEdges } = await import('./edges.js');
  return followEdges(compared, edges, inputs);
}

async function decideBy(inputs: Inputs, head: Snapshot, plain: SidesCompared): Promise<Decision> {
  const { files, config } = inputs;
  const compared = await withEdges(inputs, plain);
  const rules = await rulesFor(inputs, compared, head.graph);
  const known = { ...compared, files, rules, always: config.always };
  if (config.dev === 'transitive') return answered(head, { ...known, policy: { dev: config.dev } });
  const { terminalPolicy, namePassed } = await import('./terminal-policy.js');
  const policy = await terminalPolicy(inputs, head);
  const decision = answered(head, { ...known, policy });
  return { ...decision, warnings: namePassed(decision.answer, policy) };
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
  const isOutside = (path: string): boolean => path.startsWith('../') || ownerPlace(graph, path) === root;
  const hasOutside = files.some(({ path }) => !answered.has(path) && isOutside(path));
  const turbo = [before, texts].map((side) => `${side?.['turbo.json'] ?? ''}${side?.['turbo.jsonc'] ?? ''}`).join('');
  const forWorkspaces = config.rules.length > 0 || /"global(?:Dependencies)?"/.test(turbo);
  return hasOutside || forWorkspaces ? loadRules(inputs, linked, before) : () => undefined;
}

async function decideAll(
  inputs: Inputs,
  { all, graph, head }: { readonly all: AllReason; readonly graph: DependencyGraph; readonly head: Snapshot | undefined },
  answeredFiles: ReadonlySet<string> = new Set(),
): Promise<Decision> {
  const { files, config } = inputs;
  const question = {
    joined: unchangedGraph(graph),
    base: graph,
    found: [],
    answered: new Set<string>([...ROOT_FILES, ...answeredFiles]),
    all,
    files,
    // The files are passed for the list of unclaimed ones.
    rules: await loadRules(inputs, []),
    always: config.always,
    policy: { dev: 'transitive' as const },
  };
  return answered(head, question);
}

/** Reads the manifests to list all workspaces: the lockfile may not know the newest, which would then not be tested. */
async function nameAll(inputs: Inputs, sides: Sides, decision: Decision): Promise<Decision> {
  const { answer, head, question } = decision;
  if (answer.all === null || head === undefined) return decision;
  const { withManifests } = await import('./read-manifests.js');
  const whole = head.project === undefined ? await withManifests(inputs, inputs.headTree, head) : head;
  if ('all' in whole) return decision;
  const { answered: known, all } = question;
  if (sides.kind !== 'unchanged') return decideAll(inputs, { all: answer.all, graph: whole.graph, head: whole }, known);
  return decideBy(inputs, whole, { ...unchanged(whole), answered: known, all });
}

function answered(head: Snapshot | undefined, question: AffectedQuestion): Decision {
  return { question, answer: decideAffected(question), warnings: [], head };
}

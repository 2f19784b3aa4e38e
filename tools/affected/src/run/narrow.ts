import type { AllReason } from '@tributary/model/changeset';
import { isToolError } from '@tributary/model/errors';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { AffectedMember, SparedMember } from '@tributary/workspaces/affected';
import type { Member } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { describeResolution } from '../describe.js';
import { judgePiece, UNOBSERVED, type Verdict } from '../observe/judge-piece.js';
import type { KeptObservation } from '../observe/kept-observation.js';
import type { SidesCompared } from './compare-sides.js';
import { loadRules } from './config.js';
import type { Decision } from './decide.js';
import type { AffectedInputs, ObservedInputs } from './inputs.js';
import { isInWorkspace, type PieceScene, readJudgeScene } from './judge-scene.js';
import type { Sides } from './read-sides.js';

interface NarrowScene {
  readonly sides: Exclude<Sides, { kind: 'all' }>;
  readonly compared: SidesCompared;
  readonly decide: (inputs: AffectedInputs, compared: SidesCompared) => Promise<Decision>;
}

/** Files, or packages that the root depends on, that select everything only because their users are unknown. */
interface SharedCause {
  /** Files outside every workspace. */
  readonly files: ReadonlySet<string>;
  /** For messages: `Makefile and 1 more`. */
  readonly subject: string;
}

/**
 * Decides, and spares workspaces if a root file or a dependency of the root selects everything: those whose observations prove that they did
 * not use it. All other reasons count as usual. Throws the errors of `decide`.
 */
export async function narrow(inputs: AffectedInputs, { sides, compared, decide }: NarrowScene): Promise<Decision> {
  const wide = await decide(inputs, compared);
  const { all } = wide.answer;
  if (all === null || inputs.observed === undefined || inputs.filesAre === 'listed') return wide;
  const rules = await loadRules(inputs, compared.linked, compared.before);
  const cause = findSharedCause(inputs, compared, rules);
  if (cause === undefined) return wide;
  const { observed } = inputs;
  const { task } = observed;
  if (task === undefined) return { ...wide, warnings: [...wide.warnings, NO_TASK] };
  // Known readers of one of these files are selected, with all their dependents.
  const others = { ...inputs, files: inputs.files.filter(({ path }) => !cause.files.has(path)), edgeFiles: inputs.files };
  const rest = await decide(others, { ...compared, all: undefined });
  if (rest.answer.all !== null) return wide;
  const selected = new Set(rest.answer.members.map(({ path }) => path));
  const asked = wide.answer.members.filter(({ path }) => !selected.has(path));
  const verdicts = await judgeOrNone(asked, { ...observed, task }, () =>
    readJudgeScene(inputs, observed.observations, { ...compared, rules, members: sides.head.graph.members }),
  );
  if (typeof verdicts === 'string') return { ...wide, warnings: [...wide.warnings, verdicts] };
  const spared = asked.flatMap((member, at) => sparedBy(member, verdicts[at], cause));
  if (spared.length === 0) return { ...wide, warnings: [...wide.warnings, ...describeNobody(verdicts)] };
  const kept = asked.flatMap((member, at) => keptBy(member, verdicts[at], all));
  const members = [...rest.answer.members, ...kept].sort((one, other) => (one.path < other.path ? -1 : 1));
  return { ...rest, warnings: [...new Set([...wide.warnings, ...rest.warnings])], answer: { ...rest.answer, members, spared } };
}

const NO_TASK = 'Observations exclude no workspace: each belongs to one task. Add --task, or use affected plan.';

/** Returns `undefined` if another reason selects everything too, about which observations say nothing. */
function findSharedCause(
  { files, all }: AffectedInputs,
  { joined, base, answered, found, all: compared }: SidesCompared,
  rules: FileRules,
): SharedCause | undefined {
  if (all !== undefined || (compared !== undefined && !isRootDependency(compared))) return undefined;
  const isOutside = (path: RepoPath): boolean => [joined.graph, base].every((graph) => !isInWorkspace(graph, path));
  const shared = new Set<string>();
  for (const { path } of files) {
    if (answered.has(path) || path.startsWith('../') || !isOutside(path)) continue;
    const match = rules(path, 'outside');
    if (match === undefined || (match.affects === 'all' && match.source === 'built-in')) shared.add(path);
  }
  const [first, ...others] = [...(compared === undefined ? [] : [nameChange(compared, { joined, found })]), ...shared];
  return first === undefined ? undefined : { files: shared, subject: others.length > 0 ? `${first} and ${others.length} more` : first };
}

/** Tells whether a reason is only that every workspace can use a package of the root. */
function isRootDependency({ code }: AllReason): boolean {
  return code === 'ROOT_DEPENDENCY_CHANGED';
}

/** Names a changed dependency of the root: `left-pad@npm:1.0.0 → left-pad@npm:1.1.0`; its name alone if only its range changed. */
function nameChange({ subject = '' }: AllReason, { joined, found }: Pick<SidesCompared, 'joined' | 'found'>): string {
  const root = joined.graph.byPath.get('' as RepoFolder);
  const ofRoot = found.filter(({ place }) => place === root).map((one) => one.reason);
  const reason = ofRoot.find((one) => one.kind === 'lockfile' && one.dependency === subject);
  if (reason?.kind !== 'lockfile' || reason.from === null || reason.to === null || reason.from === reason.to) return subject;
  return `${subject} (${describeResolution(reason)})`;
}

/** Returns one reason as an example, because it is usually the same for all. */
function describeNobody(verdicts: readonly Verdict[]): readonly string[] {
  const [first] = [...verdicts].sort((one, other) => Number(one.because === UNOBSERVED) - Number(other.because === UNOBSERVED));
  return first === undefined ? [] : [`Observations exclude no workspace, for example because ${first.because}.`];
}

function sparedBy({ name, path }: Member, verdict: Verdict | undefined, { subject }: SharedCause): readonly SparedMember[] {
  return verdict?.isSpared === true ? [{ name, path, reason: `not affected by ${subject}: ${verdict.because}` }] : [];
}

function keptBy({ name, path }: Member, verdict: Verdict | undefined, { reason }: AllReason): readonly AffectedMember[] {
  if (verdict?.isSpared === true) return [];
  const because = verdict?.because ?? UNOBSERVED;
  return [{ name, path, reasons: [{ kind: 'shared', reason, because: `${because}.` }] }];
}

type TaskObservations = Pick<ObservedInputs, 'observations'> & { readonly task: string };

/** Returns the verdicts, or the reason for none if git lacks the required objects, as in a partial clone; then no workspace is spared. */
async function judgeOrNone(
  members: readonly Member[],
  observed: TaskObservations,
  sceneOfThem: () => Promise<PieceScene>,
): Promise<readonly Verdict[] | string> {
  try {
    const scene = await sceneOfThem();
    const known = new Map<string, KeptObservation[]>(members.map(({ name }) => [name, []]));
    for (const one of observed.observations) known.get(one.workspace)?.push(one);
    return members.map((member) => judgePiece(scene.pieceOf(member, observed.task), known.get(member.name) ?? [], scene));
  } catch (error) {
    if (!isToolError(error) || !['GIT_FAILED', 'OBSERVATION_INVALID'].includes(error.code)) throw error;
    return `Observations exclude no workspace: ${error.message}`;
  }
}

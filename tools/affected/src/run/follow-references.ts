import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import { roleOf } from '@tributary/references/file-roles';
import type { BearingOf } from '@tributary/references/users';
import type { FoundReason } from '@tributary/workspaces/affected';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { type EdgeSides, findFilesRead, joinReadingEdges } from '@tributary/workspaces/reading-edges';
import { areTestsApart } from '@tributary/workspaces/task-kinds';
import { isComparedByValue } from '../changed-files.js';
import { type RootTexts, turboText } from '../io/reading.js';
import type { SidesCompared } from './compared.js';
import { loadRules } from './config.js';
import type { Sides as NarrowedSides } from './file-readers.js';
import type { AffectedInputs } from './inputs.js';
import { isReleaseOfLerna, LERNA } from './json-sides.js';
import { missingWarnings, whyMissing } from './missing-sources.js';
import { findOutsideReaders, withPipelines } from './outside-readers.js';
import { type Places, whyEverybodyReads } from './read-by-everybody.js';
import type { SidesRead } from './read-sides.js';
import { ReferenceReader, type ReferenceSide } from './reference-side.js';

/** The comparison with the references of both commits. */
export interface ReferencesFollowed {
  readonly compared: SidesCompared;
  /** Returns why everybody may use a member that the root depends on; `undefined` if only those may that edges lead to. */
  readonly whyForAll: (member: number) => AllReason | undefined;
  readonly warnings: readonly string[];
}

/** What was read of both commits, and how the edges from it count. */
const KINDS = [['edges'], ['named', 'name'], ['sources', 'source'], ['inTests', 'tests'], ['forTests', 'tests']] as const;

/**
 * Adds what workspaces read without declaring it, at either commit, and who reads the changed files outside of all workspaces, if that is
 * known. Throws `GIT_FAILED`, `CONFIG_INVALID`.
 */
export async function followReferences(inputs: AffectedInputs, sides: SidesRead, compared: SidesCompared): Promise<ReferencesFollowed> {
  const { mergeBase, headTree, files, config, texts } = inputs;
  // What turbo.json says matters only for files outside of all workspaces, and an unreadable one is an error.
  const candidates = files.filter(({ path, kind }) => kind === 'file' && !compared.answered.has(path) && isOutside(compared, path));
  const readable = candidates.length > 0 ? texts : ({} as RootTexts);
  const rules = await loadRules({ ...inputs, texts: readable }, compared.linked, compared.before);
  const madeFrom = [config.rules, turboText(readable), turboText(compared.before ?? {}), compared.linked];
  const reader = new ReferenceReader(inputs, {
    rules,
    madeFrom,
    isApart: config.reach.tests === 'itself' && areTestsApart(inputs.taskKind),
  });
  const head = await reader.side(headTree, sides.head.graph, sides.head);
  const base =
    mergeBase === null ? undefined : await reader.side(mergeBase, compared.base, sides.kind === 'both' ? sides.base : sides.head);
  const sidesOf = (kind: (typeof KINDS)[number][0]): EdgeSides => ({ base: base?.facts[kind] ?? {}, head: head.facts[kind] });
  const joined = KINDS.reduce((known, [kind, via]) => joinReadingEdges(known, compared.base, sidesOf(kind), via), compared.joined);
  const projects = await readProjects(inputs, compared, { candidates, rules, sides: [head, ...(base === undefined ? [] : [base])] });
  // Of a task of an unknown kind, it is unknown what it reads.
  const isOpen = ({ path }: ChangedFile): boolean => rules(path, 'outside') === undefined && !projects.answered.includes(path);
  const unclaimed = inputs.taskKind === 'other' ? [] : candidates.filter(isOpen);
  const isReleased = unclaimed.some(({ path }) => path === LERNA) && (await isReleaseOfLerna(inputs));
  // Jest finds mocks by itself, also for workspaces that run with settings of the root.
  const isTestOfRoot = (path: string): boolean =>
    config.reach.tests === 'itself' && roleOf(path) === 'tests' && !/(?:^|\/)__mocks__\//.test(path);
  const isOfRoot = (path: string): boolean => isTestOfRoot(path) || (isReleased && path === LERNA);
  const pipelines =
    unclaimed.length === 0 ? undefined : await (await import('./compare-ci-files.js')).readMentions({ inputs, sides, compared });
  const bearingIn = (bearingOf: BearingOf): BearingOf => withPipelines(bearingOf, rules, pipelines);
  const readers = await findOutsideReaders({ head, base }, { files: unclaimed, isOfRoot, bearingIn }, compared);
  const narrowed = await narrow(inputs, { ...compared, joined }, { head: { ...head, graph: sides.head.graph }, base });
  const named = await findNamed(inputs, { sides, head, candidates, rules }, compared);
  reader.save();
  const namesOfBase = new Map(compared.base.members.map(({ name }, member) => [compared.joined.memberOfBase[member], name]));
  const namesOf = (member: number): readonly string[] => [compared.joined.graph.members[member]?.name ?? '', namesOfBase.get(member) ?? ''];
  const read = withoutRepeats([...findFilesRead(files, compared, sidesOf('edges')), ...readers.found]);
  return {
    compared: {
      ...narrowed,
      joined,
      found: [
        ...narrowed.found.filter((one) => !isTold(one, read)),
        ...named,
        ...read,
        ...projects.found,
        ...findFilesRead(files, compared, sidesOf('forTests'), 'readers'),
      ],
      answered: new Set([...compared.answered, ...readers.answered, ...projects.answered]),
      ...(readers.whyUnclaimed && { whyUnclaimed: readers.whyUnclaimed }),
      all:
        compared.all ??
        whyMissing(head, base, files) ??
        (await whyEverybodyReads({ inputs, sides, compared, rules }, head.facts, base?.facts)),
    },
    whyForAll: (member) => whyUsed(namesOf(member), [head.facts.shared, base?.facts.shared]),
    warnings: missingWarnings(head, base),
  };
}

/** Loads what is needed only for changed files that may reach no dependents. */
async function narrow(inputs: AffectedInputs, compared: SidesCompared, sides: NarrowedSides): Promise<SidesCompared> {
  const isOwned = ({ path }: ChangedFile): boolean => !isOutside(compared, path);
  const isLocked = compared.found.some(({ reason }) => reason.kind === 'lockfile');
  if (!isLocked && !inputs.files.some(isOwned)) return compared;
  const { narrowFiles } = await import('./narrow-files.js');
  return narrowFiles(inputs, compared, sides);
}

/** Loads what is needed only if a tool changed that no test loads by itself. */
async function findNamed(
  inputs: AffectedInputs,
  asked: {
    readonly sides: SidesRead;
    readonly head: ReferenceSide;
    readonly candidates: readonly ChangedFile[];
    readonly rules: FileRules;
  },
  compared: SidesCompared,
): Promise<readonly FoundReason[]> {
  const { sides, head, candidates, rules } = asked;
  const files = candidates.filter(({ path }) => isOfTool(rules, path));
  const root = compared.joined.graph.byPath.get('');
  if (files.length === 0 && sides.kind === 'unchanged' && !compared.found.some(({ member }) => member === root)) return [];
  const { findToolUsers, settingsOfTool, toolsOfManifest } = await import('./tool-users.js');
  const ofManifest = sides.kind === 'both' ? toolsOfManifest(sides.base.rootManifest, sides.head.rootManifest, inputs.taskKind) : [];
  const settings = [...files.flatMap(({ path }) => settingsOfTool(path)), ...ofManifest];
  return findToolUsers(inputs, { head, settings, isOfTool: (file) => isOfTool(rules, file) }, compared);
}

/** Tells whether no task of the kind reads a file, unless it starts the tool. */
function isOfTool(rules: FileRules, path: string): boolean {
  const rule = rules(path, 'outside');
  return rule?.source === 'built-in' && rule.affects === 'none';
}

/** Both commits, and edges as well as readers, may tell that a workspace reads a file. */
function withoutRepeats(found: readonly FoundReason[]): readonly FoundReason[] {
  const byReading = new Map<string, FoundReason>();
  for (const one of found) {
    const { kind } = one.reason;
    const id = `${one.member} ${kind} ${'file' in one.reason ? one.reason.file : ''}`;
    if (!byReading.has(id)) byReading.set(id, one);
  }
  return [...byReading.values()];
}

function isTold({ member, reason }: FoundReason, read: readonly FoundReason[]): boolean {
  return (
    reason.kind === 'read' && read.some((one) => one.member === member && one.reason.kind === 'read' && one.reason.file === reason.file)
  );
}

function isOutside({ joined, base }: SidesCompared, path: string): boolean {
  const isRoots = (graph: DependencyGraph): boolean => owningMember(graph, path) === graph.byPath.get('');
  return !path.startsWith('../') && isRoots(joined.graph) && isRoots(base);
}

/** Compares tsconfigs outside of all workspaces. */
async function readProjects(
  inputs: AffectedInputs,
  compared: SidesCompared,
  asked: { readonly candidates: readonly ChangedFile[]; readonly rules: FileRules; readonly sides: readonly ReferenceSide[] },
): Promise<{ readonly found: readonly FoundReason[]; readonly answered: readonly string[] }> {
  const isOfUser = (path: string): boolean => asked.rules(path, 'workspace') !== undefined;
  const paths = asked.candidates.flatMap(({ path }) => (isComparedByValue(path) && !isOfUser(path) ? [path] : []));
  const { taskKind = 'test' } = inputs;
  if (paths.length === 0 || (taskKind !== 'test' && taskKind !== 'build')) return { found: [], answered: [] };
  const { compareProjectReferences } = await import('./project-references.js');
  const sides = await Promise.all(asked.sides.map((side) => side.searched()));
  return compareProjectReferences(inputs, compared, { paths, sides });
}

/** Places by workspace or file, at the head and at the base. */
function firstPlace(names: readonly string[], places: Places): readonly [name: string, place: string] | undefined {
  for (const [at, name] of names.entries()) {
    const known = places[at] ?? {};
    if (Object.hasOwn(known, name)) return [name, known[name] ?? ''];
  }
  return undefined;
}

function whyUsed(names: readonly string[], places: Places): AllReason | undefined {
  const [name, place] = firstPlace(names, places) ?? [];
  if (name === undefined) return undefined;
  const reason = `The root depends on the workspace ${name}, which every workspace can use. ${place} names it, or what leads to it.`;
  return { code: 'ROOT_DEPENDENCY_CHANGED', reason, subject: name };
}

import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import type { Reading } from '@tributary/references/reference-map';
import { type BearingOf, forEverybody, placeText, type Users, usersOf } from '@tributary/references/users';
import type { FoundReason } from '@tributary/workspaces/affected';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { type EdgeSides, findFilesRead, joinReadingEdges } from '@tributary/workspaces/reading-edges';
import type { RootTexts } from '../io/reading.js';
import { openReferenceCache } from '../io/reference-cache.js';
import { buildBearing } from '../reasons/bearing.js';
import { isForTestsAlone, undeclaredEdges } from '../reasons/undeclared.js';
import type { Snapshot } from '../snapshot.js';
import type { SidesCompared } from './compared.js';
import { loadRules } from './config.js';
import type { AffectedInputs } from './inputs.js';
import { missingWarnings, whyMissing } from './missing-sources.js';
import type { SidesRead } from './read-sides.js';
import { type ReferencesRead, readReferenceMap } from './reference-map.js';

/** A commit's references, with what its root files mean for tasks. */
interface ReferenceSide extends ReferencesRead {
  readonly bearingOf: BearingOf;
}

/** The comparison with the references of both commits. */
export interface ReferencesFollowed {
  readonly compared: SidesCompared;
  /** Returns why everybody may use a member that the root depends on; `undefined` if only those may that edges lead to. */
  readonly whyForAll: (member: number) => AllReason | undefined;
  readonly warnings: readonly string[];
}

/**
 * Adds what workspaces read without declaring it, at either commit, and who reads the changed files outside of all workspaces, if that is
 * known. Throws `GIT_FAILED`, `CONFIG_INVALID`.
 */
export async function followReferences(inputs: AffectedInputs, sides: SidesRead, compared: SidesCompared): Promise<ReferencesFollowed> {
  const { mergeBase, headTree, files, taskKind = 'test' } = inputs;
  // What turbo.json says matters only for files outside of all workspaces, and an unreadable one is an error.
  const candidates = files.filter(({ path, kind }) => kind === 'file' && !compared.answered.has(path) && isOutside(compared, path));
  const rules = await loadRules(candidates.length > 0 ? inputs : { ...inputs, texts: {} as RootTexts }, compared.linked, compared.before);
  const cache = openReferenceCache(inputs.repository.commonDir);
  const read = async (commit: string, graph: DependencyGraph, { rootManifest }: Snapshot): Promise<ReferenceSide> => ({
    ...(await readReferenceMap({ ...inputs, commit, graph }, { cache, kind: taskKind })),
    bearingOf: buildBearing({ rules, kind: taskKind, rootManifest }),
  });
  const head = await read(headTree, sides.head.graph, sides.head);
  const base = mergeBase === null ? undefined : await read(mergeBase, compared.base, sides.kind === 'both' ? sides.base : sides.head);
  cache.save();
  const edgesOf = (isWanted: (reading: Reading) => boolean): EdgeSides => ({
    base: base === undefined ? {} : undeclaredEdges(base.map, rules, isWanted),
    head: undeclaredEdges(head.map, rules, isWanted),
  });
  const edges = edgesOf((reading) => !isForTestsAlone(reading));
  const unclaimed = candidates.filter(({ path }) => rules(path, 'outside') === undefined);
  const readers = readersOf({ head, base }, unclaimed, compared);
  return {
    compared: {
      ...compared,
      joined: joinReadingEdges(compared.joined, compared.base, edges),
      found: [
        ...compared.found,
        ...findFilesRead(files, compared, edges),
        ...findFilesRead(files, compared, edgesOf(isForTestsAlone), 'itself'),
        ...readers.found,
      ],
      answered: new Set([...compared.answered, ...readers.answered]),
      all: compared.all ?? whyMissing(head, base, files),
    },
    whyForAll: (member) =>
      whyForAll(head, member) ?? (base === undefined ? undefined : whyForAll(base, compared.joined.memberOfBase.indexOf(member))),
    warnings: missingWarnings(head, base),
  };
}

function isOutside({ joined, base }: SidesCompared, path: string): boolean {
  const isRoots = (graph: DependencyGraph): boolean => owningMember(graph, path) === graph.byPath.get('');
  return !path.startsWith('../') && isRoots(joined.graph) && isRoots(base);
}

interface Sides {
  readonly head: ReferenceSide;
  readonly base: ReferenceSide | undefined;
}

/** Returns the readers of files outside of all workspaces; nothing if everybody may read one of them. */
function readersOf(
  { head, base }: Sides,
  files: readonly ChangedFile[],
  { joined }: SidesCompared,
): { readonly found: readonly FoundReason[]; readonly answered: readonly string[] } {
  const found: FoundReason[] = [];
  const root = joined.graph.byPath.get('');
  for (const { path, status } of files) {
    if (root !== undefined) found.push({ member: root, reach: 'itself', reason: { kind: 'file', file: path, others: 0 } });
    const atHead = status === 'deleted' ? undefined : head;
    const atBase = status === 'added' ? undefined : (base ?? head);
    for (const side of [atHead, atBase]) {
      if (side === undefined) continue;
      const users = usersOf(side.map, path, side.bearingOf);
      if (!isProven(users)) return { found: [], answered: [] };
      for (const [reader, { chain, isOpaque }] of users.workspaces) {
        const member = side === head ? reader : joined.memberOfBase[reader];
        const place = chain.map(placeText).join(' > ');
        const by = isOpaque ? `${place} perhaps` : place;
        if (member !== undefined) found.push({ member, reach: 'dependents', reason: { kind: 'read', file: path, by } });
      }
    }
  }
  return { found, answered: files.map(({ path }) => path) };
}

/** Tells whether workspaces are known to read a file. That nobody is known to read it proves nothing. */
function isProven(users: Users): users is Extract<Users, { who: 'some' }> {
  return users.who === 'some' && [...users.workspaces.values()].some(({ isOpaque }) => !isOpaque);
}

/** The graph has what they say. */
const DECLARATION = /^((dev|peer|optional)?[dD]ependencies|dependenciesMeta|resolutions|workspaces)(\.|$)/;

/** In a tsconfig of the root, `references` order builds, and `paths` only say where a name leads. */
function namesMembers(file: string, key: string): boolean {
  return /(^|\/)[jt]sconfig[^/]*\.json$/.test(file) && !/^(extends|compilerOptions\.(types|plugins|jsxImportSource))(\.|$)/.test(key);
}

/** Settings that tools find, and scripts of the root that tasks may run, work for every workspace. */
function whyForAll({ map, bearingOf }: ReferenceSide, member: number): AllReason | undefined {
  const referrers =
    map.members.get(member)?.filter(({ place, key = '' }) => !DECLARATION.test(key) && !namesMembers(place.file, key)) ?? [];
  const user = forEverybody(map, referrers, bearingOf);
  if (user === undefined) return undefined;
  const name = map.tree.graph.members[member]?.name ?? '';
  const reason = `The root depends on the workspace ${name}, which every workspace can use (${placeText(user.place)} names it).`;
  return { code: 'ROOT_DEPENDENCY_CHANGED', reason, subject: name };
}

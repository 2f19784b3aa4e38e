import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import type { ReachConfig } from '@tributary/model/config';
import { type DependencyGraph, type Member, owningMember } from './dependency-graph.js';
import type { FileRules, RuleMatch } from './file-rules.js';
import type { ChangedGraph } from './join-graphs.js';
import { type DependencyPath, pathsFrom, type SpreadSeed, spreadFrom } from './spread.js';

/** What all of a changed file is, so that it reaches only its workspace, and whoever refers to it. A key of `affected.reach`. */
export type FileRow = keyof ReachConfig;

/** Why a member is affected directly, not through another member. */
export type DirectReason =
  /**
   * One of its files changed; `others`: the number of its other changed files; `role`: why its dependents need not be tested; `by`: the
   * place in its sources that reads a file that would otherwise have such a role.
   */
  | { readonly kind: 'file'; readonly file: string; readonly others: number; readonly role?: FileRow; readonly by?: string }
  /** A changed file that a rule assigns to it. */
  | { readonly kind: 'rule'; readonly file: string; readonly rule: string }
  /** A changed file that it reads, according to `affected.edges`; `by`: the place that proves it. */
  | { readonly kind: 'read'; readonly file: string; readonly by: string }
  /** The resolution of one of its dependencies changed; `from` and `to` are locators, `null` if there is none. */
  | {
      readonly kind: 'lockfile';
      readonly dependency: string;
      readonly entry: string;
      readonly from: string | null;
      readonly to: string | null;
    }
  /** A key of a settings file changed, such as an entry of a catalog. */
  | { readonly kind: 'setting'; readonly file: string; readonly key: string }
  /** It was not a workspace before. */
  | { readonly kind: 'added' }
  /** A former workspace on which others depended. */
  | { readonly kind: 'removed' }
  /** A folder inside it became a workspace or stopped being one. So unchanged files now belong to another owner. */
  | { readonly kind: 'nested'; readonly folder: string; readonly became: 'dissolved' | 'new' }
  | { readonly kind: 'always' }
  | { readonly kind: 'all' };

/** Affected through another member. `path` starts with the member itself and ends with the one that `because` is about. */
export interface ThroughReason {
  readonly kind: 'dependency';
  readonly path: readonly string[];
  readonly because: DirectReason;
  /** Set if a step of the path is an edge of `affected.edges`. */
  readonly read?: true;
}

export type AffectedReason = DirectReason | ThroughReason;

export interface AffectedMember extends Member {
  /** Direct reasons first; at least one. */
  readonly reasons: readonly AffectedReason[];
}

/** The members that must be tested. */
export interface AffectedAnswer {
  /** If not `null`: why every workspace is selected. */
  readonly all: AllReason | null;
  /** Ordered by path, root first. Only members of the head. */
  readonly members: readonly AffectedMember[];
  /** The number of members at the head, including the root. */
  readonly memberCount: number;
  /** Changed files outside every workspace that match no rule. */
  readonly unclaimedFiles: readonly string[];
}

/** A reason from another source, such as the lockfile or a setting. */
export interface FoundReason extends SpreadSeed {
  readonly reason: DirectReason;
}

export interface AffectedQuestion {
  readonly joined: ChangedGraph;
  /** The graph of the base, for the owners of deleted files; the same object as the head's graph if nothing in it changed. */
  readonly base: DependencyGraph;
  /** Paths relative to the project root; `../` in front of files outside it. */
  readonly files: readonly ChangedFile[];
  /** Files with their own analysis: they need no rule. */
  readonly answered: ReadonlySet<string>;
  readonly rules: FileRules;
  /** By path: the files in workspaces that reach no dependents. */
  readonly roles?: ReadonlyMap<string, FileRow>;
  /** By path: the place in a source that reads a file of its workspace that is no source. */
  readonly readBy?: ReadonlyMap<string, string>;
  readonly found: readonly FoundReason[];
  /** By path: a clause about who may read a file outside of all workspaces, where nothing narrows it. */
  readonly whyUnclaimed?: ReadonlyMap<string, string>;
  /** Names that every answer includes. */
  readonly always: readonly string[];
  /** Why every workspace is selected, if already known. */
  readonly all: AllReason | undefined;
}

/**
 * Decides which members a change can affect. Pure and monotone: one more file, edge or found reason never removes a member. A file selects
 * the workspace with the deepest folder that contains it. Outside every workspace, a rule decides; without a rule, the file selects every
 * workspace.
 */
export function decideAffected(question: AffectedQuestion): AffectedAnswer {
  const collected = collectReasons(question);
  const all = question.all ?? collected.all ?? unclaimed(collected.unclaimedFiles, question.whyUnclaimed) ?? unknownAlways(question);
  const rest = { memberCount: question.joined.headCount, unclaimedFiles: [...new Set(collected.unclaimedFiles)].sort() };
  if (all !== undefined) return { all, members: everyMember(question), ...rest };
  return { all: null, members: affectedMembers(question, collected.reasons), ...rest };
}

/** Returns the changed files that are a reason of the kind `file`, by member name, in the order of the files. */
export function changedFilesByMember(question: AffectedQuestion): ReadonlyMap<string, readonly ChangedFile[]> {
  const files = new Map(question.files.map((file) => [file.path as string, file]));
  const byMember = new Map<string, readonly ChangedFile[]>();
  for (const [member, found] of collectReasons(question).reasons) {
    const own = found.flatMap(({ reason }) => (reason.kind === 'file' ? (files.get(reason.file) ?? []) : []));
    if (own.length > 0) byMember.set(question.joined.graph.members[member]?.name ?? '', own);
  }
  return byMember;
}

/** Returns the members whose dependents are affected too. */
export function spreadingMembers(question: AffectedQuestion): ReadonlySet<number> {
  const seeds = [...collectReasons(question).reasons.values()].flat();
  const own = seeds.filter(({ reach }) => reach === 'dependents').map(({ member }) => member);
  return new Set([...own, ...spreadFrom(question.joined.graph, seeds).flatMap(({ from, via }) => (via === 'tests' ? [] : [from]))]);
}

interface Collected {
  /** By index: the direct reasons of a member, with their reach. */
  readonly reasons: Map<number, FoundReason[]>;
  readonly unclaimedFiles: string[];
  all: AllReason | undefined;
}

function collectReasons(question: AffectedQuestion): Collected {
  const { joined, found } = question;
  const collected: Collected = { reasons: new Map(), unclaimedFiles: [], all: undefined };
  for (const file of question.files) collectFile(question, collected, file);
  for (const one of found) add(collected, one);
  for (const member of joined.added) add(collected, { member, reach: 'dependents', reason: { kind: 'added' } });
  for (let member = joined.headCount; member < joined.graph.members.length; member++)
    add(collected, { member, reach: 'dependents', reason: { kind: 'removed' } });
  return collected;
}

function add({ reasons }: Collected, one: FoundReason): void {
  const known = reasons.get(one.member);
  if (known === undefined) reasons.set(one.member, [one]);
  else known.push(one);
}

function collectFile(question: AffectedQuestion, collected: Collected, file: ChangedFile): void {
  const owners = ownersOf(question, file);
  const outside = owners.length === 0;
  const answered = question.answered.has(file.path);
  const match = question.rules(file.path, outside ? 'outside' : 'workspace');
  // The file has its own analysis, which only a rule of the user may widen.
  if (match !== undefined && (!answered || match.source === 'tributary.json')) collectByRule(question, collected, { file, owners, match });
  if (match !== undefined && !answered) return;
  const role = question.roles?.get(file.path);
  const by = question.readBy?.get(file.path);
  const reason: DirectReason = { kind: 'file', file: file.path, others: 0, ...(role && { role }), ...(by !== undefined && { by }) };
  for (const member of owners) add(collected, { member, reach: role === undefined ? 'dependents' : 'readers', reason });
  if (outside && !answered) collected.unclaimedFiles.push(file.path);
}

/**
 * Returns the workspaces to which a file belongs: its owner now, and its owner before if that was another one. Empty if only the root
 * contains it.
 */
function ownersOf({ joined, base }: AffectedQuestion, { path, status, kind }: ChangedFile): readonly number[] {
  if (path.startsWith('../')) return [];
  const head = owningMember(joined.graph, path);
  const before = owningMember(base, path);
  const owners = new Set([
    ...(status === 'deleted' ? [] : [head]),
    ...(status === 'added' || before === undefined ? [] : [joined.memberOfBase[before]]),
    // A submodule may contain whole workspaces.
    ...(kind === 'submodule'
      ? [...joined.graph.byPath].filter(([folder]) => folder.startsWith(`${path}/`)).map(([, member]) => member)
      : []),
  ]);
  const root = joined.graph.byPath.get('');
  return [...owners].filter((member): member is number => member !== undefined && member !== root);
}

interface Matched {
  readonly file: ChangedFile;
  readonly owners: readonly number[];
  readonly match: RuleMatch;
}

function collectByRule({ joined }: AffectedQuestion, collected: Collected, { file, owners, match }: Matched): void {
  const reason: DirectReason = { kind: 'rule', file: file.path, rule: match.rule };
  if (match.affects === 'none') return;
  if (match.affects === 'all') {
    collected.all ??= {
      code: 'RULE',
      reason: `${file.path} changed, and the rule "${match.rule}" (${match.source}) selects every workspace.`,
      subject: file.path,
    };
    return;
  }
  if (match.affects === 'owner') {
    const root = joined.graph.byPath.get('');
    for (const member of owners.length > 0 || root === undefined ? owners : [root]) add(collected, { member, reach: 'itself', reason });
    return;
  }
  for (const member of owners) add(collected, { member, reach: 'dependents', reason });
  for (const name of match.affects) {
    const member = joined.graph.members.findIndex((one) => one.name === name);
    if (member === -1)
      collected.all ??= {
        code: 'RULE',
        reason: `${file.path} changed, and its rule "${match.rule}" names "${name}", an unknown workspace.`,
      };
    else add(collected, { member, reach: 'dependents', reason });
  }
}

function unclaimed(files: readonly string[], why: AffectedQuestion['whyUnclaimed']): AllReason | undefined {
  const first = files.find((file) => why?.has(file)) ?? files[0];
  if (first === undefined) return undefined;
  const others = files.length === 1 ? '' : ` (and ${files.length - 1} more)`;
  const clause = why?.get(first) === undefined ? '' : `, and ${why.get(first)}`;
  return { code: 'FILE_UNCLAIMED', reason: `${first}${others} belongs to no workspace and matches no rule${clause}.` };
}

/**
 * Returns a reason for everything if `affected.always` lists an unknown name: a renamed core test must not silently disappear from answers.
 */
function unknownAlways(question: AffectedQuestion): AllReason | undefined {
  const name = question.always.find((one) => memberNamed(question, one) === -1);
  return name === undefined ? undefined : { code: 'RULE', reason: `"affected.always" names "${name}", an unknown workspace.` };
}

/** Returns the index of a member; -1 if the name does not exist at the head. */
function memberNamed({ joined }: AffectedQuestion, name: string): number {
  const member = joined.graph.members.findIndex((one) => one.name === name);
  return member < joined.headCount ? member : -1;
}

function everyMember({ joined, always }: AffectedQuestion): readonly AffectedMember[] {
  const members = joined.graph.members.slice(0, joined.headCount);
  return sorted(members.map(({ name, path }) => ({ name, path, reasons: always.includes(name) ? [ALWAYS, ALL] : [ALL] })));
}

const ALL: DirectReason = { kind: 'all' };
const ALWAYS: DirectReason = { kind: 'always' };

function affectedMembers(question: AffectedQuestion, reasons: ReadonlyMap<number, readonly FoundReason[]>): readonly AffectedMember[] {
  const { graph, headCount } = question.joined;
  const seeds = [...reasons.values()].flat();
  const paths = pathsFrom(graph, spreadFrom(graph, seeds));
  const because = new Map([...reasons].map(([member, found]) => [member, reasonForOthers(found)]));
  const always = new Set(question.always.map((name) => memberNamed(question, name)));
  const answer: AffectedMember[] = [];
  // The members after `headCount` exist only in the base.
  for (let member = 0; member < headCount; member++) {
    const own = graph.members[member];
    const path = paths[member];
    const through = path && throughReason(path, because);
    const found = listReasons(reasons.get(member), through, always.has(member));
    if (own !== undefined && found !== undefined) answer.push({ name: own.name, path: own.path, reasons: found });
  }
  return sorted(answer);
}

function throughReason({ names, seed, isRead }: DependencyPath, because: ReadonlyMap<number, DirectReason | undefined>): ThroughReason {
  const reason = { kind: 'dependency', path: names, because: because.get(seed) ?? ALL } as const;
  return isRead ? { ...reason, read: true } : reason;
}

/** Returns all reasons of a member; `undefined` if it has none. */
function listReasons(
  own: readonly FoundReason[] | undefined,
  through: ThroughReason | undefined,
  isAlways: boolean,
): readonly AffectedReason[] | undefined {
  // Nearly all members have only this reason. A list built from parts is allocated with spare room.
  if (own === undefined && !isAlways) return through && [through];
  return [...(own === undefined ? [] : summarise(own)), ...(through === undefined ? [] : [through]), ...(isAlways ? [ALWAYS] : [])];
}

/** Returns the reason for the dependents of a seed: its removal, if that is one of several reasons, otherwise the first one. */
function reasonForOthers(found: readonly FoundReason[]): DirectReason | undefined {
  const known = found.filter(({ reach }) => reach === 'dependents');
  const reader = found.find(({ reach }) => reach === 'readers') ?? found.find(({ reach }) => reach === 'tests');
  return (known.find(({ reason }) => reason.kind === 'removed') ?? known[0] ?? reader)?.reason;
}

/** Combines all changed files into one reason. */
function summarise(found: readonly FoundReason[]): DirectReason[] {
  const files = found.filter(({ reason }) => reason.kind === 'file');
  const first = (files.find(({ reach }) => reach === 'dependents') ?? files[0])?.reason;
  const others = found.filter(({ reason }) => reason.kind !== 'file').map(({ reason }) => reason);
  return first?.kind === 'file' ? [{ ...first, others: files.length - 1 }, ...others] : others;
}

function sorted(members: readonly AffectedMember[]): readonly AffectedMember[] {
  const byPath = new Map<string, AffectedMember>();
  for (const member of members) byPath.set(member.path, member);
  // The engine sorts strings without a callback for each comparison. Each member has a different path.
  return [...byPath.keys()].sort().map((path) => byPath.get(path) as AffectedMember);
}

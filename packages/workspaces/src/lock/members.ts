import { nameOf } from '@tributary/lockfile/descriptors';
import { indexLock, type LockIndex, type NoIndex } from '@tributary/lockfile/lock-index';
import { Unreadable } from '@tributary/lockfile/lockfile';
import { descriptorsOf, pairsOf, peersOf, readPair } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph, type DependencyEdge, type DependencyGraph, type Member, owningMember } from '../dependency-graph.js';
import { resolveFolder } from '../folders.js';
import { type BoundPath, boundPaths } from './bound.js';

/** The workspaces that a yarn.lock lists, or why it cannot be used; then the manifests must be read. */
export type LockMembers = BerryMembers | NoIndex;

export interface BerryMembers {
  readonly kind: 'berry';
  readonly graph: DependencyGraph;
  /** The folders to which `portal:`, `link:`, `file:` and `exec:` lead, even outside all members except the root. */
  readonly linked: readonly RepoFolder[];
  readonly index: LockIndex;
  /** All names of workspaces, including aliases, each with the index of a workspace in the graph. */
  readonly names: ReadonlyMap<string, number>;
  /** The descriptors of workspaces that a line of a workspace resolves to. */
  readonly askedInside: ReadonlySet<string>;
}

/**
 * Reads the workspaces and their edges from a yarn.lock of Yarn 2 or later, which lists every workspace with its folder and its
 * dependencies. Workspaces are in the order of the file.
 *
 * An edge is one of these:
 * - a dependency whose descriptor resolves to the workspace;
 * - a path in its folder;
 * - a peer of its name with any range, because Yarn gives a package the peer that its dependents have;
 * - a dependency of its name that only `resolutions` or a catalog could resolve.
 *
 * `readManifestGraph` builds the same graph from manifests. `similar` is another side of a comparison, as for `indexLock`. Never throws;
 * does not detect a stale lockfile.
 */
export function readLockMembers(text: string, similar?: LockMembers): LockMembers {
  const other = similar?.kind === 'berry' ? similar : undefined;
  const index = indexLock(text, other?.index);
  if (index.kind !== 'berry') return index;
  if (other !== undefined && haveSameMembers(index, other)) return { ...other, index };
  try {
    return readMembers(index);
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/**
 * Returns whether two lockfiles, one indexed with the other, have the same members and edges. That is so if no entry that differs belongs
 * to a workspace, a path, or a package with a name of a workspace.
 */
function haveSameMembers(index: LockIndex, { index: other, linked, names }: BerryMembers): boolean {
  if (linked.length > 0) return false;
  const differing = [...index.own, ...other.records.filter((_, entry) => index.taken[entry] !== 1)];
  const matters = (record: LockRecord): boolean =>
    record.workspace !== undefined ||
    record.key.includes(PROTOCOL) ||
    descriptorsOf(record).some((descriptor) => descriptor.includes('::locator=') || names.has(nameOf(descriptor)));
  if (differing.some(matters)) return false;
  const workspaces = other.records.filter(({ workspace }) => workspace !== undefined);
  let at = 0;
  return index.records.every((record) => record.workspace === undefined || record === workspaces[at++]) && at === workspaces.length;
}

function readMembers(index: LockIndex): BerryMembers {
  const records = index.records.filter(isWorkspace);
  const members = records.map(({ resolution, workspace }): Member => ({ name: nameOf(resolution) as WorkspaceName, path: workspace }));
  const byPath = new Map(members.map(({ path }, member) => [path, member]));
  if (byPath.size !== members.length || !byPath.has('')) throw new Unreadable('it lists a folder twice, or no root');
  const bound = boundPaths(index);
  const edges = new EdgeReader(index, { records, members, byPath, bound });
  const graph = buildGraph(members, edges.read());
  const { askedInside, byName: names } = edges;
  return { kind: 'berry', graph, linked: bound.map(({ folder }) => folder), index, names, askedInside };
}

type WorkspaceRecord = LockRecord & { readonly workspace: RepoFolder };

/** Returns whether an entry is a workspace. Throws `Unreadable` for an entry with a workspace only in its key. */
function isWorkspace(record: LockRecord): record is WorkspaceRecord {
  if (record.workspace !== undefined) return true;
  if (record.key.includes(PROTOCOL)) throw new Unreadable(`the entry "${record.key}" is not a workspace`);
  return false;
}

const PROTOCOL = '@workspace:';

interface Members {
  readonly records: readonly WorkspaceRecord[];
  readonly members: readonly Member[];
  readonly byPath: ReadonlyMap<RepoFolder, number>;
  readonly bound: readonly BoundPath[];
}

/** Reads the edges between workspaces. Each distinct line is looked up once: most are in several entries. */
class EdgeReader {
  /** The descriptors that lead to a workspace and are requested. */
  readonly askedInside = new Set<string>();
  /** The workspaces by name: their own names, otherwise names under which a path or a resolution leads to them. */
  readonly byName = new Map<string, number>();
  private readonly index: LockIndex;
  private readonly known: Members;
  private readonly byDescriptor = new Map<string, number>();
  private readonly byLine = new Map<string, number>();

  constructor(index: LockIndex, known: Members) {
    this.index = index;
    this.known = known;
    for (const [member, { name }] of known.members.entries()) this.byName.set(name, member);
    for (const [member, record] of known.records.entries()) {
      for (const descriptor of descriptorsOf(record)) {
        this.byDescriptor.set(descriptor, member);
        this.addName(nameOf(descriptor), member);
      }
    }
    for (const { name, folder } of known.bound) this.addName(name, owningMember(known, folder));
  }

  read(): readonly DependencyEdge[] {
    const edges: DependencyEdge[] = [];
    const add = (from: number, to: number, field: DependencyEdge['field']): void => {
      if (to !== NOWHERE && to !== from) edges.push({ from, to, field });
    };
    const pattern = linesThatMayLeadTo([...this.byName.keys()]);
    for (const [from, record] of this.known.records.entries()) {
      for (const line of linesIn(record, pattern)) add(from, this.byLine.get(line) ?? this.readNewLine(line, from), 'any');
      if (record.dependenciesAt === 0) for (const pair of pairsOf(record)) add(from, this.find(pair, from) ?? NOWHERE, 'any');
      for (const pair of peersOf(record)) {
        this.checkRange(pair);
        add(from, this.byName.get(pair[0]) ?? NOWHERE, 'peer');
      }
    }
    return edges;
  }

  private addName(name: string, member: number | undefined): void {
    if (member !== undefined && !this.byName.has(name)) this.byName.set(name, member);
  }

  private readNewLine(line: string, from: number): number {
    const pair = readPair(line);
    this.checkRange(pair);
    const direct = this.findByDescriptor(pair);
    const member = direct ?? this.findOtherwise(pair, from) ?? NOWHERE;
    // If a workspace has the name, the line may mean another one in another entry, as a path does.
    if (direct !== undefined || !this.byName.has(pair[0])) this.byLine.set(line, member);
    return member;
  }

  private find(pair: readonly [string, string], from: number): number | undefined {
    this.checkRange(pair);
    return this.findByDescriptor(pair) ?? this.findOtherwise(pair, from);
  }

  /** Throws if a workspace requests a missing workspace with the `workspace:` protocol. Packages may do so: some are published that way. */
  private checkRange(pair: readonly [string, string]): void {
    if (pair[1].startsWith('workspace:') && !this.byName.has(pair[0]))
      throw new Unreadable(`${pair[0]} is required as a workspace, but has no entry`);
  }

  private findByDescriptor(pair: readonly [string, string]): number | undefined {
    // Before Yarn 4, lines had ranges without their `npm:`.
    return this.resolve(`${pair[0]}@${pair[1]}`) ?? this.resolve(`${pair[0]}@npm:${pair[1]}`);
  }

  private resolve(descriptor: string): number | undefined {
    const member = this.byDescriptor.get(descriptor);
    if (member !== undefined) this.askedInside.add(descriptor);
    return member;
  }

  /** Returns the workspace that a line means without a key for it: by a path, an alias, a patch, a catalog or `resolutions`. */
  private findOtherwise([name, range]: readonly [string, string], from: number): number | undefined {
    const member = this.byName.get(name);
    if (member === undefined) return undefined;
    const path = /^(?:portal|link|file|exec):(.*)$/s.exec(range)?.[1] ?? (/^\.{0,2}\//.test(range) ? range : undefined);
    if (path !== undefined) {
      const folder = resolveFolder(this.known.members[from]?.path ?? '', path.replace(/(#|::).*$/s, ''));
      return folder === undefined ? undefined : owningMember(this.known, folder);
    }
    // Catalogs are not known here, only their results.
    if (range.startsWith('catalog:')) return this.isAskedFor(member) || !this.isInRegistry(name) ? member : undefined;
    // A patched workspace has a separate entry, and still depends on the source of the patch.
    const inner = /^(npm|patch):((?:@[^/@]+(?:\/|%2[Ff]))?[^/@]+)@/.exec(range);
    const meant = inner === null ? member : this.byName.get((inner[2] ?? '').replace(/%2f/i, '/'));
    const isEntry = this.index.numbers.has(`${name}@${range.includes(':') ? '' : 'npm:'}${range}`);
    return meant === undefined || (inner?.[1] !== 'patch' && isEntry) ? undefined : meant;
  }

  /** Returns whether some range led to a workspace. */
  private isAskedFor(member: number): boolean {
    const record = this.known.records[member];
    return record !== undefined && record.key !== record.resolution;
  }

  /** Returns whether the lockfile also has the registry's package of a name. */
  private isInRegistry(name: string): boolean {
    return this.index.descriptors.some((descriptor) => descriptor.startsWith(`${name}@npm:`));
  }
}

/** Returns the dependency lines of an entry that match a pattern; empty for an entry that is not in Yarn's usual notation. */
function linesIn({ block, dependenciesAt, dependenciesEnd }: LockRecord, pattern: RegExp): readonly string[] {
  return dependenciesAt === 0 ? [] : (block.slice(dependenciesAt - 1, dependenciesEnd).match(pattern) ?? []);
}

/**
 * Returns a pattern for lines that may lead to a workspace. They have a scope that has workspaces, a name that starts like one, or the
 * `workspace:` protocol, which may name a missing one. Two thirds of all lines have none of these and need no further check.
 */
function linesThatMayLeadTo(names: readonly string[]): RegExp {
  const beginnings = new Set(names.map((name) => (name.startsWith('@') ? name.slice(0, name.indexOf('/') + 1) : name.slice(0, 3))));
  const literals = [...beginnings].map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?<=\n) {4}(?:"?(?:${literals.join('|')})[^\n]*|(?:[^\\s":]+|"[^"\n]*"): "?workspace:[^\n]*)`, 'g');
}

/** Stands for the index of a workspace. */
const NOWHERE = -1;

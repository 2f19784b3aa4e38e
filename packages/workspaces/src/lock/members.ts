import { nameOf } from '@tributary/lockfile/descriptors';
import { indexLock, type LockIndex, type NoIndex } from '@tributary/lockfile/lock-index';
import { Unreadable } from '@tributary/lockfile/lockfile';
import { descriptorsOf, pairsOf, peersOf, readPair } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { buildGraph, type DependencyEdge, type DependencyGraph, type Member, ownerPlace } from '../dependency-graph.js';
import { resolveFolder } from '../folders.js';
import { type BoundPath, boundPaths } from './bound.js';

/** The workspaces that a yarn.lock names, or why it cannot tell them; then the manifests must be asked. */
export type LockMembers = BerryMembers | NoIndex;

export interface BerryMembers {
  readonly kind: 'berry';
  readonly graph: DependencyGraph;
  /** The folders that `portal:`, `link:`, `file:` and `exec:` lead to, also outside of all members but the root. */
  readonly linked: readonly RepoFolder[];
  readonly index: LockIndex;
  /** The names that workspaces go by, each with the place of one in the graph. */
  readonly names: ReadonlyMap<string, number>;
  /** The descriptors of workspaces that a line of a workspace leads to. */
  readonly askedInside: ReadonlySet<string>;
}

/**
 * Reads the workspaces and their edges out of the text of a yarn.lock of Yarn 2 or later, which holds every workspace with its folder and
 * its dependencies. Workspaces come in the order of the file.
 *
 * An edge is a dependency whose descriptor resolves to the workspace; a path below its folder; a peer of its name, whatever the range,
 * because Yarn gives a package the peer that its dependents have; and what only `resolutions` or a catalog could resolve, by its name.
 * `readManifestGraph` gives the same graph out of manifests. `similar` is another side of a comparison, as for `indexLock`. Never throws; it does not notice that the file is older than the manifests.
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
 * Whether two lockfiles, one of which was indexed with the other, give the same members and edges: no entry that differs is that of a
 * workspace, of a path, or of a package with a name that a workspace goes by.
 */
function haveSameMembers(index: LockIndex, { index: other, linked, names }: BerryMembers): boolean {
  if (linked.length > 0) return false;
  const differing = [...index.own, ...other.records.filter((_, place) => index.taken[place] !== 1)];
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
  const byPath = new Map(members.map(({ path }, place) => [path, place]));
  if (byPath.size !== members.length || !byPath.has('')) throw new Unreadable('it lists a folder twice, or no root');
  const bound = boundPaths(index);
  const edges = new EdgeReader(index, { records, members, byPath, bound });
  const graph = buildGraph(members, edges.read());
  const { askedInside, byName: names } = edges;
  return { kind: 'berry', graph, linked: bound.map(({ folder }) => folder), index, names, askedInside };
}

type WorkspaceRecord = LockRecord & { readonly workspace: RepoFolder };

/** Throws `Unreadable` for an entry that has a workspace in its key alone. */
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

/** Reads the edges between workspaces. Each kind of line is looked up once: most stand in several entries. */
class EdgeReader {
  /** By descriptor, of those that lead to a workspace. */
  readonly askedInside = new Set<string>();
  /** The workspace that goes by a name: its own, else one under which a path or a resolution leads to it. */
  readonly byName = new Map<string, number>();
  private readonly index: LockIndex;
  private readonly known: Members;
  private readonly byDescriptor = new Map<string, number>();
  private readonly byLine = new Map<string, number>();

  constructor(index: LockIndex, known: Members) {
    this.index = index;
    this.known = known;
    for (const [place, { name }] of known.members.entries()) this.byName.set(name, place);
    for (const [place, record] of known.records.entries()) {
      for (const descriptor of descriptorsOf(record)) {
        this.byDescriptor.set(descriptor, place);
        this.addName(nameOf(descriptor), place);
      }
    }
    for (const { name, folder } of known.bound) this.addName(name, ownerPlace(known, folder));
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

  private addName(name: string, place: number | undefined): void {
    if (place !== undefined && !this.byName.has(name)) this.byName.set(name, place);
  }

  private readNewLine(line: string, from: number): number {
    const pair = readPair(line);
    this.checkRange(pair);
    const direct = this.findByDescriptor(pair);
    const place = direct ?? this.findOtherwise(pair, from) ?? NOWHERE;
    // Where a workspace has the name, the line may mean another one in another entry: a path does.
    if (direct !== undefined || !this.byName.has(pair[0])) this.byLine.set(line, place);
    return place;
  }

  private find(pair: readonly [string, string], from: number): number | undefined {
    this.checkRange(pair);
    return this.findByDescriptor(pair) ?? this.findOtherwise(pair, from);
  }

  /** A workspace that is asked for by its protocol must be there. Packages from outside may well ask for others: some are published so. */
  private checkRange(pair: readonly [string, string]): void {
    if (pair[1].startsWith('workspace:') && !this.byName.has(pair[0]))
      throw new Unreadable(`${pair[0]} is required as a workspace, but has no entry`);
  }

  private findByDescriptor(pair: readonly [string, string]): number | undefined {
    // Before Yarn 4 ranges stood in the lines without their `npm:`.
    return this.resolve(`${pair[0]}@${pair[1]}`) ?? this.resolve(`${pair[0]}@npm:${pair[1]}`);
  }

  private resolve(descriptor: string): number | undefined {
    const place = this.byDescriptor.get(descriptor);
    if (place !== undefined) this.askedInside.add(descriptor);
    return place;
  }

  /** The workspace that a line means though no key says so: by a path, an alias, a patch, a catalog or `resolutions`. */
  private findOtherwise([name, range]: readonly [string, string], from: number): number | undefined {
    const place = this.byName.get(name);
    if (place === undefined) return undefined;
    const path = /^(?:portal|link|file|exec):(.*)$/s.exec(range)?.[1] ?? (/^\.{0,2}\//.test(range) ? range : undefined);
    if (path !== undefined) {
      const folder = resolveFolder(this.known.members[from]?.path ?? '', path.replace(/(#|::).*$/s, ''));
      return folder === undefined ? undefined : ownerPlace(this.known, folder);
    }
    // What a catalog says is not known here, only what came of it.
    if (range.startsWith('catalog:')) return this.isAskedFor(place) || !this.isInRegistry(name) ? place : undefined;
    // A patched workspace has an entry of its own, and still depends on what is patched.
    const inner = /^(npm|patch):((?:@[^/@]+(?:\/|%2[Ff]))?[^/@]+)@/.exec(range);
    const meant = inner === null ? place : this.byName.get((inner[2] ?? '').replace(/%2f/i, '/'));
    const isEntry = this.index.numbers.has(`${name}@${range.includes(':') ? '' : 'npm:'}${range}`);
    return meant === undefined || (inner?.[1] !== 'patch' && isEntry) ? undefined : meant;
  }

  /** Whether some range led to a workspace. */
  private isAskedFor(place: number): boolean {
    const record = this.known.records[place];
    return record !== undefined && record.key !== record.resolution;
  }

  /** Whether the registry's package of a name is in the lockfile too. */
  private isInRegistry(name: string): boolean {
    return this.index.descriptors.some((descriptor) => descriptor.startsWith(`${name}@npm:`));
  }
}

/** The dependencies of an entry that a pattern matches, a line each; none of an entry that is not written as usual. */
function linesIn({ block, dependenciesAt, dependenciesEnd }: LockRecord, pattern: RegExp): readonly string[] {
  return dependenciesAt === 0 ? [] : (block.slice(dependenciesAt - 1, dependenciesEnd).match(pattern) ?? []);
}

/**
 * Matches the lines that may lead to a workspace: of a scope that has workspaces, or whose name begins alike; and of the protocol, which
 * may name one that is missing. Two of three lines are of neither kind, and need not be looked at one by one.
 */
function linesThatMayLeadTo(names: readonly string[]): RegExp {
  const beginnings = new Set(names.map((name) => (name.startsWith('@') ? name.slice(0, name.indexOf('/') + 1) : name.slice(0, 3))));
  const literals = [...beginnings].map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?<=\n) {4}(?:"?(?:${literals.join('|')})[^\n]*|(?:[\\w./$-]+|"[^"\n]*"): "?workspace:[^\n]*)`, 'g');
}

/** In place of the place of a workspace. */
const NOWHERE = -1;

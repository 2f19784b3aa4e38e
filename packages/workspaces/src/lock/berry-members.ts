import type { RepoFolder } from '@tributary/model/paths';
import type { Member, MemberGraph, Reached } from '../members.js';
import type { Blocks } from './blocks.js';
import { foldersOf } from './bound.js';
import type { LockScan } from './lock-scan.js';
import type { Edges } from './member-edges.js';

/** The members that a yarn.lock names, or why it cannot tell them; then the manifests must be asked. */
export type LockMembers = BerryMembers | { readonly kind: 'classic' } | { readonly kind: 'unreadable'; readonly reason: string };

export interface BerryMembers {
  readonly kind: 'berry';
  readonly graph: MemberGraph;
  /** The folders that `portal:`, `link:`, `file:` and `exec:` lead to, also outside of all members but the root. */
  readonly linked: readonly RepoFolder[];
  /** For what leads from outside to members. */
  readonly source: LockSource;
}

export interface LockSource {
  readonly text: string;
  readonly blocks: Blocks;
  readonly edges: Edges;
  /** Whether all entries are known to be as Yarn writes them; false where nobody has looked. */
  readonly isAsYarnWrites: () => boolean;
  /** What has read it, if it was machine code. */
  readonly scan?: LockScan;
}

/** `bound`: the keys of what `portal:`, `link:`, `file:` and `exec:` lead to. */
interface Paths {
  readonly byPath: MemberGraph['byPath'];
  readonly bound: readonly string[];
}

export function buildBerryMembers(source: LockSource, { byPath, bound }: Paths): BerryMembers {
  const graph = new LockGraph(source.blocks.members, byPath, source.edges);
  return { kind: 'berry', graph, linked: foldersOf(bound), source };
}

/** `undefined` if a folder is named twice, or none is the root. */
export function placesByPath(members: readonly Member[]): MemberGraph['byPath'] | undefined {
  const places = new Map<RepoFolder, number>();
  members.forEach(({ path }, place) => {
    places.set(path, place);
  });
  return places.size === members.length && places.has('') ? places : undefined;
}

class LockGraph implements MemberGraph {
  readonly members: readonly Member[];
  readonly byPath: MemberGraph['byPath'];
  private readonly edges: Edges;

  constructor(members: readonly Member[], byPath: MemberGraph['byPath'], edges: Edges) {
    this.members = members;
    this.byPath = byPath;
    this.edges = edges;
  }

  get dependents(): MemberGraph['dependents'] {
    return this.edges.all();
  }

  edgesTo(places: readonly number[]): MemberGraph['dependents'] {
    return this.edges.to(places);
  }

  reachedFrom(places: readonly number[]): Reached | undefined {
    return this.edges.reachedFrom?.(places);
  }
}

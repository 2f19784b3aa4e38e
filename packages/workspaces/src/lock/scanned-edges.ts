import type { MemberEdge, MemberGraph, Reached } from '../members.js';
import { endOfLine } from './lines.js';
import type { LockScan } from './lock-scan.js';
import type { Edges } from './member-edges.js';
import { findByDescriptor, findOtherwise, type Index, readRequest } from './requests.js';

/** The edges that a scan has found; what it left is read here. */
export class ScannedEdges implements Edges {
  private readonly scan: LockScan;
  private readonly index: () => Index;
  /** By the member that they lead to. */
  private odd: ReadonlyMap<number, readonly MemberEdge[]> | undefined;

  /** `index` is asked for where the scan has left lines. */
  constructor(scan: LockScan, index: () => Index) {
    this.scan = scan;
    this.index = index;
  }

  to(places: readonly number[]): MemberGraph['dependents'] {
    this.odd ??= this.readOdd();
    const { odd } = this;
    return places.map((place) => {
      const edges = this.scan.edgesTo(place);
      const more = odd.get(place);
      return more === undefined ? edges : [...edges, ...more].sort((a, b) => a.from - b.from || rankOf(a) - rankOf(b));
    });
  }

  reachedFrom(places: readonly number[]): Reached | undefined {
    this.odd ??= this.readOdd();
    return this.odd.size === 0 ? this.scan.reachedFrom(places) : undefined;
  }

  all(): MemberGraph['dependents'] {
    return this.to([...this.scan.members.keys()]);
  }

  areAskedOutside(places: readonly number[]): boolean {
    return places.some((place) => this.scan.isAskedOutside(place));
  }

  private readOdd(): ReadonlyMap<number, readonly MemberEdge[]> {
    const edges = new Map<number, MemberEdge[]>();
    for (const line of this.scan.oddLines()) {
      const edge = this.readLine(line);
      if (edge === undefined) continue;
      const known = edges.get(edge.to);
      if (known === undefined) edges.set(edge.to, [edge]);
      else known.push(edge);
    }
    return edges;
  }

  private readLine({ from, at }: { readonly from: number; readonly at: number }): MemberEdge | undefined {
    const index = this.index();
    const block = index.blocks.get(from);
    const request = readRequest(index.text.slice(at, endOfLine(index.text, at)));
    const isPeer = at >= block.peers.start && at < block.peers.end;
    const to = isPeer ? index.names.find(request.name) : (findByDescriptor(index, request)?.place ?? findOtherwise(index, block, request));
    return to === undefined || to === from ? undefined : { from, to, field: isPeer ? 'peer' : 'any' };
  }
}

/** In an entry peers stand behind dependencies. */
function rankOf({ field }: MemberEdge): number {
  return field === 'peer' ? 1 : 0;
}

import { type MemberGraph, ownerPlace } from '../members.js';
import type { Blocks } from './blocks.js';
import { readBoundPath } from './bound.js';
import { MARK } from './lines.js';

/** The names under which a lockfile leads to its members. */
export class MemberNames {
  /** The member that goes by a name. */
  private readonly places = new Map<string, number>();
  /** Further members that a descriptor of a name may lead to. */
  private readonly others = new Map<string, number[]>();
  /** By place, beside its own name. */
  private readonly more = new Map<number, string[]>();
  private readonly blocks: Blocks;

  /** `bound`: the keys of what `portal:`, `link:`, `file:` and `exec:` lead to. */
  constructor(blocks: Blocks, graph: Pick<MemberGraph, 'byPath'>, bound: readonly string[]) {
    this.blocks = blocks;
    for (const [place, { name }] of blocks.members.entries()) this.add(name, place);
    for (const [place, { key }] of blocks.unusual()) {
      for (const descriptor of key.split(', ')) this.addMore(descriptor.slice(0, descriptor.indexOf('@', 1)), place);
    }
    for (const key of bound) {
      const path = readBoundPath(key);
      const owner = path === undefined ? undefined : ownerPlace(graph, path.folder);
      // `resolutions` may give such a range to a name that is asked for by another one.
      if (path !== undefined && owner !== undefined && !this.places.has(path.name)) this.addMore(path.name, owner);
    }
  }

  /** The member that goes by a name: its own, or one under which a path or a resolution asks for it. */
  find(name: string): number | undefined {
    return this.places.get(name);
  }

  /** Every name by which lines may ask for a member. */
  of(place: number): readonly string[] {
    return [this.blocks.members[place]?.name ?? '', ...(this.more.get(place) ?? [])];
  }

  /** The member that a descriptor resolves to, as a key says. */
  resolve(name: string, descriptor: string): number | undefined {
    const place = this.places.get(name);
    if (place === undefined || this.holds(place, descriptor)) return place;
    return this.others.get(name)?.find((other) => this.holds(other, descriptor));
  }

  /** Whether some range led to a member. */
  isAskedFor(place: number): boolean {
    const { key, name, path } = this.blocks.get(place);
    return key !== `${name}${MARK}${path === '' ? '.' : path}`;
  }

  private holds(place: number, descriptor: string): boolean {
    return `, ${this.blocks.get(place).key}, `.includes(`, ${descriptor}, `);
  }

  private addMore(name: string, place: number): void {
    listIn(this.more, place).push(name);
    this.add(name, place);
  }

  private add(name: string, place: number): void {
    const known = this.places.get(name);
    if (known === undefined) this.places.set(name, place);
    else if (known !== place) listIn(this.others, name).push(place);
  }
}

function listIn<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}

import type { MemberEdge, MemberGraph } from '../members.js';
import type { Block, Span } from './blocks.js';
import { MARK, OddLine } from './lines.js';
import { descriptorsFor, findByDescriptor, findOtherwise, type Index, readRequest } from './requests.js';

/** Who asks for which members. */
export interface Edges {
  /** For each of the members the edges that lead to it, in the order of the dependents. No member depends on itself. */
  readonly to: (places: readonly number[]) => MemberGraph['dependents'];
  /** The same of all. */
  readonly all: () => MemberGraph['dependents'];
  /**
   * Whether a package that is no member asks for one of these: one of their descriptors stands in an entry from outside, or in the key alone,
   * as `packageExtensions` make it.
   */
  readonly areAskedOutside: (places: readonly number[]) => boolean;
  /** `MemberGraph.reachedFrom`. */
  readonly reachedFrom?: MemberGraph['reachedFrom'];
}

/** Reads the edges line by line, whatever there is in them. */
export class MemberEdges implements Edges {
  private readonly index: Index;
  private found: readonly (readonly MemberEdge[])[] | undefined;
  private readonly askedInside = new Set<string>();
  private askedOutside: ReadonlySet<string> | undefined;

  constructor(index: Index) {
    this.index = index;
  }

  to(places: readonly number[]): MemberGraph['dependents'] {
    const all = this.all();
    return places.map((place) => all[place] ?? []);
  }

  all(): MemberGraph['dependents'] {
    this.found ??= this.readAll();
    return this.found;
  }

  areAskedOutside(places: readonly number[]): boolean {
    this.all();
    this.askedOutside ??= readOutside(this.index);
    const descriptors = places.flatMap((place) => this.index.blocks.get(place).key.split(', '));
    return descriptors.some(
      (descriptor) => this.askedOutside?.has(descriptor) || !(this.askedInside.has(descriptor) || descriptor.includes(MARK)),
    );
  }

  private readAll(): readonly (readonly MemberEdge[])[] {
    const { text, blocks, names } = this.index;
    const found: MemberEdge[][] = blocks.members.map(() => []);
    const add = (from: number, to: number | undefined, field: MemberEdge['field']): void => {
      if (to !== undefined && to !== from) found[to]?.push({ from, to, field });
    };
    for (const from of blocks.members.keys()) {
      const block = blocks.get(from);
      for (const line of linesIn(text, block.dependencies)) add(from, this.readDependency(block, line), 'any');
      for (const line of linesIn(text, block.peers)) add(from, names.find(readRequest(line).name), 'peer');
    }
    return found;
  }

  private readDependency(block: Block, line: string): number | undefined {
    const request = readRequest(line);
    const found = findByDescriptor(this.index, request);
    if (found !== undefined) this.askedInside.add(found.descriptor);
    return found?.place ?? findOtherwise(this.index, block, request);
  }
}

function linesIn(text: string, { start, end }: Span): readonly string[] {
  return start === end ? [] : text.slice(start, end).replace(/\n$/, '').split('\n');
}

/** Every descriptor that a line of an entry that is no member's asks for. */
function readOutside({ text, blocks }: Index): ReadonlySet<string> {
  const asked = new Set<string>();
  for (const { 0: line, index } of text.matchAll(/\n {4}[^ \n][^\n]*: [^\n]*/g))
    if (blocks.at(index + 1) === undefined) for (const descriptor of descriptorsFor(readRequest(line))) asked.add(descriptor);
  return asked;
}

/**
 * Throws `OddLine` where a workspace asks for one by its protocol that is not there. Packages from outside may well: some are published with
 * such ranges.
 */
export function checkWorkspaceRanges({ text, blocks, names }: Index): void {
  for (const { 1: name = '', index } of text.matchAll(/\n {4}"?([^"\n:]+)"?: "workspace:/g)) {
    if (names.find(name) === undefined && blocks.at(index + 1) !== undefined)
      throw new OddLine(`${name} is asked for as a workspace, and is not among its entries`);
  }
}

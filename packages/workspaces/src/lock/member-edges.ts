import { resolveFolder } from '../folders.js';
import { type MemberEdge, type MemberGraph, ownerPlace } from '../members.js';
import type { Block, Blocks, Span } from './blocks.js';
import { MARK, OddLine } from './lines.js';
import type { MemberNames } from './member-names.js';
import { isSpecial, linesFor, linesIn, type Request, readRequest, specialLines } from './request-lines.js';

/** What requests are looked up in. */
export interface Index {
  readonly text: string;
  readonly blocks: Blocks;
  readonly names: MemberNames;
  /** For the owner of a path. */
  readonly byPath: MemberGraph['byPath'];
}

/**
 * Who asks for which members. Only what is asked about is read: all lines that ask for some names are found by one search through the
 * entries of members, which takes as long as reading a hundred lines one by one.
 */
export class MemberEdges {
  private readonly index: Index;
  /** By place; `undefined` for a member that was not asked about yet. */
  private readonly found: (MemberEdge[] | undefined)[] = [];
  private readonly askedInside = new Set<string>();
  private readonly askedOutside = new Set<string>();
  private special: readonly MemberEdge[] | undefined;
  /** What lines lead to by their descriptors. */
  private readonly byLine = new Map<string, number>();
  private searches = 0;

  constructor(index: Index) {
    this.index = index;
  }

  /** For each of the members the edges that lead to it, in the order of the dependents. No member depends on itself. */
  to(places: readonly number[]): readonly (readonly MemberEdge[])[] {
    this.search(places);
    return places.map((place) => this.found[place] ?? []);
  }

  /** The same of all. */
  all(): readonly (readonly MemberEdge[])[] {
    return this.to([...this.index.blocks.members.keys()]);
  }

  /**
   * Whether a package that is no member asks for one of these: one of their descriptors stands in an entry from outside, or in the key alone,
   * as `packageExtensions` make it.
   */
  areAskedOutside(places: readonly number[]): boolean {
    this.search(places);
    const { text, blocks, names } = this.index;
    const pattern = linesFor(places.flatMap((place) => names.of(place)));
    for (const part of places.length === 0 ? [] : blocks.outside)
      for (const line of linesIn(text, part, pattern)) this.noteOutside(readRequest(line));
    const descriptors = places.flatMap((place) => blocks.get(place).key.split(', '));
    return descriptors.some(
      (descriptor) => this.askedOutside.has(descriptor) || !(this.askedInside.has(descriptor) || descriptor.includes(MARK)),
    );
  }

  private search(places: readonly number[]): void {
    const wanted = places.filter((place) => this.found[place] === undefined);
    if (wanted.length === 0) return;
    this.searches++;
    this.special ??= this.readSpecial();
    const read = this.searches > MANY_SEARCHES || wanted.length > MANY_NAMES ? [...this.index.blocks.members.keys()] : wanted;
    const pattern = linesFor(read.flatMap((place) => this.index.names.of(place)));
    for (const place of read) this.found[place] = [];
    if (read === wanted) this.readWanted(new Set(wanted), pattern);
    else this.readAll(pattern);
    if (this.special.length > 0) for (const place of read) this.found[place]?.sort((a, b) => a.from - b.from);
  }

  private readWanted(wanted: ReadonlySet<number>, pattern: RegExp): void {
    for (const edge of [...(this.special ?? []), ...this.readLines(pattern, 'usual')])
      if (wanted.has(edge.to)) this.found[edge.to]?.push(edge);
  }

  /** The edges of what the name in front does not tell all about: a path, an alias, a patch. There are few. */
  private readSpecial(): readonly MemberEdge[] {
    return this.readLines(specialLines(), 'special');
  }

  private readLines(pattern: RegExp, kind: 'usual' | 'special'): readonly MemberEdge[] {
    const { text, blocks, names } = this.index;
    const edges: MemberEdge[] = [];
    let from = -1;
    for (const { start, end } of blocks.inside) {
      const run = text.slice(start, end);
      for (let match = pattern.exec(run); match !== null; match = pattern.exec(run)) {
        const line = match[0];
        const at = start + match.index + 1;
        while ((blocks.starts[from + 1] ?? Number.POSITIVE_INFINITY) <= at) from++;
        const { dependencies, peers } = blocks.get(from);
        const isPeer = kind === 'usual' && isIn(peers, at);
        if (!isPeer && !isIn(dependencies, at)) continue;
        const to = isPeer
          ? names.find(readRequest(line).name)
          : (this.byLine.get(line) ?? this.readDependency(blocks.get(from), line, kind));
        if (to !== undefined && to !== from) edges.push({ from, to, field: isPeer ? 'peer' : 'any' });
      }
    }
    return edges;
  }

  /** Entry by entry, without a look at where a line stands: quicker where nearly all entries have some. */
  private readAll(pattern: RegExp): void {
    const { text, blocks, names } = this.index;
    for (const edge of this.special ?? []) this.found[edge.to]?.push(edge);
    for (const from of blocks.members.keys()) {
      const block = blocks.get(from);
      for (const line of linesIn(text, block.dependencies, pattern)) {
        const to = this.byLine.get(line) ?? this.readDependency(block, line, 'usual');
        if (to !== undefined && to !== from) this.found[to]?.push({ from, to, field: 'any' });
      }
      for (const line of linesIn(text, block.peers, pattern)) {
        const to = names.find(readRequest(line).name);
        if (to !== undefined && to !== from) this.found[to]?.push({ from, to, field: 'peer' });
      }
    }
  }

  private readDependency(block: Block, line: string, kind: 'usual' | 'special'): number | undefined {
    const request = readRequest(line);
    if (kind === 'usual' && isSpecial(request)) return undefined;
    const found = this.findByDescriptor(request);
    if (found === undefined) return this.findOtherwise(block, request);
    // Most lines stand there several times, and this one leads there wherever it stands.
    this.byLine.set(line, found);
    return found;
  }

  /** Before Yarn 4 ranges stood there without their `npm:`. */
  private noteOutside({ name, range }: Request): void {
    this.askedOutside.add(`${name}@${range}`);
    this.askedOutside.add(`${name}@npm:${range}`);
  }

  private findByDescriptor({ name, range }: Request): number | undefined {
    return this.resolve(name, `${name}@${range}`) ?? this.resolve(name, `${name}@npm:${range}`);
  }

  private findOtherwise(block: Block, { name, range }: Request): number | undefined {
    const { names, byPath, text } = this.index;
    const place = names.find(name);
    if (place === undefined) return undefined;
    const path = /^(?:portal|link|file|exec):(.*)$/s.exec(range)?.[1] ?? (/^\.{0,2}\//.test(range) ? range : undefined);
    if (path !== undefined) {
      const folder = resolveFolder(block.path, path.replace(/(#|::).*$/s, ''));
      return folder === undefined ? undefined : ownerPlace({ byPath }, folder);
    }
    // What a catalog says is not known here, only what came of it.
    if (range.startsWith('catalog:')) return names.isAskedFor(place) || !hasEntryOf(text, name) ? place : undefined;
    // A patched workspace has an entry of its own, and still depends on what is patched.
    const inner = /^(npm|patch):((?:@[^/@]+(?:\/|%2[Ff]))?[^/@]+)@/.exec(range);
    const meant = inner === null ? place : names.find((inner[2] ?? '').replace(/%2f/i, '/'));
    return meant === undefined || (inner?.[1] !== 'patch' && isEntry(text, name, range)) ? undefined : meant;
  }

  private resolve(name: string, descriptor: string): number | undefined {
    const place = this.index.names.resolve(name, descriptor);
    if (place !== undefined) this.askedInside.add(descriptor);
    return place;
  }
}

/** From here on one search for everybody costs less. */
const MANY_NAMES = 60;
const MANY_SEARCHES = 14;

function isIn({ start, end }: Span, at: number): boolean {
  return start <= at && at < end;
}

/**
 * Throws `OddLine` where a workspace asks for one by its protocol that is not there. Packages from outside may well: some are published with
 * such ranges.
 */
export function checkWorkspaceRanges({ text, blocks, names }: Index): void {
  const lines = blocks.inside.flatMap(({ start, end }) => text.slice(start, end).match(WORKSPACE_RANGE) ?? []);
  for (const line of new Set(lines)) {
    const name = line.startsWith('"', START) ? line.slice(START + 1, line.length - END - 1) : line.slice(START, line.length - END);
    if (names.find(name) !== undefined) continue;
    for (let at = text.indexOf(line); at !== -1; at = text.indexOf(line, at + 1)) {
      if (blocks.at(at + 1) !== undefined) throw new OddLine(`${name} is asked for as a workspace, and is not among its entries`);
    }
  }
}

const WORKSPACE_RANGE = /\n {4}"?[^"\n:]+"?: "workspace:/g;
const START = '\n    '.length;
const END = ': "workspace:'.length;

/** Whether the registry's package of a name is in the lockfile too. */
function hasEntryOf(text: string, name: string): boolean {
  return text.includes(`\n"${name}@npm:`) || text.includes(`, ${name}@npm:`);
}

/** Whether a descriptor is (part of) the key of an entry. The keys of workspaces are known; so this one is of another package. */
function isEntry(text: string, name: string, range: string): boolean {
  const descriptor = `${name}@${range.includes(':') ? '' : 'npm:'}${range}`;
  for (let at = text.indexOf(descriptor); at !== -1; at = text.indexOf(descriptor, at + 1)) {
    const line = text.lastIndexOf('\n', at) + 1;
    const isKey = text[line] === '"' || text.startsWith('? "', line);
    const ends = text[at + descriptor.length] === '"' || text.startsWith(', ', at + descriptor.length);
    if (isKey && ends && (text[at - 1] === '"' || text.startsWith(', ', at - 2))) return true;
  }
  return false;
}

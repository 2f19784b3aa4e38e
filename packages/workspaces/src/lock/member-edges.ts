import { resolveFolder } from '../folders.js';
import { type Member, type MemberEdge, type MemberGraph, ownerPlace } from '../members.js';
import { MARK, OddLine, unquote } from './lines.js';

/** Where the entry of a workspace stands in the text. */
export interface Block extends Member {
  /** The first line after the key. */
  readonly start: number;
  readonly end: number;
}

/** What the requests of members are looked up in. */
export interface Index {
  readonly text: string;
  readonly descriptors: ReadonlyMap<string, number>;
  /** The descriptors that members ask for. */
  readonly asked: Set<string>;
  /** The member that goes by a name: every name under which the lockfile leads to one. */
  readonly byName: Map<string, number>;
  /** Without edges, for the owner of a path. */
  readonly graph: MemberGraph;
}

/** What members ask for. */
interface MemberRequests {
  readonly edges: readonly MemberEdge[];
  /** Whether packages that are no workspaces ask for `workspace:…` too, as one behind a `portal:` may. */
  readonly workspaceRangesOutside: 'some' | 'none';
}

/** One object for all lines of an entry: a lockfile has tens of thousands. */
interface Reading {
  readonly index: Index;
  readonly names: NameFilter;
  readonly edges: MemberEdge[];
  /** How many of the lines asked for `workspace:…`. */
  workspaceRanges: number;
  /** The line at hand, without its indentation. */
  at: number;
  end: number;
}

/**
 * The edges of all members: the lines of their entries below `dependencies:` and `peerDependencies:`. A name that no member goes by leads
 * to none. Throws `OddLine` for entries that do not end as Yarn ends them, or have lines that are not their own, and where somebody asks
 * for a workspace that is not there: then the file was cut off or mended by hand, and nothing of it is to be trusted.
 */
export function readEdges(index: Index, blocks: readonly Block[]): MemberRequests {
  const reading: Reading = { index, names: new NameFilter(index.byName.keys()), edges: [], workspaceRanges: 0, at: 0, end: 0 };
  for (const [from, block] of blocks.entries()) readEntry(reading, from, block);
  const isOutside = reading.workspaceRanges !== countOf(index.text, WORKSPACE_RANGE) && hasWorkspaceRangeOutside(index, blocks);
  return { edges: reading.edges, workspaceRangesOutside: isOutside ? 'some' : 'none' };
}

function readEntry(reading: Reading, from: number, block: Block): void {
  const { text } = reading.index;
  let field: 'any' | 'peer' | undefined;
  let isWhole = false;
  for (let at = block.start; at < block.end; at = reading.end + 1) {
    reading.end = text.indexOf('\n', at);
    if (reading.end === -1) reading.end = text.length;
    if (text.charCodeAt(at) !== SPACE || text.charCodeAt(at + 1) !== SPACE)
      throw new OddLine(`the entry of ${block.name} has a line that is not its own`);
    if (text.charCodeAt(at + 2) !== SPACE) {
      field = fieldOf(text, at, reading.end);
      isWhole ||= text.startsWith('  linkType: ', at);
    } else if (field !== undefined && reading.names.mayStandAt(text, at + 4)) {
      reading.at = at + 4;
      const to = readRequest(reading, block, field);
      if (to !== undefined && to !== from) reading.edges.push({ from, to, field });
    }
  }
  if (!isWhole) throw new OddLine(`the entry of ${block.name} is cut off`);
}

const SPACE = 32;
const QUOTE = 34;

/** Nearly all lines name packages of the registry. Their first signs tell, before a name is even cut out of the text. */
class NameFilter {
  private readonly known = new Uint8Array(4096);

  constructor(names: Iterable<string>) {
    for (const name of names) this.known[hashAt(name, 0)] = 1;
  }

  mayStandAt(text: string, at: number): boolean {
    return this.known[hashAt(text, text.charCodeAt(at) === QUOTE ? at + 1 : at)] === 1;
  }
}

/** Of the first two signs: a name has at least one, and in the text a colon or a quote follows. */
function hashAt(text: string, at: number): number {
  const second = text.charCodeAt(at + 1);
  const isEnd = Number.isNaN(second) || second === QUOTE || second === COLON;
  return (text.charCodeAt(at) * 31 + (isEnd ? 0 : second)) & 4095;
}

const COLON = 58;

const WORKSPACE_RANGE = ': "workspace:';

/** Whether a package that is no workspace asks for one. Throws `OddLine` where a workspace asks for one that is not there. */
function hasWorkspaceRangeOutside({ text, byName }: Index, blocks: readonly Block[]): boolean {
  let isOutside = false;
  for (let at = text.indexOf(WORKSPACE_RANGE); at !== -1; at = text.indexOf(WORKSPACE_RANGE, at + 1)) {
    const name = text.slice(text.lastIndexOf('\n', at) + 1, at).replace(/^ +|"/g, '');
    if (!blocks.some(({ start, end }) => start <= at && at < end)) isOutside = true;
    else if (!byName.has(name)) throw new OddLine(`${name} is asked for as a workspace, and is not among its entries`);
  }
  return isOutside;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

function fieldOf(text: string, at: number, end: number): 'any' | 'peer' | undefined {
  if (end - at === '  dependencies:'.length && text.startsWith('  dependencies:', at)) return 'any';
  return end - at === '  peerDependencies:'.length && text.startsWith('  peerDependencies:', at) ? 'peer' : undefined;
}

/** The member that a line asks for. */
function readRequest(reading: Reading, block: Block, field: 'any' | 'peer'): number | undefined {
  const { index, at, end } = reading;
  const { text, byName } = index;
  const quoted = text.charCodeAt(at) === QUOTE ? 1 : 0;
  const colon = text.indexOf(quoted === 1 ? '": ' : ': ', at + quoted);
  if (colon === -1 || colon > end) throw new OddLine(`"${text.slice(at, end)}" is no dependency`);
  const name = text.slice(at + quoted, colon);
  const place = byName.get(name);
  if (place === undefined) return undefined;
  const range = readValue(text.slice(colon + quoted + 2, end));
  if (range.startsWith('workspace:')) reading.workspaceRanges++;
  return field === 'peer' ? place : findMember(index, block, { name, range, place });
}

function readValue(text: string): string {
  return text.startsWith('"') ? unquote(text) : text;
}

interface Request {
  readonly name: string;
  readonly range: string;
  /** The member that goes by the name. */
  readonly place: number;
}

function findMember(index: Index, block: Block, { name, range, place }: Request): number | undefined {
  const found = findByDescriptor(index, `${name}@${range}`) ?? findByDescriptor(index, `${name}@npm:${range}`);
  if (found !== undefined) return found;
  const path = /^(?:portal|link|file|exec):(.*)$/s.exec(range)?.[1] ?? (/^\.{0,2}\//.test(range) ? range : undefined);
  if (path !== undefined) {
    const folder = resolveFolder(block.path, path.replace(/(#|::).*$/s, ''));
    return folder === undefined ? undefined : ownerPlace(index.graph, folder);
  }
  if (range.startsWith('catalog:')) return isAskedFor(index, name, place) || !hasEntryOf(index.text, name) ? place : undefined;
  // A patched workspace has an entry of its own, and still depends on what is patched.
  const inner = /^(npm|patch):((?:@[^/@]+(?:\/|%2[Ff]))?[^/@]+)@/.exec(range);
  const meant = inner === null ? place : index.byName.get((inner[2] ?? '').replace(/%2f/i, '/'));
  return meant === undefined || (inner?.[1] !== 'patch' && isEntry(index.text, name, range)) ? undefined : meant;
}

function findByDescriptor({ descriptors, asked }: Index, descriptor: string): number | undefined {
  const place = descriptors.get(descriptor);
  if (place !== undefined) asked.add(descriptor);
  return place;
}

/** Whether a member is what some range of its name led to. What a catalog says is not known here, only what came of it. */
function isAskedFor({ descriptors, graph }: Index, name: string, place: number): boolean {
  const own = `${name}@${MARK.slice(1)}${graph.members[place]?.path ?? ''}`;
  return [...descriptors].some(([key, owner]) => owner === place && key !== own);
}

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

import type { RepoFolder } from '@tributary/model/paths';
import { conflictLine } from '../file-text.js';
import type { Member, MemberGraph } from '../members.js';
import { Blocks, findBlocks } from './blocks.js';
import { readBoundPath } from './bound.js';
import { endOfLine, OddLine } from './lines.js';
import { LockScan } from './lock-scan.js';
import { checkWorkspaceRanges, type Edges, MemberEdges } from './member-edges.js';
import { MemberNames } from './member-names.js';
import type { Index } from './requests.js';
import { ScannedEdges } from './scanned-edges.js';

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
}

/**
 * Reads the members and their edges out of the text of a yarn.lock of Yarn 2 or later, which holds every workspace with its folder and
 * what it asks for, in the order of the file. Edges are read when they are asked for: a small change needs few of them.
 *
 * An edge is a dependency whose descriptor resolves to the workspace; a path below its folder; a peer of its name, whatever the range,
 * because Yarn gives a package the peer that its dependents have; and what only `resolutions` or a catalog could resolve, by its name.
 * `membersOf` gives the same graph out of manifests. Never throws; it does not notice that the file is older than the manifests.
 */
export function readLockMembers(text: string): LockMembers {
  return scanBerry(text) ?? readCarefully(text);
}

/** As `readCarefully`, many times as fast; `undefined` for what is not in every line as Yarn writes it. */
function scanBerry(text: string): BerryMembers | undefined {
  if (!endsWithEntry(text)) return undefined;
  const bound = boundKeys(text);
  const scan = LockScan.of(text, bound.join('').length);
  if (scan === undefined) return undefined;
  const { members, starts } = scan;
  const byPath = placesByPath(members);
  const owned = bound.flatMap((key) => readBoundPath(key)?.name ?? []);
  if (byPath.size !== members.length || !byPath.has('') || !scan.findEdges(owned)) return undefined;
  const blocks = new Blocks(text, { members, starts, known: [] });
  let index: Index | undefined;
  const edges = new ScannedEdges(scan, () => {
    index ??= { text, blocks, names: new MemberNames(blocks, { byPath }, bound), byPath };
    return index;
  });
  const source = { text, blocks, edges, isAsYarnWrites: () => scan.isAsYarnWrites() };
  return { kind: 'berry', graph: new LockGraph(members, byPath, edges), linked: foldersOf(bound), source };
}

function readCarefully(text: string): LockMembers {
  const marker = conflictLine(text);
  if (marker !== undefined) return { kind: 'unreadable', reason: `line ${marker} is a conflict marker of a merge that was not finished` };
  if (!text.startsWith('__metadata:') && !text.includes('\n__metadata:')) {
    return text.includes('# yarn lockfile v1') ? { kind: 'classic' } : { kind: 'unreadable', reason: 'it has no "__metadata"' };
  }
  try {
    return readBerry(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
  } catch (error) {
    if (error instanceof OddLine) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

function readBerry(text: string): LockMembers {
  if (!endsWithEntry(text)) throw new OddLine('it is cut off');
  const blocks = findBlocks(text);
  const { members } = blocks;
  const byPath = placesByPath(members);
  if (byPath.size !== members.length || !byPath.has('')) throw new OddLine('it names a folder twice, or no root');
  const bound = boundKeys(text);
  const index = { text, blocks, names: new MemberNames(blocks, { byPath }, bound), byPath };
  checkWorkspaceRanges(index);
  const edges = new MemberEdges(index);
  return {
    kind: 'berry',
    graph: new LockGraph(members, byPath, edges),
    linked: foldersOf(bound),
    source: { text, blocks, edges, isAsYarnWrites: () => false },
  };
}

function placesByPath(members: readonly Member[]): MemberGraph['byPath'] {
  return new Map(members.map(({ path }, place) => [path, place]));
}

function foldersOf(bound: readonly string[]): readonly RepoFolder[] {
  return bound.flatMap((key) => readBoundPath(key)?.folder ?? []);
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
}

/** The descriptors of what is bound to a path. */
function boundKeys(text: string): readonly string[] {
  const keys: string[] = [];
  // A rare sign; the words themselves would take the search four times as long.
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    if (!text.startsWith('::locator', at - '::locator'.length)) continue;
    const start = text.lastIndexOf('\n', at) + 1;
    if (text[start] === '"') keys.push(...text.slice(start + 1, endOfLine(text, at) - 2).split(', '));
  }
  return keys;
}

/** Yarn writes the type of the link last in each entry, and so last of all. A file that was cut off would pass for a smaller project. */
function endsWithEntry(text: string): boolean {
  const last = text.lastIndexOf('\n  linkType: ');
  return last !== -1 && /^\n {2}linkType: (?:hard|soft)\n*$/.test(text.slice(last));
}

import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { conflictLine } from '../file-text.js';
import { resolveFolder } from '../folders.js';
import { dependentsOf, type Member, type MemberGraph, ownerPlace } from '../members.js';
import { readBoundPath } from './bound.js';
import { endOfLine, MARK, OddLine, unquote } from './lines.js';
import { type Block, type Index, readEdges } from './member-edges.js';

/** The members that a yarn.lock names, or why it cannot tell them; then the manifests must be asked. */
export type LockMembers = BerryMembers | { readonly kind: 'classic' } | { readonly kind: 'unreadable'; readonly reason: string };

export interface BerryMembers {
  readonly kind: 'berry';
  readonly graph: MemberGraph;
  /** The folders that `portal:`, `link:`, `file:` and `exec:` lead to, also outside of all members but the root. */
  readonly linked: readonly RepoFolder[];
  /** For `asksFromOutside`. */
  readonly source: LockSource;
}

export interface LockSource {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** To which member each descriptor resolves. */
  readonly descriptors: ReadonlyMap<string, number>;
  /** Those that members ask for. */
  readonly asked: ReadonlySet<string>;
  readonly workspaceRangesOutside: 'some' | 'none';
}

/**
 * Reads the members and their edges out of the text of a yarn.lock of Yarn 2 or later, which holds every workspace with its folder and
 * what it asks for. Only the entries of workspaces are looked at: a millisecond where `parseLockfile` takes ten. In the order of the file.
 *
 * An edge is a dependency whose descriptor resolves to the workspace; a path below its folder; a peer of its name, whatever the range,
 * because Yarn gives a package the peer that its dependents have; and what only `resolutions` or a catalog could resolve, by its name.
 * `membersOf` gives the same graph out of manifests. Never throws; it does not notice that the file is older than the manifests.
 */
export function readLockMembers(text: string): LockMembers {
  const marker = conflictLine(text);
  if (marker !== undefined) return { kind: 'unreadable', reason: `line ${marker} is a conflict marker of a merge that was not finished` };
  if (!text.startsWith('__metadata:') && !text.includes('\n__metadata:')) {
    return text.includes('# yarn lockfile v1') ? { kind: 'classic' } : { kind: 'unreadable', reason: 'it has no "__metadata"' };
  }
  try {
    return readBlocks(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
  } catch (error) {
    if (error instanceof OddLine) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

function readBlocks(text: string): LockMembers {
  if (!endsWithEntry(text)) throw new OddLine('it is cut off');
  const blocks: Block[] = [];
  const descriptors = new Map<string, number>();
  for (let at = text.indexOf(MARK); at !== -1; ) {
    const { block, keys } = readBlock(text, at);
    for (const key of keys) descriptors.set(key, blocks.length);
    blocks.push(block);
    at = text.indexOf(MARK, block.end);
  }
  const members = blocks.map(({ name, path }) => ({ name, path }));
  const byPath = new Map(members.map(({ path }, place) => [path, place]));
  if (byPath.size !== members.length || !byPath.has('')) throw new OddLine('it names a folder twice, or no root');
  const graph = { members, dependents: [], byPath };
  const index: Index = { text, descriptors, asked: new Set(), byName: namesOf(members, descriptors), graph };
  const linked = readBoundPaths(index);
  const { edges, workspaceRangesOutside } = readEdges(index, blocks);
  const source = { text, blocks, descriptors, asked: index.asked, workspaceRangesOutside };
  return { kind: 'berry', graph: { ...graph, dependents: dependentsOf(members, edges) }, linked, source };
}

/** The names that members go by: their own, and those under which a path or a resolution asks for them. */
function namesOf(members: readonly Member[], descriptors: ReadonlyMap<string, number>): Map<string, number> {
  const names = new Map<string, number>();
  for (const [descriptor, place] of descriptors) {
    const own = members[place]?.name ?? '';
    if (!descriptor.startsWith(own) || descriptor[own.length] !== '@') names.set(descriptor.slice(0, descriptor.indexOf('@', 1)), place);
  }
  for (const [place, { name }] of members.entries()) names.set(name, place);
  return names;
}

/**
 * What `portal:`, `link:`, `file:` and `exec:` lead to. Names are added to those that members go by: `resolutions` may give such a range to
 * a name that is asked for by another one. The folders are the answer.
 */
function readBoundPaths({ text, byName, graph }: Index): readonly RepoFolder[] {
  const folders: RepoFolder[] = [];
  // A rare sign; the words themselves would take the search four times as long.
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    if (!text.startsWith('::locator', at - '::locator'.length)) continue;
    const start = text.lastIndexOf('\n', at) + 1;
    for (const key of text[start] === '"' ? text.slice(start + 1, endOfLine(text, at) - 2).split(', ') : []) {
      const bound = readBoundPath(key);
      if (bound === undefined) continue;
      folders.push(bound.folder);
      const owner = ownerPlace(graph, bound.folder);
      if (owner !== undefined && !byName.has(bound.name)) byName.set(bound.name, owner);
    }
  }
  return folders;
}

function readBlock(text: string, at: number): { block: Block; keys: readonly string[] } {
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const lineEnd = endOfLine(text, at);
  const end = endOfBlock(text, lineEnd);
  // A key of more than 1,024 characters is written as `? "…"`, with the colon on the next line.
  const long = text.startsWith('? ', lineStart);
  const key = unquote(text.slice(lineStart + (long ? 2 : 0), long ? lineEnd : lineEnd - 1));
  const start = long ? endOfLine(text, lineEnd + 1) + 1 : lineEnd + 1;
  if (!long && text[lineEnd - 1] !== ':') throw new OddLine(`"${text.slice(lineStart, lineEnd)}" is no entry`);
  const from = text.indexOf('  resolution: ', start);
  if (from === -1 || from > end) throw new OddLine(`the entry "${key}" has no resolution`);
  const resolution = unquote(text.slice(from + '  resolution: '.length, endOfLine(text, from)));
  const mark = resolution.indexOf(MARK);
  if (mark <= 0) throw new OddLine(`the entry "${key}" is no workspace`);
  const block = { name: resolution.slice(0, mark) as WorkspaceName, path: folderOf(resolution.slice(mark + MARK.length)), start, end };
  return { block, keys: key.split(', ') };
}

/** Yarn writes the type of the link last in each entry, and so last of all. A file that was cut off would pass for a smaller project. */
function endsWithEntry(text: string): boolean {
  const last = text.lastIndexOf('\n  linkType: ');
  return last !== -1 && /^\n {2}linkType: (?:hard|soft)\n*$/.test(text.slice(last));
}

function endOfBlock(text: string, at: number): number {
  const end = text.indexOf('\n\n', at);
  return end === -1 ? text.length : end;
}

function folderOf(path: string): RepoFolder {
  // As nearly all are; following a path costs more than everything else that an entry needs.
  if (/^\w[^:]*$/.test(path) && !/\/(?:[./]|$)/.test(path)) return path as RepoFolder;
  const folder = resolveFolder('', path);
  if (folder === undefined) throw new OddLine(`the workspace ${path} is outside of the project`);
  return folder;
}

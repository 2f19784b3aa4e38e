import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { resolveFolder } from '../folders.js';
import type { Member } from '../members.js';
import { endOfLine, MARK, OddLine, unquote } from './lines.js';

/** The entry of a workspace: what it says, and where in the text it stands. Of a field that it does not have, start and end are the same. */
export interface Block extends Member {
  /** The descriptors that resolve to it, with `, ` between. */
  readonly key: string;
  /** Whether all of them have its own name; others are what a path or a resolution asks for. */
  readonly names: 'own' | 'others too';
  readonly start: number;
  readonly end: number;
  readonly dependencies: Span;
  readonly peers: Span;
}

/** Whole lines of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The entries of all workspaces of a text, in its order. Only who they are of is read at once. */
export class Blocks {
  readonly members: readonly Member[];
  /** Where the entry of a member begins. */
  readonly startOf: (place: number) => number;
  private readonly read: (place: number) => Block;
  private readonly known: Block[];

  constructor({ members, startOf, known, read }: FoundBlocks) {
    this.members = members;
    this.startOf = startOf;
    this.known = known;
    this.read = read;
  }

  /** Those whose key may have names that are not their own, by place. */
  unusual(): readonly (readonly [number, Block])[] {
    const found: (readonly [number, Block])[] = [];
    // Not all need have been read; these are always known.
    this.known.forEach((block, place) => {
      if (block.names === 'others too') found.push([place, block]);
    });
    return found;
  }

  /** The place of the member in whose entry a position of the text is. */
  at(position: number): number | undefined {
    let low = 0;
    let high = this.members.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.startOf(middle) <= position) low = middle + 1;
      else high = middle;
    }
    return low > 0 && position <= this.get(low - 1).end ? low - 1 : undefined;
  }

  get(place: number): Block {
    const block = this.known[place] ?? this.read(place);
    this.known[place] = block;
    return block;
  }
}

interface FoundBlocks {
  readonly members: readonly Member[];
  readonly startOf: (place: number) => number;
  /** By place. */
  readonly known: Block[];
  /** Reads one that is not known, when it is asked for. */
  readonly read: (place: number) => Block;
}

/**
 * Finds the entries. Throws `OddLine` for those that do not end as Yarn ends them or have lines that are not their own: then the file was
 * cut off or mended by hand, and nothing of it is to be trusted.
 */
export function findBlocks(text: string): Blocks {
  const known: Block[] = [];
  for (let at = text.indexOf(MARK); at !== -1; ) {
    const start = text.lastIndexOf('\n', at) + 1;
    const block = readUsual(text, start) ?? readOther(text, start);
    known.push(block);
    at = text.indexOf(MARK, block.end);
  }
  const read = (place: number): never => {
    throw new OddLine(`there is no workspace ${place}`);
  };
  return new Blocks({
    members: known.map(({ name, path }) => ({ name, path })),
    startOf: (place) => known[place]?.start ?? 0,
    known,
    read,
  });
}

const PAIR = String.raw` {4}(?:"[^"\n]+"|[^"\s:][^:\n]*): (?:"(?:[^"\\\n]|\\.)*"|[^"\n][^\n]*)`;
const PAIRS = `(?:${PAIR}\\n)*`;
const KEY = String.raw`"((@?[^@",\\\n]+)@[^",\\\n]+(?:, \2@[^",\\\n]+)*)":\n`;
const PATH = String.raw`(\.|[\w@][^":\\\n/]*(?:\/[^":\\\n/.][^":\\\n/]*)*)`;
const HEAD = String.raw`(?: {2}version: [^\n]+\n)? {2}resolution: "\2@workspace:${PATH}"\n`;
const FIELDS = `(?: {2}dependencies:\\n(${PAIRS}))?(?: {2}peerDependencies:\\n(${PAIRS}))?`;
const REST = String.raw`((?: {2}(?! |dependencies:|peerDependencies:|linkType:)[^\n]+\n(?: {4}[^\n]+\n)*)* {2}linkType: soft)(?=\n\n|\n*$)`;
/** An entry as Yarn writes nearly all of them, with the end of the line before. */
const USUAL = new RegExp(`\n${KEY}${HEAD}${FIELDS}${REST}`, 'y');

function readUsual(text: string, start: number): Block | undefined {
  USUAL.lastIndex = start - 1;
  const match = USUAL.exec(text);
  if (match === null) return undefined;
  const [whole, key = '', name = '', path = '', asked = '', peers, rest = ''] = match;
  const end = match.index + whole.length;
  const peersEnd = end - rest.length;
  const peersStart = peersEnd - (peers ?? '').length;
  const askedEnd = peersStart - (peers === undefined ? 0 : '  peerDependencies:\n'.length);
  const spans = { dependencies: { start: askedEnd - asked.length, end: askedEnd }, peers: { start: peersStart, end: peersEnd } };
  return { name: name as WorkspaceName, path: (path === '.' ? '' : path) as RepoFolder, key, names: 'own', start, end, ...spans };
}

/** Any other entry that can be read: in an order of fields that is not Yarn's, with escapes, with a name that is not its own in the key. */
function readOther(text: string, start: number): Block {
  const { key, body } = readKey(text, start);
  const end = endOfBlock(text, body);
  const from = text.indexOf('  resolution: ', body);
  if (from === -1 || from > end) throw new OddLine(`the entry "${key}" has no resolution`);
  const resolution = unquote(text.slice(from + '  resolution: '.length, endOfLine(text, from)));
  const mark = resolution.indexOf(MARK);
  if (mark <= 0) throw new OddLine(`the entry "${key}" is no workspace`);
  const name = resolution.slice(0, mark) as WorkspaceName;
  const fields = readFields(text, { name, start: body, end });
  const nothing = { start: end, end };
  const { '  dependencies:': dependencies = nothing, '  peerDependencies:': peers = nothing } = fields;
  return { name, path: folderOf(resolution.slice(mark + MARK.length)), key, names: 'others too', start, end, dependencies, peers };
}

function readKey(text: string, start: number): { readonly key: string; readonly body: number } {
  const end = endOfLine(text, start);
  // A key of more than 1,024 characters is written as `? "…"`, with the colon on the next line.
  if (text.startsWith('? ', start)) return { key: unquote(text.slice(start + 2, end)), body: endOfLine(text, end + 1) + 1 };
  const key = unquote(text.slice(start, end - 1));
  if (text[end - 1] !== ':') throw new OddLine(`"${text.slice(start, end)}" is no entry`);
  return { key, body: end + 1 };
}

function endOfBlock(text: string, at: number): number {
  const end = text.indexOf('\n\n', at);
  return end === -1 ? text.length : end;
}

/** The lines below each field, by the line of the field itself. */
function readFields(text: string, entry: { readonly name: string } & Span): Record<string, Span> {
  const fields: Record<string, { start: number; end: number }> = {};
  let field = '';
  for (let at = entry.start; at < entry.end; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, endOfLine(text, at));
    if (!line.startsWith('  ')) throw new OddLine(`the entry of ${entry.name} has a line that is not its own`);
    if (line[2] !== ' ') {
      field = line.startsWith('  linkType: ') ? LINK_TYPE : line;
      if (fields[field] !== undefined) throw new OddLine(`the entry of ${entry.name} has "${line.trim()}" twice`);
      fields[field] = { start: at + line.length + 1, end: at + line.length + 1 };
    } else if (/^ {2}(?:peerD|d)ependencies:$/.test(field) && !WHOLE_PAIR.test(line))
      throw new OddLine(`"${line.trim()}" is no dependency`);
    const span = fields[field];
    if (span !== undefined) span.end = Math.min(at + line.length + 1, entry.end);
  }
  if (fields[LINK_TYPE] === undefined) throw new OddLine(`the entry of ${entry.name} is cut off`);
  return fields;
}

const LINK_TYPE = '  linkType:';
const WHOLE_PAIR = new RegExp(`^${PAIR}$`);

function folderOf(path: string): RepoFolder {
  const folder = resolveFolder('', path);
  if (folder === undefined) throw new OddLine(`the workspace ${path} is outside of the project`);
  return folder;
}

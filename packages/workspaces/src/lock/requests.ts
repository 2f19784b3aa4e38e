import { resolveFolder } from '../folders.js';
import { type MemberGraph, ownerPlace } from '../members.js';
import type { Block, Blocks } from './blocks.js';
import { unquote } from './lines.js';
import type { MemberNames } from './member-names.js';

/** What a line of an entry asks for. */
export interface Request {
  readonly name: string;
  readonly range: string;
}

/** What requests are looked up in. */
export interface Index {
  readonly text: string;
  readonly blocks: Blocks;
  readonly names: MemberNames;
  /** For the owner of a path. */
  readonly byPath: MemberGraph['byPath'];
}

/** Reads `    name: range`; the line end in front may be there. */
export function readRequest(line: string): Request {
  const [, name = '', value = ''] = /^\n? {4}"?([^\n]+?)"?: ([^\n]*)$/.exec(line) ?? [];
  return { name, range: readValue(value) };
}

/** As it stands there where it is not quoted as Yarn would: then the name alone decides. */
function readValue(value: string): string {
  if (!value.startsWith('"') || !value.endsWith('"')) return value;
  if (!value.includes('\\')) return value.slice(1, -1);
  try {
    return unquote(value);
  } catch {
    return value;
  }
}

/** As a descriptor of a key has it. Before Yarn 4 ranges stood in the lines without their `npm:`. */
export function descriptorsFor({ name, range }: Request): readonly string[] {
  return [`${name}@${range}`, `${name}@npm:${range}`];
}

/** The descriptor of a member that a request asks for, with the member. */
export function findByDescriptor({ names }: Index, request: Request): { readonly descriptor: string; readonly place: number } | undefined {
  for (const descriptor of descriptorsFor(request)) {
    const place = names.resolve(request.name, descriptor);
    if (place !== undefined) return { descriptor, place };
  }
  return undefined;
}

/** The member that a member asks for though no key says so: by a path, an alias, a patch, a catalog or `resolutions`. */
export function findOtherwise({ names, byPath, text }: Index, block: Block, { name, range }: Request): number | undefined {
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

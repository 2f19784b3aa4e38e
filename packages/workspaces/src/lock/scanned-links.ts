import type { RepoFolder } from '@tributary/model/paths';
import { type Numbered, nameOf, numberDescriptors } from './descriptors.js';
import { endOfLine } from './lines.js';
import { linksThroughPackages, type PackageLink } from './links.js';
import { type LockReach, reachOf } from './lock-reach.js';
import type { LockScan } from './lock-scan.js';
import { type BuiltinExtension, builtinExtensionsTo } from './package-extensions.js';
import { descriptorsOf, readPair } from './record.js';
import { References } from './references.js';
import { parseResolutions, type Resolution } from './resolutions.js';
import type { LockEntry } from './scan.js';

/** Of whom the links are asked for, by place, and `resolutions` of the root manifest. */
export interface LinkQuestion {
  readonly members: readonly number[];
  readonly resolutions: ReadonlyMap<string, string>;
}

/**
 * `linksThroughPackages` of the whole lockfile, as far as they lead to one of these members. Without `packageExtensions` of the settings.
 * `undefined` where it has to be read: something is not as Yarn writes it, a catalog decides, or Yarn itself may extend a package on the way.
 */
export function linksInScan(scan: LockScan, { members, resolutions }: LinkQuestion): readonly PackageLink[] | undefined {
  const ruled = parseResolutions(resolutions);
  const reach = reachOf(scan, members, [...ruled.keys()]);
  const dependents = reach === undefined ? undefined : dependentsIn({ reach, scan, resolutions, ruled });
  if (reach === undefined || dependents === undefined) return undefined;
  const paths = new Set(members.map((place) => scan.members[place]?.path));
  const graph = { index: { records: reach.entries }, dependentsOf: (place: number) => dependents[place] ?? [] };
  return linksThroughPackages(graph).filter(({ to }) => paths.has(to));
}

interface Parts {
  readonly reach: LockReach;
  readonly scan: LockScan;
  readonly resolutions: ReadonlyMap<string, string>;
  readonly ruled: ReadonlyMap<string, readonly Resolution[]>;
}

/** By place those that lead to each entry, in the order of a `LockGraph`. `undefined` where more has to be read to know them. */
function dependentsIn(parts: Parts): readonly (readonly number[])[] | undefined {
  const { entries, ways } = parts.reach;
  const dependents: number[][] = entries.map(() => []);
  for (let way = 0; way < ways.length; way += 2) dependents[ways[way] ?? 0]?.push(ways[way + 1] ?? 0);
  const left = waysLeft(parts);
  for (const [to, from] of left?.plain ?? []) dependents[to]?.push(from);
  for (const list of dependents) list.sort((a, b) => a - b);
  for (const [to, from] of left?.indirect ?? []) dependents[to]?.push(from);
  return left === undefined ? undefined : dependents;
}

/** By place: to and from. */
type Way = readonly [number, number];

interface WaysLeft {
  /** Those that a key says by itself. */
  readonly plain: readonly Way[];
  /** Those that resolutions and patches lead over. */
  readonly indirect: readonly Way[];
}

function waysLeft(parts: Parts): WaysLeft | undefined {
  const extended = extendedIn(parts);
  const lines = leftLines(parts);
  const places = placesOf(parts.reach, new Set(extended.map(({ name }) => name)));
  if (places.length === 0) return { plain: [], indirect: [] };
  const references = referencesIn(parts, places);
  if (extended.some((one) => mayBeExtended(parts, references, one)) || lines.some((line) => asksCatalog(parts, line))) return undefined;
  const { owners, numbers } = references.index;
  const way = (number: number, from: number): Way => [places[owners[number] ?? -1] ?? -1, from];
  const plain: Way[] = [];
  const indirect: Way[] = [];
  for (const { from, name, range } of lines) {
    const parent = { resolution: parts.reach.entries[from]?.resolution ?? '' };
    const number = references.findPlain(name, range);
    if (number !== undefined) plain.push(way(number, from));
    else indirect.push(...references.find({ parent, name, range }).map((one) => way(one, from)));
  }
  for (const { number, source } of references.patches) {
    const found = numbers.get(source);
    const from = places[owners[number] ?? -1] ?? -1;
    for (const target of found === undefined ? references.findByName(nameOf(source)) : [found]) indirect.push(way(target, from));
  }
  return { plain, indirect };
}

/** Whether what it leads to stands in the settings. */
function asksCatalog({ ruled }: Parts, { name, range }: LeftLine): boolean {
  return range.startsWith('catalog:') || ruled.get(name)?.some(({ to }) => to.startsWith('catalog:')) === true;
}

interface LeftLine {
  /** The place of the entry. */
  readonly from: number;
  readonly name: string;
  readonly range: string;
}

/** In the order of the text. */
function leftLines({ reach, scan: { text } }: Parts): readonly LeftLine[] {
  const lines: (LeftLine & { readonly at: number })[] = [];
  for (let line = 0; line < reach.left.length; line += 2) {
    const [from = 0, at = 0] = reach.left.subarray(line, line + 2);
    const [name, range] = readPair(text.slice(text.lastIndexOf('\n', at) + 1, endOfLine(text, at)));
    lines.push({ from, name, range, at });
  }
  return lines.sort((a, b) => a.at - b.at);
}

/** The entries that are left lines may lead to, and those of further names. */
function placesOf({ entries }: LockReach, names: ReadonlySet<string>): readonly number[] {
  return [...entries.keys()].filter((place) => {
    const entry = entries[place];
    return entry !== undefined && (entry.hasLeft || (names.size > 0 && descriptorsOf(entry).some((one) => names.has(nameOf(one)))));
  });
}

/** Finds what is asked for among the entries at these places, in their order. Behind them stands the root, from which resolutions are seen. */
function referencesIn({ reach, scan, resolutions }: Parts, places: readonly number[]): References<Numbered> {
  const records: LockEntry[] = places.flatMap((place) => reach.entries[place] ?? []);
  const root = scan.members.find(({ path }) => path === '');
  if (root !== undefined && records.every(({ workspace }) => workspace !== '')) {
    const locator = `${root.name}@workspace:.`;
    records.push({ key: locator, resolution: locator, workspace: '' as RepoFolder });
  }
  return new References(numberDescriptors(records), { resolutions, extensions: [], catalogs: new Map() });
}

/** What Yarn by itself lets packages ask for that leads here. */
function extendedIn({ reach, scan }: Parts): readonly BuiltinExtension[] {
  const names = new Set(reach.entries.flatMap((entry) => descriptorsOf(entry).map(nameOf)));
  const isThere = (name: string): boolean => scan.text.includes(`"${name}@`) || scan.text.includes(`, ${name}@`);
  return builtinExtensionsTo(names).filter(({ parent }) => isThere(parent));
}

/** Whether it is there to be asked for, so that the version of who asks decides. */
function mayBeExtended({ ruled }: Parts, references: References<Numbered>, { parent, name, range }: BuiltinExtension): boolean {
  if (ruled.get(name)?.some(({ from }) => from?.name === parent) === true) return true;
  return references.findExact({ parent: { resolution: `${parent}@` }, name, range }).length > 0;
}

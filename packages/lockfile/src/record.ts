import type { EntryHead, LockRecord } from './scan.js';
import { type Block, readSyml } from './syml.js';

/** Returns the descriptors that resolve to an entry, such as `lib@npm:^1.0.0`; at least one. */
export function descriptorsOf({ key }: EntryHead): readonly string[] {
  if (!key.includes(',')) return [key];
  const parts = key.split(', ');
  return parts.some((part) => part.includes(',') || part.trim() !== part) ? key.split(/ *, */) : parts;
}

/** Returns the dependencies of an entry: name and range, in the order and notation of the file. */
export function pairsOf(record: LockRecord): readonly (readonly [string, string])[] {
  if (record.dependenciesAt > 0) return dependencyLines(record).map(readPair);
  return readSyml(record.block).flatMap(({ dependencies }) => [...dependencies]);
}

/** Returns the dependency lines of an entry in Yarn's usual notation; none for other entries. */
export function dependencyLines({ block, dependenciesAt, dependenciesEnd }: LockRecord): readonly string[] {
  const lines: string[] = [];
  for (let at = dependenciesAt; at < dependenciesEnd && dependenciesAt > 0; ) {
    const end = block.indexOf('\n', at);
    lines.push(block.slice(at, end));
    at = end + 1;
  }
  return lines;
}

/** Returns name and range of `    "@acme/ui": "npm:^1.0.0"`. */
export function readPair(line: string): [string, string] {
  const middle = line.startsWith('"', 4) ? line.indexOf('": ', 5) + 1 : line.indexOf(': ', 4);
  return [unquoted(line.slice(4, middle)), unquoted(line.slice(middle + 2))];
}

/** Returns the version of an entry; `` if it has none. */
export function versionOf({ block, bodyAt, dependenciesAt }: LockRecord): string {
  if (dependenciesAt === 0) return readSyml(block)[0]?.texts.get('version') ?? '';
  // It is the first field, if present.
  if (!block.startsWith('  version: ', bodyAt)) return '';
  return block.slice(bodyAt + '  version: '.length, block.indexOf('\n', bodyAt));
}

/** Returns its peer dependencies: name and range. */
export function peersOf({ block, dependenciesAt }: LockRecord): readonly (readonly [string, string])[] {
  const start = block.indexOf(PEERS);
  if (start < 0) return [];
  if (dependenciesAt === 0) return readSyml(block).flatMap(({ peerDependencies }) => [...peerDependencies]);
  return linesBelow(block, start + PEERS.length).map(readPair);
}

const PEERS = '\n  peerDependencies:\n';

/** Returns the names of its binaries. */
export function binariesIn({ otherFields }: Pick<Block, 'otherFields'>): readonly string[] {
  return (otherFields.get('bin') ?? []).flatMap((line) => /^ {4}"?([^":]+)"?: /.exec(line)?.[1] ?? []);
}

function linesBelow(block: string, start: number): readonly string[] {
  const lines: string[] = [];
  for (let at = start; block.startsWith('    ', at); at = block.indexOf('\n', at) + 1) lines.push(block.slice(at, block.indexOf('\n', at)));
  return lines;
}

/**
 * Returns whether two entries are the same package, including content and dependencies. For a workspace only the folder counts: the
 * lockfile does not record changes inside it. Descriptors and the order of fields do not count.
 */
export function isSameEntry(one: LockRecord, other: LockRecord): boolean {
  if (one === other) return true;
  if (one.resolution !== other.resolution) return false;
  if (one.workspace !== undefined) return true;
  const bodies = [one.block.slice(one.bodyAt).trimEnd(), other.block.slice(other.bodyAt).trimEnd()] as const;
  return bodies[0] === bodies[1] || inOrder(bodies[0]) === inOrder(bodies[1]);
}

/** Returns the fields, and the lines below each, sorted. */
function inOrder(body: string): string {
  return body
    .split(/\n(?= {2}\S)/)
    .map((field) => {
      const [head, ...lines] = field.split('\n');
      return [head, ...lines.sort()].join('\n');
    })
    .sort()
    .join('\n');
}

function unquoted(scalar: string): string {
  return scalar.startsWith('"') ? scalar.slice(1, -1) : scalar;
}

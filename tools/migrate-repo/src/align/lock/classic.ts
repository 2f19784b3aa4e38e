import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import { parseSyml } from '@yarnpkg/parsers';
import { type Asker, collectAsks } from './asks.js';
import { directDependencies } from './direct.js';
import { asksRegistry, type LockEdge, type LockedPackage, type LockReading } from './reading.js';

interface ClassicEntry {
  readonly version: string;
  readonly source: string | undefined;
  readonly dependencies: readonly (readonly [string, string])[];
}

/** Reads a yarn.lock of Yarn 1. Throws an `Error` for a text that is none. */
export function readClassicLock(text: string, manifest: Manifest): LockReading {
  const entries = readEntries(text);
  const direct = directDependencies(manifest);
  const edges: LockEdge[] = [...direct].map(([name, range]) => edgeOf(entries, [name, range], true));
  for (const entry of new Set(entries.values())) edges.push(...entry.dependencies.map((pair) => edgeOf(entries, pair, false)));
  // A pattern that nobody asks for any more keeps its version too.
  const asked = new Set(edges.map(({ name, range }) => `${name}@${range}`));
  for (const pattern of entries.keys()) {
    if (!asked.has(pattern)) edges.push(edgeOf(entries, splitPattern(pattern), false));
  }
  const packages = [...entries].flatMap(([pattern, entry]) => packageOf(splitPattern(pattern), entry));
  const asks = collectAsks([...entries].map(([pattern, entry]) => asker(splitPattern(pattern), entry)));
  return { kind: 'yarn classic', edges, packages, asks };
}

function readEntries(text: string): ReadonlyMap<string, ClassicEntry> {
  const blocks: unknown = parseSyml(text);
  if (!isPlainObject(blocks)) throw new Error('it holds no entries');
  const entries = new Map<string, ClassicEntry>();
  const known = new Map<unknown, ClassicEntry>();
  for (const [pattern, block] of Object.entries(blocks)) {
    if (!isPlainObject(block) || typeof block['version'] !== 'string') throw new Error(`its entry "${pattern}" has no version`);
    const entry = known.get(block) ?? {
      version: block['version'],
      source: typeof block['resolved'] === 'string' ? block['resolved'] : undefined,
      dependencies: [...pairsOf(block['dependencies']), ...pairsOf(block['optionalDependencies'])],
    };
    known.set(block, entry);
    entries.set(pattern, entry);
  }
  return entries;
}

function pairsOf(value: unknown): [string, string][] {
  return isPlainObject(value) ? Object.entries(value).map(([name, range]) => [name, String(range)]) : [];
}

function edgeOf(entries: ReadonlyMap<string, ClassicEntry>, [name, range]: readonly [string, string], direct: boolean): LockEdge {
  const pattern = `${name}@${range}`;
  // Yarn 1 writes a request without a range with the name alone.
  const entry = entries.get(pattern) ?? (range === '' ? entries.get(name) : undefined);
  return { name, range, version: entry !== undefined && asksRegistry(range) ? entry.version : undefined, direct };
}

/** `@acme/ui@^1.0.0` -> name and range. */
function splitPattern(pattern: string): [string, string] {
  const at = pattern.indexOf('@', 1);
  return at < 0 ? [pattern, ''] : [pattern.slice(0, at), pattern.slice(at + 1)];
}

function asker([name, range]: readonly [string, string], { dependencies }: ClassicEntry): Asker {
  return { names: [name, realName(range) ?? name], asked: dependencies.map(([asked]) => asked) };
}

function packageOf([name, range]: readonly [string, string], { version, source }: ClassicEntry): LockedPackage[] {
  if (!asksRegistry(range)) return [];
  return [{ name: realName(range) ?? name, version, source }];
}

/** Of an alias. */
function realName(range: string): string | undefined {
  return /^npm:(@?[^@]+)@/.exec(range)?.[1];
}

import { type LockEntry, type Lockfile, readLockText, splitDescriptor, Unreadable, type UnreadableLockfile } from './lockfile.js';
import { type Block, readSyml } from './syml.js';

/** Returns whether a text is a lockfile of Yarn 1, which has this comment, and values without a colon. */
export function isClassic(text: string): boolean {
  return !/^__metadata:/m.test(text) && (/^# yarn lockfile v1\s*$/m.test(text) || /^ {2}version "/m.test(text));
}

/**
 * Parses a yarn.lock of Yarn 1. If a key is repeated, the last one counts, as in Yarn. Never throws. Source: `stringify` and `parse` of
 * @yarnpkg/lockfile.
 */
export function parseClassic(text: string): Lockfile | UnreadableLockfile {
  return readLockText(text, (bare) => buildLockfile(readSyml(bare, 'classic')));
}

function buildLockfile(blocks: readonly Block[]): Lockfile {
  const owners = new Map(blocks.flatMap((block) => descriptorsOf(block.key).map((descriptor) => [descriptor, block] as const)));
  const entries = blocks.flatMap((block) => buildEntries(block, (descriptor) => owners.get(descriptor) === block));
  const byDescriptor = new Map(entries.flatMap((entry) => entry.descriptors.map((descriptor) => [descriptor, entry] as const)));
  return {
    kind: 'classic',
    entries,
    // Yarn 1 writes a descriptor without a range as the name alone.
    resolve: ({ name, range }) => byDescriptor.get(`${name}@${range}`) ?? (range === '' ? byDescriptor.get(name) : undefined),
  };
}

/** Returns one entry, or several with the same dependencies if the descriptors are for packages with different names. */
function buildEntries({ key, texts, dependencies }: Block, isOwned: (descriptor: string) => boolean): readonly LockEntry[] {
  const version = texts.get('version');
  if (version === undefined) throw new Unreadable(`its entry "${key}" has no version`);
  const descriptors = descriptorsOf(key).filter(isOwned);
  return [...new Set(descriptors.map(realName))].map((name) => ({
    name,
    version,
    descriptors: descriptors.filter((descriptor) => realName(descriptor) === name),
    archive: texts.get('resolved'),
    integrity: texts.get('integrity'),
    dependencies,
    peerDependencies: new Map(),
    optionalPeers: new Set(),
    binaries: [],
  }));
}

/** Returns the descriptors of a key: `"a@1 - 2", b@^1` -> both. */
function descriptorsOf(key: string): readonly string[] {
  return [...key.matchAll(/"([^"]*)"|[^\s",][^",]*/g)].map(([whole, quoted]) => quoted ?? whole);
}

/** Returns the name of the package behind an alias: `kit@npm:tools@^1.0.0` -> `tools`. */
function realName(descriptor: string): string {
  const { name, range } = splitDescriptor(descriptor);
  return /^npm:(@?[^@]+)@/.exec(range)?.[1] ?? name;
}

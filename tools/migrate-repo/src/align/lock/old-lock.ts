import {
  isInstalled,
  LOCKFILE_NAMES,
  type LockEntry,
  type Lockfile,
  type LockfileName,
  type LockfileText,
} from '@tributary/lockfile/lockfile';
import { parseLockfile } from '@tributary/lockfile/parse-lockfile';
import type { RepoFolder } from '@tributary/model/paths';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { OldLock } from '../project.js';
import { brokenLock, mismatchedLock, unknownFormat } from './broken.js';
import { asksRegistry, buildOldLock, type LockContent } from './content.js';
import { directDependencies } from './direct.js';
import { readEntries } from './entries.js';

const MANAGERS: Readonly<Record<LockfileName, string>> = {
  'yarn.lock': 'yarn',
  'npm-shrinkwrap.json': 'npm',
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
};

/**
 * Reads the lockfile of an imported package: the one of the package manager in its manifest, else yarn.lock first.
 * Returns `undefined` if there is none. Other `files` are ignored. Throws `LOCKFILE_INVALID`, `LOCKFILE_UNSUPPORTED`,
 * `LOCKFILE_MISMATCH`.
 */
export function readOldLock(files: readonly LockfileText[], manifest: Manifest, shared?: SharedRoot): OldLock | undefined {
  const known = LOCKFILE_NAMES.flatMap((name) => files.filter((file) => file.name === name));
  const named = (shared?.root ?? manifest).packageManager?.split('@')[0];
  const chosen = known.find(({ name }) => MANAGERS[name] === named) ?? known[0];
  if (chosen === undefined) return undefined;
  const ignored = known.filter((file) => file !== chosen).map(({ name }) => name);
  if (shared !== undefined) return readSharedLock(chosen, manifest, shared, ignored);
  const content = readEntries(parse(chosen), manifest);
  requireMatch(chosen.name, content, manifest);
  return buildOldLock(chosen.name, content, ignored);
}

/** The root of a monorepo that the imported package was a workspace of. */
export interface SharedRoot {
  /** The package's folder in it. */
  readonly folder: RepoFolder;
  readonly root: Manifest;
  /** Whether the package's files have a name in them. */
  readonly isNamed: (name: string) => boolean;
}

/**
 * Reads the lockfile of a whole monorepo for one of its workspaces: what it needs itself, and what the root declares
 * for all and it names. The lockfile may lack a dependency that was a workspace.
 */
function readSharedLock(
  file: LockfileText,
  manifest: Manifest,
  { folder, root, isNamed }: SharedRoot,
  ignored: readonly string[],
): OldLock {
  const lock = parse({ ...file, importer: folder });
  const ofRoot = parse(file);
  const tools = [...directDependencies(root)].filter(([name]) => isNamed(name));
  const [own, ofTools] = [reachedFrom(lock, [...directDependencies(manifest)]), reachedFrom(ofRoot, tools)];
  // Both readings have the same entries.
  const entries = lock.entries.filter((entry, at) => own.has(entry) || ofTools.has(ofRoot.entries[at]));
  const whole = readEntries(lock, manifest);
  const content = { ...readEntries({ ...lock, entries }, manifest), tops: whole.tops, others: whole.packages };
  return { ...buildOldLock(file.name, content, ignored), isShared: true };
}

/** Returns the installed packages that dependencies lead to. */
function reachedFrom(lock: Lockfile, dependencies: readonly (readonly [string, string])[]): ReadonlySet<LockEntry | undefined> {
  const reached = new Set<LockEntry>();
  const follow = (from: LockEntry | undefined, asked: Iterable<readonly [string, string]>): void => {
    for (const [name, range] of asked) {
      const entry = lock.resolve({ from, name, range });
      if (entry !== undefined && isInstalled(entry)) reached.add(entry);
    }
  };
  follow(undefined, dependencies);
  // The set grows meanwhile.
  for (const entry of reached) follow(entry, [...entry.dependencies, ...entry.peerDependencies]);
  return reached;
}

function parse(file: LockfileText): Lockfile {
  const lock = parseLockfile(file);
  if (lock.kind === 'unreadable') throw brokenLock(file.name, lock.reason);
  if (lock.kind === 'unsupported') throw unknownFormat(file.name, lock.found, lock.known);
  return lock;
}

/** Throws if direct dependencies are missing. Overridden dependencies are exempt, because some formats omit their requests. */
function requireMatch(file: string, { edges }: LockContent, manifest: Manifest): void {
  const direct = directDependencies(manifest);
  const overridden = new Set([...manifest.resolutions.keys()].map((path) => path.replace(/^.*?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?$/, '$1')));
  const missing = edges.filter(
    ({ name, range, version, direct: own }) =>
      own && direct.get(name) === range && asksRegistry(range) && version === undefined && !overridden.has(name),
  );
  if (missing.length > 0) throw mismatchedLock(file, missing.map(({ name, range }) => `${name}@${range}`).sort());
}

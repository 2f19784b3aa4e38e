import { LOCKFILE_NAMES, type Lockfile, type LockfileName, type LockfileText } from '@tributary/lockfile/lockfile';
import { parseLockfile } from '@tributary/lockfile/parse-lockfile';
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
export function readOldLock(files: readonly LockfileText[], manifest: Manifest): OldLock | undefined {
  const known = LOCKFILE_NAMES.flatMap((name) => files.filter((file) => file.name === name));
  const named = manifest.packageManager?.split('@')[0];
  const chosen = known.find(({ name }) => MANAGERS[name] === named) ?? known[0];
  if (chosen === undefined) return undefined;
  const content = readEntries(parse(chosen), manifest);
  requireMatch(chosen.name, content, manifest);
  const ignored = known.filter((file) => file !== chosen).map(({ name }) => name);
  return buildOldLock(chosen.name, content, ignored);
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

import { isToolError } from '@tributary/model/errors';
import { conflictLine, withoutBom } from '@tributary/workspaces/file-text';
import { parseLockfile } from '@tributary/workspaces/lock/lockfile';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { OldLock } from '../project.js';
import { readBerryLock } from './berry.js';
import { brokenLock, mismatchedLock } from './broken.js';
import { readClassicLock } from './classic.js';
import { directDependencies } from './direct.js';
import { readNpmLock } from './npm.js';
import { readPnpmLock } from './pnpm.js';
import { asksRegistry, buildOldLock, type LockReading } from './reading.js';

/** A lockfile by its name, from the newcomer's folder. */
export interface LockText {
  readonly name: string;
  readonly text: string;
}

interface Format {
  readonly manager: 'yarn' | 'npm' | 'pnpm';
  readonly read: (text: string, manifest: Manifest, file: string) => LockReading;
}

/** By the name of the file; the first that is there counts, unless `packageManager` says otherwise. npm prefers its shrinkwrap. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['yarn.lock', { manager: 'yarn', read: readYarnLock }],
  ['npm-shrinkwrap.json', { manager: 'npm', read: readNpmLock }],
  ['package-lock.json', { manager: 'npm', read: readNpmLock }],
  ['pnpm-lock.yaml', { manager: 'pnpm', read: readPnpmLock }],
]);

/** The names of the files that `readOldLock` understands. */
export const LOCK_NAMES: readonly string[] = [...FORMATS.keys()];

/**
 * Reads what a newcomer has locked: the lockfile of the package manager that its manifest names, else yarn.lock first. `undefined` where
 * it has none; other files among `files` are ignored. Throws `LOCKFILE_INVALID`, `LOCKFILE_UNSUPPORTED`, `LOCKFILE_MISMATCH`.
 */
export function readOldLock(files: readonly LockText[], manifest: Manifest): OldLock | undefined {
  const known = LOCK_NAMES.flatMap((name) => files.filter((file) => file.name === name));
  const named = manifest.packageManager?.split('@')[0];
  const chosen = known.find(({ name }) => FORMATS.get(name)?.manager === named) ?? known[0];
  if (chosen === undefined) return undefined;
  const reading = read(chosen, manifest);
  requireMatch(chosen.name, reading, manifest);
  const ignored = known.filter((file) => file !== chosen).map(({ name }) => name);
  return buildOldLock(chosen.name, reading, ignored);
}

function read({ name, text }: LockText, manifest: Manifest): LockReading {
  const bare = withoutBom(text);
  const line = conflictLine(bare);
  if (line !== undefined) throw brokenLock(name, `line ${line} is a conflict marker of a merge that was not finished`);
  const format = FORMATS.get(name);
  if (format === undefined) throw new Error(`${name} is no lockfile`);
  try {
    return format.read(bare, manifest, name);
  } catch (error) {
    if (isToolError(error) || !(error instanceof Error)) throw error;
    throw brokenLock(name, (error.message.split('\n')[0] ?? '').replace(/\.$/, ''));
  }
}

function readYarnLock(text: string, manifest: Manifest): LockReading {
  const { kind } = parseLockfile(text);
  return kind === 'classic' || (kind === 'unreadable' && !/^__metadata:/m.test(text))
    ? readClassicLock(text, manifest)
    : readBerryLock(text, manifest);
}

/** Overridden dependencies are excepted: some formats leave the request out. */
function requireMatch(file: string, { edges }: LockReading, manifest: Manifest): void {
  const direct = directDependencies(manifest);
  const overridden = new Set([...manifest.resolutions.keys()].map((path) => path.replace(/^.*?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?$/, '$1')));
  const missing = edges.filter(
    ({ name, range, version, direct: own }) =>
      own && direct.get(name) === range && asksRegistry(range) && version === undefined && !overridden.has(name),
  );
  if (missing.length > 0) throw mismatchedLock(file, missing.map(({ name, range }) => `${name}@${range}`).sort());
}

import { isInstalled, type LockEntry, type LockfileText } from '@tributary/lockfile/lockfile';
import { parseEntriesOf } from '@tributary/lockfile/parse-lockfile';
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';

/**
 * Returns the version that a lockfile resolves each wanted package to; if there are several, the highest. A text that cannot be read as a
 * lockfile has a problem, a sentence that begins with the file.
 */
export function lockedVersions(file: LockfileText, wanted: ReadonlySet<string>): ReadonlyMap<string, string> | LockProblem {
  const lock = parseEntriesOf(file, wanted);
  if (lock.kind === 'unreadable') return { problem: `${file.name}: ${lock.reason}.` };
  if (lock.kind === 'unsupported')
    return { problem: `${file.name}: it has format version ${lock.found}, but only ${lock.known} are supported.` };
  const found = new Map<string, string>();
  for (const entry of lock.entries) {
    const version = wanted.has(entry.name) && isPublished(entry) ? valid(entry.version) : null;
    const before = found.get(entry.name);
    if (version !== null && (before === undefined || compare(version, before) > 0)) found.set(entry.name, version);
  }
  return found;
}

export interface LockProblem {
  readonly problem: string;
}

/** A patched package counts as the original one. */
function isPublished(entry: LockEntry): boolean {
  return isInstalled(entry) && (entry.resolution === undefined || /^.[^@]*@(?:npm:|patch:.*@npm%3A)/.test(entry.resolution));
}

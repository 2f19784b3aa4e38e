import { parseLockfile } from '@tributary/lockfile/parse-lockfile';
import type { Observation } from './observation.js';

/** The packages of a yarn.lock, as `name@version`; none of a text that is no lockfile. */
export function lockedPackages(text: string | undefined): ReadonlySet<string> {
  const lock = text === undefined ? undefined : parseLockfile({ name: 'yarn.lock', text });
  return new Set(lock !== undefined && 'entries' in lock ? lock.entries.map(({ name, version }) => `${name}@${version}`) : []);
}

/** A package that was there and is not locked: something else than an installation has made it, or it came inside of another package. */
export function findUnlocked(packages: Observation['packages'], locked: ReadonlySet<string>): string | undefined {
  const found = packages.find(({ name, version }) => version !== null && !locked.has(`${name}@${version}`));
  return found === undefined ? undefined : `node_modules/${found.name}, which is not in yarn.lock`;
}

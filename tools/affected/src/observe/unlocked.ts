import { parseBerry } from '@tributary/lockfile/berry';
import { parseClassic } from '@tributary/lockfile/classic';
import type { Observation } from './observation.js';

/** The packages of a yarn.lock, as `name@version`; none of a text that is no lockfile. */
export function lockedPackages(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set();
  const berry = parseBerry(text);
  const lock = berry.kind === 'classic' ? parseClassic(text) : berry;
  return new Set('entries' in lock ? lock.entries.map(({ name, version }) => `${name}@${version}`) : []);
}

/** A package that was there and is not locked: something else than an installation has made it, or it came inside of another package. */
export function findUnlocked(packages: Observation['packages'], locked: ReadonlySet<string>): string | undefined {
  const found = packages.find(({ name, version }) => version !== null && !locked.has(`${name}@${version}`));
  return found === undefined ? undefined : `node_modules/${found.name}, which is not in yarn.lock`;
}

import { parseBerry } from '@tributary/lockfile/berry';
import { parseClassic } from '@tributary/lockfile/classic';
import type { Observation } from './observation.js';

/** Returns the packages of a yarn.lock, as `name@version`; none if the text is not a lockfile. */
export function lockedPackages(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set();
  const berry = parseBerry(text);
  const lock = berry.kind === 'classic' ? parseClassic(text) : berry;
  return new Set('entries' in lock ? lock.entries.map(({ name, version }) => `${name}@${version}`) : []);
}

/** Returns an installed package that is not locked: something other than an installation created it, or it came inside another package. */
export function findUnlocked(packages: Observation['packages'], locked: ReadonlySet<string>): string | undefined {
  const found = packages.find(({ name, version }) => version !== null && !locked.has(`${name}@${version}`));
  return found === undefined
    ? undefined
    : `node_modules/${found.name}${found.version ? ` ${found.version}` : ''}, which is not in yarn.lock`;
}

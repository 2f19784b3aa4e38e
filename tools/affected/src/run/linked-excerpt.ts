import type { BerryMembers } from '@tributary/workspaces/lock/berry-members';
import { excerptAround } from '@tributary/workspaces/lock/excerpt';
import { linksThroughPackages, type PackageLink } from '@tributary/workspaces/lock/links';
import { builtinExtensions } from '@tributary/workspaces/lock/package-extensions';
import { lockGraphOf } from '../reasons/lock-side.js';
import { readRootRules } from './root-rules.js';
import type { Situation } from './situation.js';

/**
 * The ways through packages from outside to some of the members, by their places, found in an excerpt of the lockfile. `undefined` where the
 * whole has to be read.
 */
export async function findLinksInExcerpt(
  { files, texts }: Pick<Situation, 'files' | 'texts'>,
  { graph, source }: BerryMembers,
  places: readonly number[],
): Promise<readonly PackageLink[] | undefined> {
  const rules = await readRootRules(texts, files);
  if ('all' in rules) return undefined;
  const asked = places.flatMap((place) => graph.members[place] ?? []);
  const names = new Set(asked.map(({ name }) => name));
  const excerpt = excerptAround(names, source.text, [...builtinExtensions(), ...rules.extensions]);
  const lock = excerpt === undefined ? undefined : lockGraphOf({ ...rules, texts: { ...texts, 'yarn.lock': excerpt } });
  const folders = new Set(asked.map(({ path }) => path));
  // Of other names the excerpt may have the workspace alone, and a package of the registry that is meant would not be found.
  return lock === undefined ? undefined : linksThroughPackages(lock).filter(({ to }) => folders.has(to));
}

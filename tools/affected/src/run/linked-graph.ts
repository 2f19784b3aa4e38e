import type { BerryMembers } from '@tributary/workspaces/lock/berry-members';
import { excerptAround } from '@tributary/workspaces/lock/excerpt';
import { namesResolved } from '@tributary/workspaces/lock/outside';
import { builtinExtensions } from '@tributary/workspaces/lock/package-extensions';
import { type MemberGraph, ownerPlace } from '@tributary/workspaces/members';
import { lockGraphOf } from '../reasons/lock-side.js';
import { withPackageLinks } from '../reasons/package-links.js';
import { readRootRules } from './root-rules.js';
import type { Situation } from './situation.js';

/**
 * The graph with the edges that lead through packages from outside, found in an excerpt of the lockfile. `undefined` where the whole has to be
 * read: it is not as Yarn writes it, or a path leads into a workspace.
 */
export async function findLinkedGraph(
  { files, texts }: Pick<Situation, 'files' | 'texts'>,
  members: BerryMembers,
): Promise<MemberGraph | undefined> {
  const { graph, linked, source } = members;
  const root = graph.byPath.get('');
  const resolved = namesResolved(members, texts);
  if (resolved === undefined || !source.isAsYarnWrites() || linked.some((folder) => ownerPlace(graph, folder) !== root)) return undefined;
  const rules = await readRootRules(texts, files);
  if ('all' in rules) return undefined;
  const asked = graph.members.filter(({ name }, place) => resolved.has(name) || source.edges.areAskedOutside([place]));
  const names = new Set(asked.map(({ name }) => name));
  const excerpt = excerptAround(names, source.text, [...builtinExtensions(), ...rules.extensions]);
  const lock = excerpt === undefined ? undefined : lockGraphOf({ ...rules, texts: { ...texts, 'yarn.lock': excerpt } });
  const folders = new Set(asked.map(({ path }) => path));
  // Of other names the excerpt may have the workspace alone, and a package of the registry that is meant would not be found.
  return lock === undefined ? undefined : withPackageLinks({ graph }, lock, ({ to }) => folders.has(to));
}

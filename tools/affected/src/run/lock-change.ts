import { unchangedGraph } from '@tributary/workspaces/joined-graph';
import type { BerryMembers } from '@tributary/workspaces/lock/berry-members';
import { excerptOf } from '@tributary/workspaces/lock/excerpt';
import { builtinExtensions } from '@tributary/workspaces/lock/package-extensions';
import { findLockReasons, type LockReasons } from '../reasons/lock-reasons.js';
import type { RootRules } from '../side.js';
import { readRootRules } from './root-rules.js';
import type { Situation } from './situation.js';

/**
 * Who gets other packages by a change of yarn.lock that leaves the graph of the workspaces as it is, found in an excerpt of both
 * lockfiles; `before` is the old one. `undefined` where it may be more than that, so that both commits have to be read: what a
 * workspace or the root gets, a package that has the name of one, or the file is not as Yarn writes it.
 */
export async function findLockChange(
  { files, texts }: Pick<Situation, 'files' | 'texts'>,
  { before, members }: { readonly before: string; readonly members: BerryMembers },
): Promise<LockReasons | undefined> {
  const { graph } = members;
  const rules = await readRootRules(texts, files);
  if ('all' in rules) return undefined;
  const excerpt = excerptOf(before, texts['yarn.lock'] ?? '', {
    extensions: [...builtinExtensions(), ...rules.extensions],
    isHeadKnown: () => members.source.isAsYarnWrites(),
  });
  if (excerpt === undefined || graph.members.some(({ name }) => excerpt.changed.has(name))) return undefined;
  const side = (lock: string): RootRules => ({ ...rules, texts: { ...texts, 'yarn.lock': lock } });
  const [base, head] = [side(excerpt.base), side(excerpt.head)];
  const reasons = findLockReasons({ base, head, joined: unchangedGraph(graph), files, lockGraph: undefined });
  return reasons.all === undefined && reasons.root.length === 0 ? reasons : undefined;
}

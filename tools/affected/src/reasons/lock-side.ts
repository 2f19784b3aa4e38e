import type { LockSide } from '@tributary/workspaces/lock/diff';
import { buildLockGraph, type LockGraph } from '@tributary/workspaces/lock/graph';
import { indexLock } from '@tributary/workspaces/lock/indexed';
import type { RootRules } from '../side.js';

/** The lockfile of a side with what is laid over it; `undefined` where there is none. */
export function lockSideOf({ texts, rootManifest, settings, extensions }: RootRules): LockSide | undefined {
  const text = texts['yarn.lock'];
  return text === undefined ? undefined : { text, resolutions: rootManifest.resolutions, extensions, catalogs: settings.catalogs };
}

/** Who reaches what in the lockfile of a side; `undefined` where it cannot tell. */
export function lockGraphOf(side: RootRules): LockGraph | undefined {
  const rules = lockSideOf(side);
  const index = rules === undefined ? undefined : indexLock(rules.text);
  return rules === undefined || index?.kind !== 'berry' ? undefined : buildLockGraph(index, rules);
}

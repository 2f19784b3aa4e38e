import type { Member } from '@tributary/workspaces/dependency-graph';
import { asksFromOutside, isNamedInExtensions, isResolvedTo } from '@tributary/workspaces/lock/outside';
import type { Snapshot } from '../snapshot.js';

/** Whether a third-party package may lead to one of these workspaces, so that the whole lockfile must be followed to know the edges. */
export function mayLeadThroughPackages({ lock, texts }: Snapshot, members: readonly Member[]): boolean {
  // Of Yarn 1 every answer reads the manifests anyway.
  if (lock?.kind !== 'berry') return lock?.kind === 'classic';
  return asksFromOutside(lock, members) || isResolvedTo(lock, members, texts) || isNamedInExtensions(texts['.yarnrc.yml'], members);
}

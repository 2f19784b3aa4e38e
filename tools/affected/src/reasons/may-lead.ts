import type { DependencyGraph, Member } from '@tributary/workspaces/dependency-graph';
import { asksFromOutside, isNamedInExtensions, isResolvedTo } from '@tributary/workspaces/lock/outside';
import type { Snapshot } from '../snapshot.js';

/** Tells whether a third-party package may lead to one of these workspaces, so that edges require the whole lockfile. */
export function mayLeadThroughPackages({ lock, texts }: Snapshot, members: readonly Member[]): boolean {
  // With Yarn 1, every answer reads the manifests anyway.
  if (lock?.kind !== 'berry') return lock?.kind === 'classic';
  const locked = members.map((member) => asLocked(member, lock.graph));
  return asksFromOutside(lock, locked) || isResolvedTo(lock, locked, texts) || isNamedInExtensions(texts['.yarnrc.yml'], members);
}

/** Returns the member as the lockfile has it: one that is older than the manifests has a moved workspace at its former folder. */
function asLocked(member: Member, { byPath, members }: DependencyGraph): Member {
  return byPath.has(member.path) ? member : (members.find(({ name }) => name === member.name) ?? member);
}

import type { LockMembers } from './berry-members.js';
import { readCarefully } from './careful-members.js';
import { LaidLock } from './laid-lock.js';
import { scanMembers } from './scanned-members.js';

/**
 * Reads the members and their edges out of the text of a yarn.lock of Yarn 2 or later, which holds every workspace with its folder and
 * what it asks for, in the order of the file.
 *
 * An edge is a dependency whose descriptor resolves to the workspace; a path below its folder; a peer of its name, whatever the range,
 * because Yarn gives a package the peer that its dependents have; and what only `resolutions` or a catalog could resolve, by its name.
 * `membersOf` gives the same graph out of manifests. Never throws; it does not notice that the file is older than the manifests.
 */
export function readLockMembers(lock: string | LaidLock): LockMembers {
  const laid = typeof lock === 'string' ? LaidLock.of(lock) : lock;
  return (laid && scanMembers(laid)) ?? readCarefully(typeof lock === 'string' ? lock : lock.text);
}

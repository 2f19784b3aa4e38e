import type { BerryMembers } from './berry-members.js';
import { LaidLock } from './laid-lock.js';
import { scanMembers } from './scanned-members.js';

/** FOR TESTS. Scans a text as if it had been read from a disk: as bytes, of which nobody has made a text. */
export function scanText(text: string): BerryMembers | undefined {
  const bytes = Buffer.from(text);
  const lock = LaidLock.ofSize(bytes.length);
  lock?.bytes().set(bytes);
  return lock && scanMembers(lock);
}

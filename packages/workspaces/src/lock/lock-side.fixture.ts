import { indexLock } from '@tributary/lockfile/lock-index';
import { diffLocks, type LockDiff, type LockSide } from './diff.js';

// FOR TESTS. Lockfiles as texts, indexed as `affected` does it: the base with the head as the similar one.

/** The text of a lockfile, with optional rules. */
export interface LockText extends Partial<Omit<LockSide, 'index'>> {
  readonly text: string;
}

const NO_RULES = { resolutions: new Map<string, string>(), extensions: [], catalogs: new Map() };

export function diffTexts({ text: before, ...base }: LockText, { text: after, ...head }: LockText): LockDiff {
  const index = indexLock(after);
  const similar = index.kind === 'berry' ? index : undefined;
  return diffLocks({ index: indexLock(before, similar), ...NO_RULES, ...base }, { index, ...NO_RULES, ...head });
}

import type { MainLineStep } from './layout.js';

const VERSION = String.raw`(?:@?[\w./-]+@)?v?\d+\.\d+\.\d+[\w.+-]*`;
const PREFIX = String.raw`(?:(?:chore|build|ci|release)(?:\([^)]*\))?!?:\s*)?`;
const WORDS = String.raw`(?:(?:release|publish|bump|version|prepare|set|update|new|to|for|the|of|packages?|and)\b[\s:]*)*`;
// In an imported commit, the number names its repository.
const END = String.raw`[\s.]*(?:\[skip ci\])?(?:\s*\((?:[\w.-]+/[\w./-]+)?#\d+\))?$`;

/** Matches `1.2.3`, `Release v1.2.3`, `chore(release): @acme/ui@1.2.3 (#12)`, `v1.2.3 (acme/ui#12)`. */
const NAMES_VERSIONS = new RegExp(`^${PREFIX}${WORDS}${VERSION}(?:[\\s,;&]+(?:and )?${VERSION})*${END}`, 'i');
const NAMES_NOTHING = new RegExp(`^${PREFIX}(?:publish|release|version packages|new versions?|bump versions?)${END}`, 'i');

/**
 * Tells whether a commit only releases the changes before it: it changes a version, and its other content or its message names nothing
 * else. `isTagged`: a release tag points to it.
 */
export function isVersionBump({ commit, bumps, isOnlyVersions }: MainLineStep, isTagged: boolean): boolean {
  if (bumps.size === 0) return isTagged && NAMES_VERSIONS.test(commit.subject);
  return isOnlyVersions || NAMES_VERSIONS.test(commit.subject) || NAMES_NOTHING.test(commit.subject);
}

import type { MainLineStep } from './layout.js';

const VERSION = String.raw`(?:@?[\w./-]+@)?v?\d+\.\d+\.\d+[\w.+-]*`;
const PREFIX = String.raw`(?:(?:chore|build|ci|release)(?:\([^)]*\))?!?:\s*)?`;
const WORDS = String.raw`(?:(?:release|publish|bump|version|prepare|set|update|new|to|for|the|of|packages?|and)\b[\s:]*)*`;
// An imported commit names the repository that the number is of.
const END = String.raw`[\s.]*(?:\[skip ci\])?(?:\s*\((?:[\w.-]+/[\w./-]+)?#\d+\))?$`;

/** `1.2.3`, `Release v1.2.3`, `chore(release): @acme/ui@1.2.3 (#12)`, `v1.2.3 (acme/ui#12)`. */
const NAMES_VERSIONS = new RegExp(`^${PREFIX}${WORDS}${VERSION}(?:[\\s,;&]+(?:and )?${VERSION})*${END}`, 'i');
const NAMES_NOTHING = new RegExp(`^${PREFIX}(?:publish|release|version packages|new versions?|bump versions?)${END}`, 'i');

/**
 * Whether a commit is no change of its own but brings out those before it: it changes a version, and nothing else or says nothing else. `isTagged`: a
 * tag for a release leads to it.
 */
export function isVersionBump({ commit, bumps, isOnlyVersions }: MainLineStep, isTagged: boolean): boolean {
  if (bumps.size === 0) return isTagged && NAMES_VERSIONS.test(commit.subject);
  return isOnlyVersions || NAMES_VERSIONS.test(commit.subject) || NAMES_NOTHING.test(commit.subject);
}

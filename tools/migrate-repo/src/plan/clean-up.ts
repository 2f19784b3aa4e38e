import type { ListedFile } from '@tributary/git/parse';

/** A file or folder that must not be imported, because it would override the root. */
export interface CleanUpRule {
  /** Matched against paths relative to the package's folder. What it matches is removed, whether it is a file or a folder. */
  readonly matches: RegExp;
  readonly reason: string;
}

/** A file or folder to remove in the clean-up commit. */
export interface Removal {
  /** Relative to the package's folder. */
  readonly path: string;
  readonly reason: string;
}

/** Only for the top of the package: an example inside it may be a separate project. */
const CLEAN_UP_RULES: readonly CleanUpRule[] = [
  { matches: /^yarn\.lock$/, reason: 'with it, Yarn treats the package as a separate project; the lockfile of the root applies' },
  {
    matches: /^(package-lock\.json|pnpm-lock\.yaml|bun\.lockb?)$/,
    reason: 'the lockfile of another package manager; the yarn.lock of the root applies',
  },
  { matches: /^\.yarnrc\.yml$/, reason: 'inside the package, it would override the linker and registry of the root' },
  { matches: /^\.yarnrc$/, reason: 'Yarn 2 and later does not read it' },
  { matches: /^\.yarn\/(releases|plugins|cache|unplugged|sdks)(?=\/|$)/, reason: 'the Yarn of the root is used' },
  { matches: /^\.yarn\/(install-state\.gz|build-state\.yml)$/, reason: 'the state of a former installation' },
  { matches: /^\.pnp\.(c?js|loader\.mjs|data\.json)$/, reason: 'it resolves modules for the package alone' },
  { matches: /^pnpm-workspace\.yaml$/, reason: 'it makes pnpm treat the package as a workspace root' },
];

/**
 * Returns what to remove, ordered by path. A folder is one entry, because a cache may have thousands of files. `files`:
 * paths relative to the package's folder.
 */
export function planCleanUp(files: readonly ListedFile[]): Removal[] {
  const removals = new Map<string, Removal>();
  for (const { path } of files) {
    for (const { matches, reason } of CLEAN_UP_RULES) {
      const found = matches.exec(path)?.[0];
      if (found !== undefined) removals.set(found, { path: found, reason });
    }
  }
  return [...removals.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

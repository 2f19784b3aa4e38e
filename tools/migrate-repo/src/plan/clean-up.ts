import type { ListedFile } from '@tributary/git/parse';

/** Something that must not come along, because it would hijack the workspace. */
export interface CleanUpRule {
  /** Matched against paths from the package's folder, from their beginning; what matches is taken away, be it a file or a folder. */
  readonly matches: RegExp;
  readonly reason: string;
}

/** A file or folder that is taken away in a commit of its own. */
export interface Removal {
  /** From the package's folder. */
  readonly path: string;
  readonly reason: string;
}

/** At the top of the package only: an example inside it may well be a project of its own. */
const CLEAN_UP_RULES: readonly CleanUpRule[] = [
  { matches: /^yarn\.lock$/, reason: 'with it, Yarn treats the package as a separate project; the lockfile of the root applies' },
  {
    matches: /^(package-lock\.json|pnpm-lock\.yaml|bun\.lockb?)$/,
    reason: 'the lockfile of another package manager; the yarn.lock of the root applies',
  },
  { matches: /^\.yarnrc(\.yml)?$/, reason: 'inside the package, it would override the linker and registry of the root' },
  { matches: /^\.yarn\/(releases|plugins|cache|unplugged|sdks)(?=\/|$)/, reason: 'the Yarn of the root is used' },
  { matches: /^\.yarn\/(install-state\.gz|build-state\.yml)$/, reason: 'the state of a former installation' },
  { matches: /^\.pnp\.(c?js|loader\.mjs|data\.json)$/, reason: 'it resolves modules for the package alone' },
  { matches: /^pnpm-workspace\.yaml$/, reason: 'it makes pnpm treat the package as a workspace root' },
];

/** What to take away, ordered by path, a whole folder as one: a cache has thousands of files. `files`: paths from the package's folder. */
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

import type { ListedFile } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';

/** Something that must not come along, because it would hijack the workspace. */
export interface CleanUpRule {
  /** Matched against paths from the package's folder. */
  readonly matches: RegExp;
  readonly reason: string;
}

/** A file that is taken away in a commit of its own. */
export interface Removal {
  /** From the package's folder. */
  readonly path: string;
  readonly reason: string;
}

/** At the top of the package only: an example inside it may well be a project of its own. */
export const CLEAN_UP_RULES: readonly CleanUpRule[] = [
  { matches: /^yarn\.lock$/, reason: 'it makes Yarn take the package for a project of its own; the lockfile of the root holds' },
  {
    matches: /^(package-lock\.json|pnpm-lock\.yaml|bun\.lockb?)$/,
    reason: 'the lockfile of another package manager; the yarn.lock of the root holds',
  },
  { matches: /^\.yarnrc(\.yml)?$/, reason: 'it overrides the linker and registry of the root for whoever stands in the package' },
  { matches: /^\.yarn\/(releases|plugins|cache|unplugged|sdks)\//, reason: 'Yarn is the one of the root' },
  { matches: /^\.yarn\/(install-state\.gz|build-state\.yml)$/, reason: 'the state of an installation that is no more' },
  { matches: /^\.pnp\.(c?js|loader\.mjs|data\.json)$/, reason: 'it resolves modules as the package alone had them' },
  { matches: /^pnpm-workspace\.yaml$/, reason: 'it makes pnpm take the package for a workspace root' },
];

/** The files to take away, ordered by path. `files`: paths from the package's folder. */
export function planCleanUp(files: readonly ListedFile[]): Removal[] {
  return files
    .flatMap((file) => {
      const path = nameAsText(file.path);
      const rule = CLEAN_UP_RULES.find((candidate) => candidate.matches.test(path));
      return rule === undefined ? [] : [{ path, reason: rule.reason }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

import type { Removed } from '@tributary/terminal/removed';

/** The commands and options that earlier versions had. CHANGELOG.md lists them too. */
export const REMOVED: Removed = {
  commands: { mirror: 'Push one folder of the monorepo to a repository of its own with josh: https://josh-project.github.io/josh/' },
  options: {},
};

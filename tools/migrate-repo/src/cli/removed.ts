import type { Removed } from '@tributary/terminal/removed';

/** The commands and options that earlier versions had. CHANGELOG.md lists them too. */
export const REMOVED: Removed = { commands: {}, options: {} };

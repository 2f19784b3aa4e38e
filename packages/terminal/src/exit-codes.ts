/**
 * The exit codes of all tools. `docs/errors.md` has the same table; a test compares the two, and searches the sources for exit codes that
 * are not listed here.
 */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Only for `commit-to-publish report --fail-if`. */
  gate: 3,
  internalError: 70,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/**
 * What the exit codes of all tools mean. `docs/errors.md` has the same table; a test compares the two, and looks for exit codes in the
 * sources that are not listed here.
 */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Only of `commit-to-publish report --fail-if`. */
  gate: 3,
  internalError: 70,
  interrupted: 130,
} as const;

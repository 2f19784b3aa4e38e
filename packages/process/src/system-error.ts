/** Returns whether an error has one of these system codes, such as `ENOENT` or `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  // Not `instanceof`: a test runner has its own `Error`.
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

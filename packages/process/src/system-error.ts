/** Whether the operating system refused something for one of these reasons: `ENOENT`, `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  // Not `instanceof`: a test runner has an `Error` of its own.
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

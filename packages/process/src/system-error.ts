/** Whether the operating system refused something for one of these reasons: `ENOENT`, `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

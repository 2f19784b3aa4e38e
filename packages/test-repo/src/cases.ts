/**
 * Returns how many cases a property is tried with: at most 100 in the ring `test`, which everybody waits for, and all in the ring `long`, which
 * runs these files again (`scripts/run-tests.mjs`).
 */
export function cases(all: number): number {
  return process.env['TRIBUTARY_ALL_CASES'] === '1' ? all : Math.min(all, 100);
}

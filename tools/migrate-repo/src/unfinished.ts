import type { MigrateResult } from './result/result.js';

/** Tells whether a migration exits with 1: packages left out, agreed tests that were not compared, or tests that newly fail. */
export function isUnfinished({ leftOut, tests }: MigrateResult): boolean {
  return (
    leftOut.some(({ code }) => code !== 'ALREADY_MIGRATED') ||
    tests?.reason === 'not run' ||
    tests?.reason === 'no lockfile' ||
    tests?.packages.some(({ outcome }) => outcome === 'newly failing') === true
  );
}

import type { Coverage } from './tests/coverage.js';
import type { TestLevel, TestOutcome, TestRun } from './tests/test-run.js';

/** The test results of the migrated packages before and after. */
export interface TestsResult {
  readonly level: TestLevel | 'off';
  /**
   * Why nothing was compared; `null` if it was. `not agreed`: no --tests, and no terminal to ask on. `declined`: the
   * person said no. `not run`: the tests could not be run, see the error.
   */
  readonly reason: 'off' | 'not agreed' | 'declined' | 'no lockfile' | 'not run' | null;
  /** Names of the variables that the tests got in addition to the closed environment, on both sides. */
  readonly variables: readonly string[];
  /** In the order of the packages. */
  readonly packages: readonly PackageTestsResult[];
}

export interface PackageTestsResult {
  readonly name: string;
  readonly outcome: TestOutcome;
  /** The source at the migrated commit, alone, installed by its own package manager. */
  readonly before: SideTestsResult;
  /** The workspace on the new branch, installed by the monorepo's Yarn. */
  readonly after: SideTestsResult;
  /** What makes it fail after the migration, as far as it was found; empty for what passes. For one that failed before: variables that may be missing, and what its output shows only after. */
  readonly causes: readonly TestCauseResult[];
  /** The file with the output of every step, on this machine; `null` if all results are from an earlier run, whose log is gone. */
  readonly log: string | null;
}

export interface SideTestsResult {
  /** The result of the last run. */
  readonly result: TestRun['result'];
  readonly runs: number;
  /** The number of passed tests; `null` if the runner does not print it. */
  readonly passed: number | null;
  readonly failed: number | null;
  /** In percent; `null` if the runner prints none. */
  readonly coverage: Coverage | null;
  /** The end of the output if it failed; else empty. */
  readonly output: string;
  readonly remarks: readonly string[];
  /** Whether this is the result of an earlier run, for the same commit and lockfile. */
  readonly kept: boolean;
}

/** Why a package is newly failing. */
export interface TestCauseResult {
  readonly kind:
    | 'dependency version'
    | 'workspace'
    | 'hoisting'
    | 'path into node_modules'
    | 'repository root'
    | 'environment variable'
    | 'script'
    | 'leftovers';
  /** In Markdown. */
  readonly text: string;
  /** What was changed to confirm the cause, in Markdown; `null` if nothing was. */
  readonly remedy: string | null;
  /**
   * The tests with the remedy. `as before`: they fail, but by their counts no worse than before the migration. `not
   * shown`: they fail, but their output no longer shows the cause; whether the rest fares as before is unknown. `not
   * finished`: they did not run to their end.
   */
  readonly withRemedy: 'passes' | 'as before' | 'not shown' | 'still fails' | 'not finished' | 'not tried';
}

/** How far tests are compared; each level includes the ones before it. */
export type TestLevel = 'install' | 'build' | 'test';

/** `flaky`: on one side it both passes and fails, or its numbers vary. `not compared`: no test ran on either side. */
export type TestOutcome = 'same' | 'not compared' | 'newly failing' | 'newly passing' | 'failed before' | 'flaky';

/** `passed`: up to the requested level. `no tests`: there is no script of that name, or it runs nothing. */
export type TestEnd = 'passed' | 'failed' | 'timed out' | 'too much output' | 'not installed' | 'not built' | 'no tests';

/** The coverage that a runner reports for the whole suite, in percent. A kind that it does not print is absent. */
export type Coverage = Readonly<Partial<Record<CoverageKind, number>>>;

export type CoverageKind = 'statements' | 'branches' | 'functions' | 'lines';

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
  /** The file with the output of every step, on this machine; `null` if it is gone. */
  readonly log: string | null;
}

export interface SideTestsResult {
  /** The result of the last run. */
  readonly result: TestEnd;
  readonly runs: number;
  /** The number of passed tests; `null` if the runner does not print it. */
  readonly passed: number | null;
  readonly failed: number | null;
  /** In percent; `null` if the runner prints none. */
  readonly coverage: Coverage | null;
  /** The end of the output if it failed; else empty. */
  readonly output: string;
  readonly remarks: readonly string[];
}

import Module from 'node:module';

/** What jest itself has seen, before a `testResultsProcessor` of the user changes it. */
export interface SeenResults {
  /** Tests that ran. */
  tests: number;
  /** Failed tests, and files that failed to load. */
  failed: number;
}

interface TestResult {
  readonly numPassingTests: number;
  readonly numFailingTests: number;
  readonly testExecError?: unknown;
}

type AddResult = (all: unknown, result: TestResult) => void;
type Load = (this: unknown, request: string, ...rest: unknown[]) => unknown;

/**
 * Counts the results of each file that jest adds to those of the run, by `addResult` of @jest/test-result, since version 24. `undefined` until
 * jest loads it. Tests have module loaders of their own.
 */
export function seeResults(): () => SeenResults | undefined {
  let seen: SeenResults | undefined;
  const loader = Module as unknown as { _load: Load };
  const load = loader._load;
  loader._load = function withCounts(request, ...rest) {
    const loaded = Reflect.apply(load, this, [request, ...rest]);
    const { addResult } = request === '@jest/test-result' ? (loaded as { readonly addResult?: AddResult }) : {};
    if (addResult === undefined) return loaded;
    seen ??= { tests: 0, failed: 0 };
    return { ...(loaded as object), addResult: counting(addResult, seen) };
  };
  return () => seen;
}

function counting(addResult: AddResult, seen: SeenResults): AddResult {
  return (all, result) => {
    seen.tests += result.numPassingTests + result.numFailingTests;
    seen.failed += result.numFailingTests + (result.testExecError === undefined || result.testExecError === null ? 0 : 1);
    addResult(all, result);
  };
}

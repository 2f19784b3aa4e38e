/** A test that failed, as a runner tells it. */
export interface FailedTest {
  readonly test: string | undefined;
  readonly text: string | undefined;
  /** Where it begins. */
  readonly line?: number | undefined;
  /** In milliseconds. */
  readonly took?: number;
}

/** Gathers what a runner tells of its tests into the JSON report that jest writes (`parseRunnerReport`). */
export class RunReport {
  private tests = 0;
  private readonly files = new Map<string | undefined, { took: number; failures: FailedTest[] }>();

  passed(file: string | undefined, took = 0): void {
    this.tests += 1;
    this.fileOf(file).took += took;
  }

  failed(file: string | undefined, failure: FailedTest): void {
    this.passed(file, failure.took);
    this.fileOf(file).failures.push(failure);
  }

  text(): string {
    const all = [...this.files];
    return JSON.stringify({
      numTotalTests: this.tests,
      numFailedTests: all.reduce((sum, [, { failures }]) => sum + failures.length, 0),
      testResults: all.map(([name, { took, failures }]) => ({
        name,
        status: failures.length > 0 ? 'failed' : 'passed',
        startTime: 0,
        endTime: took,
        assertionResults: failures.map(({ test, text, line }) => ({
          fullName: test,
          status: 'failed',
          failureMessages: [text],
          location: { line },
        })),
      })),
    });
  }

  private fileOf(name: string | undefined): { took: number; failures: FailedTest[] } {
    const file = this.files.get(name) ?? { took: 0, failures: [] };
    this.files.set(name, file);
    return file;
  }
}

/** What was thrown, in words: message and stack. */
export function failureText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, stack } = thrown as { readonly message?: unknown; readonly stack?: unknown };
  if (typeof stack !== 'string') return String(message);
  // An assertion may have changed its message since the stack was written.
  return typeof message === 'string' && !stack.includes(message) ? `${message}\n${stack}` : stack;
}

/** A test that failed at least once, as a runner reports it. */
export interface FailedTest {
  readonly test: string | undefined;
  readonly text: string | undefined;
  /** The line where it begins. */
  readonly line?: number | undefined;
  /** In milliseconds. */
  readonly took?: number;
}

interface FileReport {
  took: number;
  isPartial: boolean;
  readonly failures: FailedTest[];
  readonly retried: FailedTest[];
}

/** Converts a runner's events into the JSON report of jest, which `parseRunnerReport` reads. */
export class RunReport {
  private tests = 0;
  private readonly files = new Map<string | undefined, FileReport>();

  passed(file: string | undefined, took = 0): void {
    this.tests += 1;
    this.fileOf(file).took += took;
  }

  skipped(file: string | undefined, took = 0): void {
    this.fileOf(file).took += took;
    this.fileOf(file).isPartial = true;
  }

  failed(file: string | undefined, failure: FailedTest): void {
    this.passed(file, failure.took);
    this.fileOf(file).failures.push(failure);
  }

  /** Adds a test that passed, but not on the first attempt; `text`: the message of that attempt. */
  retried(file: string | undefined, test: FailedTest): void {
    this.passed(file, test.took);
    this.fileOf(file).retried.push(test);
  }

  text(): string {
    const all = [...this.files];
    return JSON.stringify({
      numTotalTests: this.tests,
      numFailedTests: all.reduce((sum, [, { failures }]) => sum + failures.length, 0),
      testResults: all.map(([name, { took, isPartial, failures, retried }]) => ({
        name,
        status: failures.length > 0 ? 'failed' : 'passed',
        startTime: 0,
        endTime: took,
        assertionResults: [
          ...failures.map((one) => ({ ...aboutTest(one), status: 'failed', failureMessages: [one.text] })),
          ...retried.map((one) => ({ ...aboutTest(one), status: 'passed', invocations: 2, retryReasons: [one.text] })),
          ...(isPartial ? [{ status: 'pending' }] : []),
        ],
      })),
    });
  }

  private fileOf(name: string | undefined): FileReport {
    const file = this.files.get(name) ?? { took: 0, isPartial: false, failures: [], retried: [] };
    this.files.set(name, file);
    return file;
  }
}

function aboutTest({ test, line }: FailedTest): object {
  return { fullName: test, location: { line } };
}

/** Returns message and stack of a thrown value. */
export function failureText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, stack } = thrown as { readonly message?: unknown; readonly stack?: unknown };
  if (typeof stack !== 'string') return String(message);
  // An assertion may have changed its message after the stack was captured.
  return typeof message === 'string' && !stack.includes(message) ? `${message}\n${stack}` : stack;
}

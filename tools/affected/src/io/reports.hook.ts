import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { lineOfOnly } from '../plan/only-tests.js';
import { failureText, RunReport } from '../plan/run-report.js';
import { failWithout, leave, note } from './hook-notes.js';

// The code that node, mocha and Playwright load in addition to the user's reporters. Each writes a report in jest's format. All interfaces
// of the runners used here are documented, except PW_TEST_REPORTER.

/** Begins a run with a report; the process fails if it ends without one. */
function begin(runner: string): { readonly report: RunReport; readonly end: () => void } {
  const file = join(__dirname, `report-${process.pid}.json`);
  leave();
  note('run', { hash: process.env['TURBO_HASH'], cwd: process.cwd(), runner, report: basename(file) });
  failWithout(file);
  const report = new RunReport();
  return { report, end: () => writeFileSync(file, report.text()) };
}

interface NodeEvent {
  readonly type: string;
  readonly data?: {
    readonly name: string;
    readonly nesting: number;
    readonly file?: string;
    /** The path of the file that `file` names, since version 24. */
    readonly entryFile?: string;
    readonly line?: number;
    readonly message?: string;
    readonly todo?: unknown;
    readonly skip?: unknown;
    readonly details?: {
      readonly type?: string;
      readonly error?: { readonly message?: string; readonly failureType?: string; readonly cause?: unknown };
    };
  };
}

/**
 * A reporter for `node --test`, which Node starts by `--test-reporter` and whose output it writes to a file. Times come from the files'
 * processes.
 */
export async function* nodeReporter(events: AsyncIterable<NodeEvent>): AsyncGenerator<string> {
  const report = new RunReport();
  const names: string[] = [];
  const printed = new Map<string, string>();
  for await (const { type, data } of events) {
    if (data === undefined) continue;
    const { name, nesting, file, entryFile = file, line, details, todo } = data;
    if (type === 'test:start') names.splice(nesting, names.length, name);
    if (type === 'test:stderr' && entryFile !== undefined)
      printed.set(entryFile, `${printed.get(entryFile) ?? ''}${data.message}`.slice(0, 8000));
    const isFile = file !== undefined && nesting === 0 && basename(name) === basename(file);
    if (type === 'test:pass') {
      // A suite, and a file without a test, pass too.
      const isTest = !isFile && details?.type !== 'suite';
      if (isSet(data.skip) || isSet(todo)) report.skipped(file);
      else if (isTest) report.passed(file);
      // Since version 22 it tells nothing of those that it leaves out.
      if (isTest && process.execArgv.includes('--test-only')) report.skipped(file);
    }
    const { failureType, cause, message } = details?.error ?? {};
    if (type !== 'test:fail' || failureType === 'subtestsFailed' || isSet(todo)) continue;
    // A file that fails to load, or ends with another exit code, fails under its own name. Only its output tells why.
    const text = isFile ? (printed.get(file) ?? message) : failureText(cause ?? message);
    report.failed(file, { test: isFile ? file : [...names.slice(0, nesting), name].join(' '), text, line: isFile ? undefined : line });
  }
  yield report.text();
}

/** `true`, or a reason. */
function isSet(mark: unknown): boolean {
  return mark !== undefined && mark !== false;
}

interface MochaTest {
  readonly file?: string;
  readonly duration?: number;
  fullTitle(): string;
  currentRetry(): number;
}

interface MochaSuite {
  readonly tests: readonly MochaTest[];
  readonly suites: readonly MochaSuite[];
}

interface MochaRunner {
  readonly suite: MochaSuite;
  on(event: 'pass' | 'pending' | 'end', listener: (test: MochaTest) => void): void;
  on(event: 'fail' | 'retry', listener: (test: MochaTest, error: unknown) => void): void;
}

/** mocha loads this first, by `--require`. It observes only the first run of the main process, because tests of plugins start others. */
export function watchMocha(): void {
  const [, home] = /^(.*[\\/]mocha)[\\/](?:bin[\\/]_?mocha|lib[\\/]cli[\\/]cli)(?:\.[cm]?js)?$/.exec(require.main?.filename ?? '') ?? [];
  if (home === undefined) return;
  leave();
  const { prototype } = createRequire(join(home, 'any.js'))('./lib/mocha.js') as {
    readonly prototype: { run: (...args: unknown[]) => MochaRunner };
  };
  const { run } = prototype;
  prototype.run = function watched(this: unknown, ...args) {
    prototype.run = run;
    const runner = Reflect.apply(run, this, args);
    const { report, end } = begin('mocha');
    // mocha tells nothing of tests that a pattern or `.only` leaves out. These are all tests: it chooses when the run begins, which is later.
    const silent = new Set(testsIn(runner.suite));
    // Of the first try, until the test passes or fails.
    let tried: string | undefined;
    runner.on('retry', (_, error) => {
      tried ??= failureText(error);
    });
    runner.on('pending', (test) => report.skipped(test.file));
    runner.on('pass', (test) => {
      silent.delete(test);
      if (test.currentRetry() === 0) report.passed(test.file, test.duration);
      else report.retried(test.file, { test: test.fullTitle(), text: tried, took: test.duration ?? 0 });
      tried = undefined;
    });
    runner.on('fail', (test, error) => {
      silent.delete(test);
      report.failed(test.file, { test: test.fullTitle(), text: failureText(error) });
      tried = undefined;
    });
    runner.on('end', () => {
      for (const { file } of silent) report.skipped(file);
      end();
    });
    return runner;
  };
}

function testsIn({ tests, suites }: MochaSuite): readonly MochaTest[] {
  return [...tests, ...suites.flatMap(testsIn)];
}

interface PlaywrightError {
  readonly message?: string;
  readonly stack?: string;
  readonly location?: { readonly file: string; readonly line: number };
}

interface PlaywrightTest {
  readonly location: { readonly file: string; readonly line: number };
  readonly results: readonly { readonly duration: number; readonly errors: readonly PlaywrightError[] }[];
  outcome(): string;
  titlePath(): readonly string[];
}

function hasOnly(file: string): boolean {
  return existsSync(file) && lineOfOnly(readFileSync(file, 'utf8')) !== undefined;
}

/** A reporter for Playwright, which its main process starts by PW_TEST_REPORTER, in addition to all others. */
export class PlaywrightReporter {
  private readonly run = begin('playwright');
  private tests: () => readonly PlaywrightTest[] = () => [];

  constructor() {
    delete process.env['PW_TEST_REPORTER'];
  }

  printsToStdio(): boolean {
    return false;
  }

  onBegin(_: unknown, suite: { allTests(): readonly PlaywrightTest[] }): void {
    this.tests = () => suite.allTests();
  }

  /** Handles errors outside tests, for example in a file that fails to load. */
  onError({ message, stack, location }: PlaywrightError): void {
    this.run.report.failed(location?.file, { test: location?.file, text: message ?? stack, line: location?.line });
  }

  onEnd(): void {
    const tests = this.tests();
    const only = new Set([...new Set(tests.map(({ location }) => location.file))].filter(hasOnly));
    for (const test of tests) {
      const { file, line } = test.location;
      // It does not tell which it left out.
      if (only.has(file)) this.run.report.skipped(file);
      const seconds = test.results.reduce((sum, { duration }) => sum + duration, 0);
      const error = test.results.flatMap(({ errors }) => errors)[0];
      const about = { test: test.titlePath().slice(3).join(' '), text: error?.stack ?? error?.message, line, took: seconds };
      if (test.outcome() === 'unexpected') this.run.report.failed(file, about);
      else if (test.outcome() === 'flaky') this.run.report.retried(file, about);
      else if (test.outcome() === 'skipped') this.run.report.skipped(file, seconds);
      else this.run.report.passed(file, seconds);
    }
    this.run.end();
  }
}

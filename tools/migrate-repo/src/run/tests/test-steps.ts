import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ObjectFormat } from '@tributary/git/object-id';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { maskFor } from '@tributary/model/secrets';
import { type ContainedResult, runContained } from '@tributary/process/contained';
import type { Environment } from '@tributary/process/environment';
import { scriptsIn } from '../../io/installed-manifest.js';
import type { TestLevel } from '../../result/tests-result.js';
import type { CommandLine } from '../../tests/package-manager.js';
import { type TestRun, testRun, withoutTests } from '../../tests/test-run.js';
import type { TestVariables } from '../../tests/variables.js';

/** Where tests run, and their limits. */
export interface TestSettings {
  readonly gitDir: AbsolutePath;
  readonly format: ObjectFormat;
  /** A temporary folder. */
  readonly work: AbsolutePath;
  /** The folder for logs, one file for each package. */
  readonly logs: AbsolutePath;
  readonly level: TestLevel;
  /** The script of package.json that runs the tests. */
  readonly script: string;
  /** Variables that the user named, in addition to the closed environment. */
  readonly variables: TestVariables;
  /** For each step. */
  readonly timeoutMs: number;
  /**
   * A variable, as `NAME=value`, that is the same for all runs on this repository. With it, the next run finds the
   * processes of a killed one.
   */
  readonly mark: string;
  readonly signal: AbortSignal;
}

/** Runs the steps of a package on one side, up to the requested level. */
export type TestBed = (name: string) => Promise<TestRun>;

export interface TestStep {
  /** The package or part whose log gets the output. */
  readonly owner: string;
  /** Such as `before: npm ci`. */
  readonly title: string;
  readonly command: CommandLine;
  readonly cwd: AbsolutePath;
  readonly env: Environment;
}

/**
 * Runs one step, and appends its output to the owner's log. In both, secrets of this process and of the step are masked. Throws as
 * `runContained`.
 */
export async function runStep(settings: TestSettings, { owner, title, command, cwd, env }: TestStep): Promise<ContainedResult> {
  const file = logOf(settings, owner);
  mkdirSync(dirname(file), { recursive: true });
  const [program, ...args] = command;
  const log = join(settings.work, `${fileName(owner)}-${counter++}.log`);
  const printed = await runContained({
    program,
    args,
    cwd,
    env,
    log,
    timeoutMs: settings.timeoutMs,
    mark: settings.mark,
    signal: settings.signal,
  });
  const result = { ...printed, output: maskFor({ ...process.env, ...env })(printed.output) };
  const left = result.leftBehind === 0 ? '' : `, processes left behind: ${result.leftBehind}`;
  const unmarked = result.isMarked ? '' : ', without a mark: a process that drops its environment may run on';
  appendFileSync(file, `=== ${title}: ${command.join(' ')}\n${result.output}\n=== ended: ${result.ended}${left}${unmarked}\n\n`);
  return result;
}

/** Returns the run of a package that has no tests; `undefined` if it may have some. If its manifest is unreadable, running them reports that. */
export function findNoTests({ script }: TestSettings, folder: string): TestRun | undefined {
  const scripts = scriptsIn(folder);
  return scripts && withoutTests(script, scripts);
}

/** Runs the tests of a package, whose preparation has made remarks. */
export async function runTests(settings: TestSettings, step: TestStep, remarks: readonly string[]): Promise<TestRun> {
  const run = testRun('test', await runStep(settings, step));
  return { ...run, remarks: [...remarks, ...run.remarks] };
}

let counter = 0;

export function logOf({ logs }: Pick<TestSettings, 'logs'>, owner: string): AbsolutePath {
  return parseAbsolutePath(join(logs, `${fileName(owner)}.log`));
}

/** Returns `@acme/ui` as a file name. */
export function fileName(name: string): string {
  return name.replaceAll('/', '+');
}

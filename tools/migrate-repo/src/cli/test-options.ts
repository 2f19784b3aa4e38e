import { ToolError } from '@tributary/model/errors';
import { Option } from 'commander';
import type { TestLevel } from '../result/tests-result.js';
import type { MigrateRequest } from '../run/migrate-request.js';
import { TEST_LEVELS } from '../tests/test-run.js';
import { type TestVariables, whyRefused } from '../tests/variables.js';

/** Options of the tests before and after. */
export interface TestFlags {
  readonly tests?: TestLevel | 'off';
  readonly testsScript?: string;
  readonly testsTimeout?: string;
  readonly testsEnv?: readonly string[];
}

export const TESTS = new Option(
  '--tests <level>',
  'compare the packages before and after, up to this step; allows running code of the sources and their dependencies (default: off; on a terminal you are asked)',
).choices(['off', ...TEST_LEVELS]);

export const TESTS_SCRIPT = ['--tests-script <name>', 'script of package.json that runs the tests, on both sides (default: test)'] as const;

export const TESTS_TIMEOUT = ['--tests-timeout <minutes>', 'time limit for each installation, build and test run (default: 30)'] as const;

export const TESTS_ENV = new Option(
  '--tests-env <variable>',
  'pass an environment variable to the tests: NAME (your value) or NAME=value; repeatable; tokens are refused (default: none)',
).argParser<readonly string[] | undefined>((text, before) => [...(before ?? []), text]);

const DEFAULT_MINUTES = 30;

/** Returns what the options say about tests. Throws `USAGE`. */
export function readTests(
  {
    tests,
    testsScript = 'test',
    testsTimeout,
    testsEnv = [],
    align,
    install,
  }: TestFlags & { readonly align: boolean; readonly install: boolean },
  user: NodeJS.ProcessEnv,
): MigrateRequest['tests'] {
  const minutes = testsTimeout === undefined ? DEFAULT_MINUTES : Number(testsTimeout);
  if (!(minutes > 0 && minutes <= 24 * 60))
    throw new ToolError({
      code: 'USAGE',
      message: `Invalid limit for --tests-timeout: ${JSON.stringify(testsTimeout)} is not a number of minutes between 0 and 1440.`,
      hint: 'Such as: --tests-timeout 45',
    });
  const without = align ? (install ? undefined : '--no-install') : '--no-align';
  if (tests !== undefined && tests !== 'off' && without !== undefined)
    throw new ToolError({
      code: 'USAGE',
      message: `--tests ${tests} cannot be combined with ${without}: tests need the installed branch.`,
      hint: `Leave out ${without}, or --tests.`,
    });
  return { level: tests ?? 'ask', script: testsScript, timeoutMs: minutes * 60_000, variables: readVariables(testsEnv, user) };
}

function readVariables(given: readonly string[], user: NodeJS.ProcessEnv): TestVariables {
  return Object.fromEntries(given.map((text) => readVariable(text, user)));
}

/**
 * Returns the name and value of `NAME=value`. For `NAME` alone, the value is the user's; `undefined` if they have not
 * set it. Throws `USAGE`.
 */
function readVariable(text: string, user: NodeJS.ProcessEnv): readonly [name: string, value: string | undefined] {
  const [, name, , given] = /^([A-Za-z_]\w*)(=([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) throw invalid(text.replace(/=[\s\S]*/, '=…'), 'is not a valid variable name');
  const value = given ?? user[name];
  const refused = whyRefused(name, value);
  if (refused === 'closed') throw invalid(name, 'is set by migrate-repo, to keep the environment closed');
  if (refused === 'secret') throw invalid(name, 'looks like a token or a password, which tests never get', FOR_SECRETS);
  return [name, value];
}

const FOR_SECRETS = 'If it is not a secret, rename the variable. Run tests that need a secret yourself, in a container.';

function invalid(name: string, reason: string, hint = 'Such as: --tests-env CHROME_BIN --tests-env TZ=Europe/Berlin'): ToolError {
  return new ToolError({
    code: 'USAGE',
    message: `Invalid variable for --tests-env: ${JSON.stringify(name)} ${reason}.`,
    hint,
  });
}

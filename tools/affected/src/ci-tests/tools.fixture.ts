import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The engines, validators and test runners, by their variables. `scripts/engine-tools.sh` installs them and prints these variables. */
const PROGRAMS = {
  ACT: 'act',
  ACTIONLINT: 'actionlint',
  GITLAB_CI_LOCAL: 'gitlab-ci-local',
  BUILDKITE_AGENT: 'buildkite-agent',
  CHECK_JSONSCHEMA: 'check-jsonschema',
  NPM_GROOVY_LINT: 'npm-groovy-lint',
  OPENMETRICS_PYTHON: 'openmetrics-python',
  TURBOREPO_REMOTE_CACHE: 'turborepo-remote-cache',
  VITEST: 'vitest',
  PLAYWRIGHT: 'playwright',
  MOCHA: 'mocha',
  NODE_22: 'node-22',
  NODE_24: 'node-24',
} as const;

/**
 * Returns the path of a program that a test of the ring `engines` needs; `undefined` if the machine lacks it, and the test is skipped. A
 * variable that names no program is a mistake and throws an `Error`: a skip would hide it.
 */
export function findTool(variable: keyof typeof PROGRAMS): string | undefined {
  const named = process.env[variable];
  if (named === undefined || named === '') return findOnPath(PROGRAMS[variable]);
  if (!canRun(named)) throw new Error(`${variable} is ${named}, and there is no program.`);
  return named;
}

function findOnPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

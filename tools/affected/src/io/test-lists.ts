import { callProgram } from '@tributary/process/spawn';
import { countListed, listArguments, type Runner } from '../plan/runner.js';
import { definedEnvironment } from './environment.js';

/** A suite whose runner can be asked. */
export interface Suite {
  /** Of the workspace. */
  readonly folder: string;
  readonly task: string;
  /** The one of the task. */
  readonly script: string;
  readonly runner: Runner;
}

const LIMIT_MS = 120_000;

/** Asks a runner how many test files a suite has. `undefined` where it cannot tell: then the suite is not cut. Throws `INTERRUPTED`. */
export async function countTestFiles(suite: Suite, signal: AbortSignal): Promise<number | undefined> {
  const args = listArguments(suite.runner, suite);
  if (args === undefined) return undefined;
  const call = { program: 'yarn', args, cwd: suite.folder, env: definedEnvironment(), timeoutMs: LIMIT_MS, signal };
  const result = await callProgram(call).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  return result?.exit === 0 ? countListed(suite.runner, result.stdout.toString('utf8')) : undefined;
}

import { readFileSync } from 'node:fs';
import { isToolError, type ToolError } from '@tributary/model/errors';
import { closedEnvironment } from './environment.js';
import type { ProgramCall } from './spawn.js';

/** An environment without the private variables of this process. */
export const env = closedEnvironment(process.env);

/** Returns a call of `sh` with a script. */
export function shell(script: string, call: Partial<ProgramCall> = {}): ProgramCall {
  return { program: 'sh', args: ['-c', script], env, ...call };
}

/** Returns the ToolError with which the work fails. */
export async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(outcome)) throw new Error(`this was no ToolError: ${outcome}`);
  return outcome;
}

/** Returns whether the process whose id is in the file ends soon. */
export async function endsSoon(file: string): Promise<boolean> {
  const pid = Number(readFileSync(file, 'utf8'));
  for (let tries = 0; tries < 100; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

import { readFileSync } from 'node:fs';
import { isToolError, type ToolError } from '@tributary/model/errors';
import { closedEnvironment } from './environment.js';
import type { ProgramCall } from './spawn.js';

/** Without what this process keeps to itself. */
export const env = closedEnvironment(process.env);

/** A script for `sh`. */
export function shell(script: string, call: Partial<ProgramCall> = {}): ProgramCall {
  return { program: 'sh', args: ['-c', script], env, ...call };
}

/** The failure that this work must end with. */
export async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(outcome)) throw new Error(`this was no ToolError: ${outcome}`);
  return outcome;
}

/** Waits until a program has told its process id, and whether it is gone soon. */
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

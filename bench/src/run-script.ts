import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isToolError } from '@tributary/model/errors';
import type { Environment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';

/** A program with what it is started with, such as `npm ci`. */
export type CommandLine = readonly [program: string, ...args: string[]];

export interface ScriptCall {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly env: Environment;
  /** The file that all of its output goes into. */
  readonly log: string;
}

export interface ScriptResult {
  readonly ended: 'well' | 'badly' | 'too late';
  /** Both streams, in the order in which they were written, without colours. */
  readonly output: string;
}

// The slowest one seen takes ten minutes on a busy machine.
const TIMEOUT_MS = 30 * 60_000;

/** Runs a script of a package, or an installation, to its end. Throws `PROGRAM_MISSING`. */
export async function runScript({ command, cwd, env, log }: ScriptCall): Promise<ScriptResult> {
  mkdirSync(dirname(log), { recursive: true });
  const args = ['-c', 'log=$1; shift; exec "$@" >"$log" 2>&1', 'sh', log, ...command];
  const ended = await callProgram({ program: 'sh', args, cwd, env, timeoutMs: TIMEOUT_MS }).then(
    ({ exit }): ScriptResult['ended'] => (exit === 0 ? 'well' : 'badly'),
    (error: unknown): ScriptResult['ended'] => {
      if (isToolError(error) && error.code === 'PROGRAM_TIMEOUT') return 'too late';
      throw error;
    },
  );
  return { ended, output: stripVTControlCharacters(readFileSync(log, 'utf8')) };
}

/** PATH without the programs of the packages that this very process was started from: a test must not find them. */
export function outerPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !/[\\/](?:node_modules|node-gyp-bin)(?:[\\/]|$)/.test(folder)).join(delimiter);
}

/** The end of an output, for people: without the frames of a stack that lie in Node and in packages. */
export function lastLines(output: string, count = 25): string {
  const lines = output.trimEnd().split('\n');
  return lines
    .filter((line) => !/^\s+at .*(?:\(node:|\/node_modules\/|process\.processImmediate)/.test(line))
    .slice(-count)
    .join('\n');
}

import { spawnSync } from 'node:child_process';

/** In bytes. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Runs Node with these arguments, waits for its end, and returns its stdout; `undefined` if it failed. It is for code that Node loads into
 * other people's programs, before these begin.
 */
export function outputOfNode(args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: LARGEST });
  return status === 0 ? stdout : undefined;
}

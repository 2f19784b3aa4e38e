import { randomBytes } from 'node:crypto';
import { writeAtOnce } from '@tributary/terminal/write-at-once';
import { readEnvironment } from './environment.js';

/**
 * Runs something that prints text from others, while the log of the CI job ignores commands in it; unchanged if the engine has no such
 * feature.
 * `errors`: where its stderr must go. With two streams, the engine may read the last lines of one after the end of the other. Nothing that
 * runs gets the token. Output of processes that stay behind is obeyed again.
 */
export async function withStoppedCommands<T>(run: (errors: 'stderr' | 'stdout') => Promise<T>): Promise<T> {
  const { detectEngine } = await import('../engines/detect.js');
  const log = detectEngine(readEnvironment())?.log;
  if (log === undefined) return run('stderr');
  const { before, after } = log.mute(randomBytes(32).toString('hex'));
  print(before);
  try {
    return await run('stdout');
  } finally {
    print(after);
  }
}

/** Prints a line, unless nothing reads the output any more, so nothing obeys it either. */
function print(line: string): void {
  writeAtOnce(1, Buffer.from(line));
}

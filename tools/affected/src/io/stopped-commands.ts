import { randomBytes } from 'node:crypto';
import { writeAtOnce } from '@tributary/terminal/write-at-once';
import { readEnvironment } from './environment.js';

/**
 * Runs what prints texts of others, while the log of the CI job obeys nothing in them; where the engine has no such thing, as it is.
 * `errors`: where stderr of what runs must go. With two streams the engine may read the last lines of one after the end of the other.
 * Nothing that runs is given the token. Whatever stays behind and prints after the end is obeyed again.
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

/** What nobody reads any more, nobody obeys. */
function print(line: string): void {
  writeAtOnce(1, Buffer.from(line));
}

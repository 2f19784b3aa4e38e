import { DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { openRepository, readTarget } from '../io/target.js';
import { unknownCommand } from '../unknown-command.js';
import { readSettings, type Settings } from './gather.js';

/** Words that resemble a command, with that command, and the monorepo or a folder in it. */
export interface MistypedWords {
  readonly mistyped: ReadonlyMap<string, string>;
  readonly into: AbsolutePath;
}

/**
 * Refuses words that resemble a command, unless tributary.json lists them as packages. A package that somebody published
 * under such a name is not meant, so nobody is asked about it. Throws `USAGE`, `CONFIG_INVALID`, and errors about git.
 */
export async function refuseMistyped({ mistyped, into }: MistypedWords, { signal }: Pick<Services, 'signal'>): Promise<void> {
  const { packages } = (await configOf(into, signal)).migrate;
  for (const [word, command] of mistyped) if (!Object.hasOwn(packages, word)) throw unknownCommand(word, command);
}

/** Without a monorepo, nothing is listed. */
async function configOf(into: AbsolutePath, signal: AbortSignal): Promise<Settings['config']> {
  try {
    const target = await readTarget(await openRepository(into, signal));
    return (await readSettings({ tags: 'configured' }, target)).config;
  } catch (error) {
    if (isToolError(error) && error.code.startsWith('TARGET_')) return DEFAULT_CONFIG;
    throw error;
  }
}

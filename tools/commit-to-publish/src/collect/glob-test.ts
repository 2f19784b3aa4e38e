import { ToolError } from '@tributary/model/errors';
import { compileGlobs, type PathTest } from '@tributary/workspaces/glob';
import type { PicomatchOptions } from 'picomatch';

/** Returns whether any of several globs matches. Throws `CONFIG_INVALID` for one with too many stars or choices. */
export function globTest(globs: readonly string[], options: PicomatchOptions): PathTest {
  const test = compileGlobs(globs, options);
  if (test !== undefined) return (path) => globs.includes(path) || test(path);
  throw new ToolError({
    code: 'CONFIG_INVALID',
    message: `One of these globs has too many stars or choices: ${globs.map((glob) => JSON.stringify(glob.slice(0, 60))).join(', ')}.`,
    hint: 'Use at most three stars in a name, or several globs.',
  });
}

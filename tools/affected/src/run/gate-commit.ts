import { isToolError, ToolError } from '@tributary/model/errors';
import { parseObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { GateCommit } from '../gate/commit.js';
import { locate } from '../io/locate.js';
import { openGit } from '../io/open-git.js';

/** Returns the commit that an option names, otherwise the one that is checked out in a folder. Throws `USAGE`, `INTERRUPTED`. */
export async function gateCommit(folder: AbsolutePath, named: string | undefined): Promise<GateCommit> {
  if (named !== undefined) return { id: parseNamed(named), from: 'option' };
  try {
    return { id: await openGit(await locate(folder)).text(['rev-parse', '--verify', 'HEAD^{commit}']), from: 'checkout' };
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return { unknown: `It is unknown which commit this gate is for: ${error.message}` };
  }
}

function parseNamed(text: string): string {
  try {
    return parseObjectId(text.toLowerCase());
  } catch {
    const message = `--commit must be the full id of a commit, not "${text.slice(0, 80)}".`;
    throw new ToolError({ code: 'USAGE', message, hint: 'Name it: --commit "$(git rev-parse HEAD)".' });
  }
}

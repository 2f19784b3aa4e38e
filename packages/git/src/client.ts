import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { redactUrls } from '@tributary/model/repo-url';
import { closedEnvironment } from '@tributary/process/environment';
import { simpleGit } from 'simple-git';

/** What the user has open in a work tree. */
export interface WorkTreeState {
  /** Files that differ from HEAD or are not tracked, sorted. */
  readonly uncommitted: readonly string[];
}

/** Porcelain for people's work trees, through simple-git; it reads, it changes nothing. Throws `GIT_FAILED`. */
export async function readWorkTreeState(workTree: AbsolutePath): Promise<WorkTreeState> {
  try {
    const git = simpleGit({
      baseDir: workTree,
      // A monitor that the repository configures would be started by `status`.
      config: ['core.fsmonitor=false'],
      unsafe: { allowUnsafeFsMonitor: true },
      allowEnvironment: ['GIT_OPTIONAL_LOCKS'],
    }).env(statusEnvironment());
    const status = await git.status(['--untracked-files=normal']);
    return { uncommitted: status.files.map((file) => file.path).sort() };
  } catch (error) {
    throw new ToolError({
      code: 'GIT_FAILED',
      message: `The state of ${workTree} could not be read: ${redactUrls(error instanceof Error ? error.message.trim() : String(error))}`,
      cause: error,
    });
  }
}

/** `status` would refresh the index and write it back, were it allowed its lock. The user's home tells which files they ignore. */
function statusEnvironment(): Record<string, string> {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const home = { ...(HOME === undefined ? {} : { HOME }), ...(XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME }) };
  return { ...closedEnvironment(process.env, { ...home, GIT_OPTIONAL_LOCKS: '0' }) };
}

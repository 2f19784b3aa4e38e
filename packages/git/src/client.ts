import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { redactUrls } from '@tributary/model/repo-url';
import { closedEnvironment } from '@tributary/process/environment';
import { simpleGit } from 'simple-git';
import { pickFrom, settingsOf } from './git.js';

/** The state of the user's working tree. */
export interface WorkTreeState {
  /** Files that differ from HEAD or are untracked, sorted. */
  readonly uncommitted: readonly string[];
}

/** Reads the state of a user's working tree through simple-git; changes nothing. Throws `GIT_FAILED`. */
export async function readWorkTreeState(workTree: AbsolutePath): Promise<WorkTreeState> {
  try {
    const environment = statusEnvironment();
    const git = simpleGit({
      baseDir: workTree,
      // Otherwise `status` would start a file system monitor that the repository configures.
      config: ['core.fsmonitor=false'],
      // The variables of a CI job have `safe.directory`.
      unsafe: { allowUnsafeFsMonitor: true, allowUnsafeConfigEnvCount: true, allowUnsafeConfigPaths: true },
      allowEnvironment: Object.keys(environment),
    }).env(environment);
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

/**
 * Returns the environment for `status`. Without optional locks, `status` does not refresh the index on disk. The home folder has the user's
 * ignore rules.
 */
function statusEnvironment(): Record<string, string> {
  const home = pickFrom(process.env, /^(HOME|XDG_CONFIG_HOME|GIT_CONFIG_GLOBAL)$/);
  return { ...closedEnvironment(process.env, { ...home, ...settingsOf(process.env), GIT_OPTIONAL_LOCKS: '0' }) };
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { plumbing } from '@tributary/git/git';
import { idLength } from '@tributary/git/object-id';
import { splitNul } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, joinRepoPath, parseAbsolutePath } from '@tributary/model/paths';
import type { MayAsk } from '../align/who-asks.js';
import type { FreshInstallation } from '../alignment.js';
import { checkOut } from '../io/checkout.js';
import type { Yarn } from '../io/find-yarn.js';
import { installFailure } from '../io/install-failure.js';
import { runYarn } from '../io/yarn.js';
import { installScriptsIn } from './askers.js';
import type { LockWork } from './keep-locked.js';

/** What installs a finished branch. */
export interface FreshInstall {
  readonly yarn: Yarn;
  /** Workspaces that an error may name, the imported packages first. */
  readonly askers: readonly MayAsk[];
}

/**
 * Installs a finished branch with `--immutable` and all scripts, in a fresh clone: scripts find a repository there, as
 * on any machine, and none may change the lockfile. Throws `INSTALL_FAILED`, and as `runYarn`.
 */
export async function installFresh(work: LockWork, { yarn, askers }: FreshInstall): Promise<FreshInstallation> {
  const { gitDir, alternates, commit, signal, progress } = work;
  const clone = parseAbsolutePath(join(work.folder, 'fresh'));
  mkdirSync(clone);
  const format = commit.length === idLength('sha256') ? 'sha256' : 'sha1';
  progress.phase('Installing in a fresh clone, with scripts');
  await checkOut({ gitDir, alternates, format, signal }, commit, clone);
  const folder = parseAbsolutePath(join(clone, work.root));
  const { succeeded, messages } = await runYarn({ yarn, root: folder, scripts: 'run', signal }, ['install', '--immutable'], folder);
  if (!succeeded) throw installFailure(messages, { folder, workspaces: askers });
  const changed = await listChanged(clone, signal);
  const lock = joinRepoPath(work.root, 'yarn.lock');
  if (changed.includes(lock)) throw changesLock(lock, askers);
  return { changed };
}

/** Returns the tracked files of a clone that differ from its commit, or are gone. */
async function listChanged(clone: AbsolutePath, signal: AbortSignal): Promise<readonly string[]> {
  const git = plumbing(parseAbsolutePath(join(clone, '.git')), { signal });
  const output = await git.bytes([`--work-tree=${clone}`, 'status', '--porcelain', '-z', '--untracked-files=no', '--no-renames']);
  return splitNul(output.toString('latin1')).map((line) => nameAsText(line.slice('XY '.length)));
}

function changesLock(lock: string, askers: readonly MayAsk[]): ToolError {
  const suspects = installScriptsIn(askers);
  const names = suspects.flatMap(({ name, scripts }) => scripts.map((script) => `"${script}" of ${name}`));
  const only = suspects.length === 1 ? askers.find(({ member }) => member.name === suspects[0]?.name)?.member : undefined;
  return new ToolError({
    code: 'INSTALL_FAILED',
    message: `A script of the installation changes or deletes ${lock}, so no later "yarn install --immutable" would succeed.`,
    hint: `Nothing was changed. Correct the script in the source${names.length === 0 ? '' : `: ${names.join(', ')}`}. Commit, and run the same command again.`,
    data: { file: lock, workspace: only },
  });
}

import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asUser, type Git, staging } from '@tributary/git/git';
import { withObjectReader } from '@tributary/git/objects';
import { parseRawDiff } from '@tributary/git/parse';
import { ToolError } from '@tributary/model/errors';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { holdSignals } from '@tributary/process/hold-signals';
import { orUnusable } from '@tributary/process/unusable-file';
import type { RepoLocation } from './locate.js';
import { openGit } from './open-git.js';

/** The working tree as a git tree: the content of a commit of everything. */
interface WorkTree {
  readonly tree: ObjectId;
  /** Submodules with changes that no tree can hold: changed or new files in them. */
  readonly dirtySubmodules: readonly string[];
  /** Plumbing that sees the tree, of which nothing is in the user's repository. */
  readonly git: Git;
}

/**
 * Creates a tree of the working tree, with untracked but not ignored files, and calls `use` with it. The index and objects are in a
 * temporary folder, which is removed afterwards. It does not touch the user's index and repository. Throws `TARGET_NOT_FOUND` for a bare
 * repository.
 */
export async function withWorkTree<T>(
  repository: RepoLocation,
  lazyFetch: 'allowed' | 'never',
  use: (workTree: WorkTree) => Promise<T>,
): Promise<T> {
  const { workTree, gitDir, commonDir } = repository;
  if (workTree === undefined) {
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `${gitDir} is a bare repository: it has no working tree.`,
      hint: 'Leave out --uncommitted.',
    });
  }
  const release = holdSignals();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'affected-')));
  try {
    const scratch = { index: at(folder, 'index'), objects: at(folder, 'objects'), alternate: at(commonDir, 'objects') };
    copyIndex(join(gitDir, 'index'), scratch.index);
    mkdirSync(scratch.objects);
    const git = staging(workTree, scratch, { lazyFetch });
    await git.bytes(['add', '--all', '--', '.']);
    const tree = parseObjectId(await git.text(['write-tree']));
    const dirtySubmodules = await findDirtySubmodules(git);
    const view = openGit(repository, { alternates: [scratch.objects], lazyFetch });
    return await withObjectReader(view, (withTree) => use({ tree, dirtySubmodules, git: withTree }));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await release();
  }
}

/** For git, such a submodule is a modified link to the same commit. */
async function findDirtySubmodules(git: Git): Promise<readonly string[]> {
  const changed = await git.bytes(['diff-files', '--raw', '-z', '--no-abbrev', '--ignore-submodules=none']);
  return parseRawDiff(changed.toString('utf8')).flatMap(({ oldMode, newMode, path }) =>
    oldMode === LINK && newMode === LINK ? [path] : [],
  );
}

const LINK = '160000';

/** Tells whether tracked files differ from the checkout; a bare repository is clean. Writes nothing into the repository. */
export async function stateOfWorkTree({ workTree }: RepoLocation, signal: AbortSignal): Promise<'clean' | 'dirty' | 'unknown'> {
  return workTree === undefined ? 'clean' : stateOf(await changedFiles(workTree, signal));
}

/** Names what `changedFiles` returned. */
export function stateOf(changed: ReadonlyMap<string, string> | undefined): 'clean' | 'dirty' | 'unknown' {
  if (changed === undefined) return 'unknown';
  return changed.size > 0 ? 'dirty' : 'clean';
}

/** Stands for the text of a file that was deleted. */
export const GONE = 'gone';

/**
 * Returns the tracked files of a working tree that differ from the checkout, relative to its top. Each has a text that another one replaces
 * when the file is written again. `undefined`: git cannot tell. Writes nothing into the repository.
 */
export async function changedFiles(top: AbsolutePath, signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
  const git = asUser(top, { signal });
  const [changed, flagged] = await Promise.all([git.attempt(args), git.attempt(['ls-files', '-v', '-z'])]);
  if (changed.exit !== 0 || flagged.exit !== 0) return undefined;
  const linesOf = ({ stdout }: typeof changed): readonly string[] => stdout.toString('utf8').split('\0').slice(0, -1);
  // Changes of these are hidden from git: `git update-index --assume-unchanged`, or `--skip-worktree`, as of files outside a sparse checkout.
  const hidden = linesOf(flagged).filter((line) => /^[a-z]/.test(line) || (line.startsWith('S') && existsSync(join(top, line.slice(2)))));
  return new Map(
    // Two letters and a space come before the path, or one.
    [...linesOf(changed).map((line) => line.slice(3)), ...hidden.map((line) => line.slice(2))].map((path) => {
      const stat = lstatSync(join(top, path), { throwIfNoEntry: false });
      return [path, stat === undefined ? GONE : `${stat.mode} ${stat.size} ${stat.ctimeMs}`];
    }),
  );
}

/**
 * Tells whether a folder contains ignored files other than those of Yarn and turborepo: something generated them, and the commit does not
 * have them. `path`: relative to the project's root. Throws `GIT_FAILED`.
 */
export async function hasIgnoredFiles(project: AbsolutePath, path: string): Promise<boolean> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', path === '' ? '.' : path];
  const names = (await asUser(project).text(args)).split('\0').filter((name) => name !== '');
  return names.some((name) => !/(?:^|\/)(?:node_modules|\.turbo)(?:\/|$)/.test(name));
}

/**
 * Removes files below the project's root that git does not track and that were written since a time, in milliseconds since 1970. Turborepo's
 * own logs stay, and so does what a link on the way leads to. Throws `GIT_FAILED`, `FILE_UNUSABLE`.
 */
export async function removeUntracked(project: AbsolutePath, paths: readonly string[], since: number): Promise<void> {
  const made = paths.filter((path) => !/(?:^|\/)(?:\.turbo|\.\.)\//.test(path));
  if (made.length === 0) return;
  const tracked = new Set((await asUser(project).text(['ls-files', '-z'])).split('\0'));
  const root = realpathSync(project);
  for (const path of made.filter((one) => !tracked.has(one))) {
    const file = join(root, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory() || stat.ctimeMs < since || realpathSync(dirname(file)) !== dirname(file)) continue;
    orUnusable(file, 'written', () => rmSync(file));
  }
}

/**
 * Copies the index with its time, in whole seconds. git compares the content of files that are no older than the index: with a newer time, a
 * file that changed in the second in which the index was written would pass as unchanged for ever.
 */
function copyIndex(from: string, to: string): void {
  const state = statSync(from, { throwIfNoEntry: false });
  if (state === undefined) return;
  copyFileSync(from, to);
  const seconds = Math.floor(state.mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

function at(folder: string, name: string): AbsolutePath {
  return parseAbsolutePath(join(folder, name));
}

import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { asUser, type Git, plumbing } from '@tributary/git/git';
import { findCommit } from '@tributary/git/history';
import { foreignRepository, notTrusted } from '@tributary/git/ownership';
import { checkGitVersion } from '@tributary/git/version';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseRefName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';

/** A clone, which is only read. */
export interface Clone {
  readonly folder: AbsolutePath;
  readonly git: Git;
  /** The git directory that its working trees share. */
  readonly gitDir: AbsolutePath;
  /** The last commit of its main line: that of the remote's default branch if known, otherwise of HEAD. */
  readonly head: CommitId;
  /** The name of the branch of its main line; `undefined` if HEAD is on none. */
  readonly branch: string | undefined;
  /** The address of its remote `origin`. */
  readonly address: string | undefined;
  /** The path of its remote, such as `owner/name`, with all nested groups, as CI names it; otherwise the name of its folder. */
  readonly name: string;
  /** The web page of the repository; `undefined` if the remote does not tell. */
  readonly webUrl: string | undefined;
}

/** Opens a clone. Throws `TARGET_NOT_FOUND`, `TARGET_NOT_TRUSTED`, `TARGET_SHALLOW`, `TARGET_UNBORN`, `GIT_MISSING`, `GIT_TOO_OLD`. */
export async function openClone(folder: AbsolutePath, signal: AbortSignal): Promise<Clone> {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) throw notFound(folder, 'the folder does not exist');
  if (!found.isDirectory()) throw notFound(folder, 'it is not a folder');
  const user = asUser(folder, { signal });
  checkGitVersion(await user.text(['version']));
  const asked = await user.attempt(['rev-parse', '--path-format=absolute', '--git-common-dir', '--is-shallow-repository']);
  const foreign = foreignRepository(asked.stderr);
  if (foreign !== undefined) throw notTrusted(foreign);
  if (asked.exit !== 0) throw notFound(folder, asked.stderr.trim().split('\n')[0] ?? '');
  const [folderOfGit = '', isShallow] = asked.stdout.toString('utf8').trimEnd().split('\n');
  if (isShallow === 'true') throw shallow(folder);
  const gitDir = parseAbsolutePath(folderOfGit);
  const git = plumbing(gitDir, { signal });
  const head = (await findCommit(git, parseRefName('refs/remotes/origin/HEAD'))) ?? (await findCommit(git, 'HEAD'));
  if (head === undefined) throw unborn(folder);
  const remote = await git.attempt(['config', '--get', 'remote.origin.url']);
  const address = remote.stdout.toString('utf8').trim();
  const branch = (await branchAt(git, 'refs/remotes/origin/HEAD', 'refs/remotes/origin/')) ?? (await branchAt(git, 'HEAD', 'refs/heads/'));
  return { folder, git, gitDir, head, branch, address: address === '' ? undefined : address, ...placeOf(address, gitDir) };
}

async function branchAt(git: Git, ref: string, under: string): Promise<string | undefined> {
  const { exit, stdout } = await git.attempt(['symbolic-ref', '--quiet', ref]);
  const name = stdout.toString('utf8').trim();
  return exit === 0 && name.startsWith(under) ? name.slice(under.length) : undefined;
}

/** Tells whether two addresses are of the same repository: git shortens them in messages, and one may be of another protocol. */
export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((address) => placeOf(address, '').webUrl ?? address.replace(/\/?(?:\.git)?\/?$/, ''));
  return a?.toLowerCase() === b?.toLowerCase();
}

/** Parses the URL of a remote, such as `git@host.example:acme/ui.git` or `https://host.example/acme/ui`, without any credential in it. */
function placeOf(address: string, gitDir: string): Pick<Clone, 'name' | 'webUrl'> {
  const match =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(address) ??
    /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/)(.+?)(?:\.git)?\/?$/.exec(address);
  const [, host, rest] = match ?? [];
  const path = rest?.replace(/^\/+/, '');
  if (host !== undefined && path !== undefined) return { name: path, webUrl: `https://${host}/${path}` };
  const own = basename(gitDir) === '.git' ? dirname(gitDir) : gitDir.replace(/\.git$/, '');
  return { name: basename(own), webUrl: undefined };
}

function notFound(folder: string, why: string): ToolError {
  return new ToolError({
    code: 'TARGET_NOT_FOUND',
    message: `${folder} is not in a git repository: ${why}.`,
    hint: 'Give a clone: --repo to collect it, --monorepo for its import records.',
  });
}

function shallow(folder: string): ToolError {
  return new ToolError({
    code: 'TARGET_SHALLOW',
    message: `${folder} is a shallow clone, which does not show when its changes were released.`,
    hint: 'Complete it with "git fetch --unshallow --tags"; in CI, check out with the whole history.',
  });
}

function unborn(folder: string): ToolError {
  return new ToolError({
    code: 'TARGET_UNBORN',
    message: `${folder} has no commits yet.`,
    hint: 'Commit something first.',
  });
}

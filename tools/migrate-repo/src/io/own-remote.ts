import { resolve } from 'node:path';
import { type Git, networkFrom } from '@tributary/git/git';
import { parseRemoteRefs } from '@tributary/git/parse';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId, RefName } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl, type RepoUrl, redactUrls, reveal } from '@tributary/model/repo-url';
import { patienceSettings } from './scratch-fetch.js';
import type { LocalRepository } from './target.js';

/** The remote of the monorepo that branches are pushed to. */
export interface OwnRemote {
  /** The user's name for it: `origin`. */
  readonly name: string;
  readonly url: RepoUrl;
  /** Reads objects of the monorepo and of the scratch repositories. Fetched objects go to the last of these. */
  readonly git: Git;
  /** Settings that keep git from waiting forever. */
  readonly patience: readonly string[];
}

/** Returns the address of a remote that the user has configured. Throws `USAGE`. */
export async function remoteAddress({ userGit, workTree, gitDir }: LocalRepository, name: string): Promise<RepoUrl> {
  const answer = name.startsWith('-') ? undefined : await userGit.attempt(['remote', 'get-url', '--push', '--', name]);
  if (answer?.exit === 0)
    return parseRepoUrl(answer.stdout.toString('utf8').trim().split('\n')[0] ?? '', (path) =>
      parseAbsolutePath(resolve(workTree ?? gitDir, path)),
    );
  const known = (await userGit.text(['remote'])).split('\n').filter((one) => one !== '');
  throw new ToolError({
    code: 'USAGE',
    message: `The monorepo has no remote "${name}".`,
    hint:
      known.length === 0
        ? 'Add it with "git remote add", and push the monorepo there first.'
        : `Name one with --remote: ${known.join(', ')}.`,
  });
}

/** Opens a remote. `objects`: the object folders of scratch repositories. */
export async function openRemote(
  { gitDir }: LocalRepository,
  {
    name,
    url,
    objects,
    signal,
  }: Pick<OwnRemote, 'name' | 'url'> & { readonly objects: readonly AbsolutePath[]; readonly signal: AbortSignal },
): Promise<OwnRemote> {
  const own = parseAbsolutePath(`${gitDir}/objects`);
  const into = objects.at(-1) ?? own;
  const git = networkFrom(gitDir, { objects: into, alternates: [own, ...objects.slice(0, -1)], signal });
  return { name, url, git, patience: await patienceSettings({ url, scratch: gitDir, signal }) };
}

/** Returns the branches of a remote, by full name. Throws `REMOTE_UNREACHABLE`. */
export async function announceBranches(remote: OwnRemote): Promise<ReadonlyMap<string, ObjectId>> {
  const output = await ask(remote, ['ls-remote', '--heads', '--', reveal(remote.url)]);
  return new Map(parseRemoteRefs(output).map(({ ref, id }) => [ref, id]));
}

async function fetchBranches(remote: OwnRemote, branches: readonly string[]): Promise<void> {
  if (branches.length === 0) return;
  const unchecked = ['-c', 'fetch.fsckObjects=false', '-c', 'transfer.fsckObjects=false', '-c', 'fetch.unpackLimit=1'];
  const options = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance', '--quiet'];
  await ask(remote, [...unchecked, 'fetch', ...options, '--', reveal(remote.url), ...branches]);
}

/** Fetches the wanted branches whose commits `git` lacks, without creating refs. Throws `REMOTE_UNREACHABLE`. */
export async function fetchMissing(
  git: Git,
  remote: OwnRemote,
  { branches, wanted }: { readonly branches: ReadonlyMap<string, ObjectId>; readonly wanted: (ref: string) => boolean },
): Promise<void> {
  const missing: string[] = [];
  for (const [ref, id] of branches)
    if (wanted(ref) && (await git.attempt(['cat-file', '-e', `${id}^{commit}`])).exit !== 0) missing.push(ref);
  await fetchBranches(remote, missing);
}

/**
 * A push. `tip`: `undefined` deletes the branch. `expected`: its current value, `undefined` if it does not exist; a
 * different value rejects the push.
 */
export interface Push {
  readonly branch: RefName;
  readonly tip: CommitId | undefined;
  readonly expected: ObjectId | undefined;
}

/** Pushes only one branch, without tags. Hooks of the user do not run. Throws `PUSH_REFUSED`. */
export async function pushBranch(remote: OwnRemote, { branch, tip, expected }: Push): Promise<void> {
  const options = ['--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no'];
  const lease = `--force-with-lease=${branch}:${expected ?? ''}`;
  const answer = await remote.git.attempt([
    ...remote.patience,
    'push',
    ...options,
    lease,
    '--',
    reveal(remote.url),
    `${tip ?? ''}:${branch}`,
  ]);
  if (answer.exit === 0) return;
  const rejected = /^!\t[^\t]*\t(.*)$/m.exec(answer.stdout.toString('utf8'))?.[1];
  const words = [...answer.stderr.matchAll(/^(?:remote: )?(?:error|fatal): (.*)$/gm)].map(([, text]) => text?.trim());
  const why = redactUrls([rejected, ...words.slice(0, 2)].filter((text) => text !== undefined).join(': ')) || 'git gave no reason';
  throw new ToolError({
    code: 'PUSH_REFUSED',
    message: `${remote.name} rejected ${branch.replace(/^refs\/heads\//, '')}: ${why}`,
    hint: 'Check your push access, protection rules for this branch name, and whether a branch exists whose name begins this path.',
    data: { branch, git: answer.stderr },
  });
}

async function ask({ git, name, url, patience }: OwnRemote, args: readonly string[]): Promise<string> {
  try {
    return await git.text([...patience, ...args]);
  } catch (error) {
    if (!isToolError(error) || error.code !== 'GIT_FAILED') throw error;
    const { stderr } = error.data;
    const said = typeof stderr === 'string' ? stderr : error.message;
    throw new ToolError({
      code: 'REMOTE_UNREACHABLE',
      message: `The remote ${name} (${url}) could not be read: ${/^(?:fatal|error): (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1)}`,
      hint: `Check the address and your access to it with "git ls-remote ${name}".`,
      data: { git: said },
      cause: error,
    });
  }
}
